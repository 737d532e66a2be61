"""What can be done at a table: one frozen dataclass for each act, named in the imperative.

Persons are named where the law names an office; cards are given as they leave the shoe. Amounts
are integer cents. A command carries no clause: ``decide`` answers it with events or a refusal,
and both do.
"""

# ruff: noqa: F403  (each module says itself what it exports)
from croupier.table.commands.command import *
from croupier.table.commands.correcting import *
from croupier.table.commands.curator import *
from croupier.table.commands.duty import *
from croupier.table.commands.elections import *
from croupier.table.commands.forms import *
from croupier.table.commands.hand_pay import *
from croupier.table.commands.house_money import *
from croupier.table.commands.irregularity import *
from croupier.table.commands.pausing import *
from croupier.table.commands.preparation import *
from croupier.table.commands.progressive import *
from croupier.table.commands.round import *
from croupier.table.commands.rulings import *
from croupier.table.commands.timed_decks import *
from croupier.table.commands.tray import *
from croupier.table.commands.vigorish import *
from croupier.table.commands.wagering import *
