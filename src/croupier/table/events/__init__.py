"""What has happened at a table: one frozen dataclass for each fact, in the past tense.

Every event ends with the clauses behind it. Words that are spoken stand in ``words``. Amounts are
integer cents.
"""

# ruff: noqa: F403  (each module says itself what it exports)
from croupier.table.events.correcting import *
from croupier.table.events.curator import *
from croupier.table.events.duty import *
from croupier.table.events.elections import *
from croupier.table.events.event import *
from croupier.table.events.forms import *
from croupier.table.events.hand_pay import *
from croupier.table.events.house_money import *
from croupier.table.events.irregularity import *
from croupier.table.events.pausing import *
from croupier.table.events.preparation import *
from croupier.table.events.progressive import *
from croupier.table.events.round import *
from croupier.table.events.rulings import *
from croupier.table.events.timed_decks import *
from croupier.table.events.tray import *
from croupier.table.events.wagering import *
