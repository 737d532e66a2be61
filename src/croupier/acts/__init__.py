"""Commands and events of a table, and their fields; ``croupier.table`` decides on them."""

# ruff: noqa: F403  (a module exports the classes that it defines)
from croupier.acts.command import Command as Command
from croupier.acts.command import Event as Event
from croupier.acts.correcting import *
from croupier.acts.curator import *
from croupier.acts.device import *
from croupier.acts.disputes import *
from croupier.acts.elections import *
from croupier.acts.equipment import *
from croupier.acts.floor import *
from croupier.acts.forms import *
from croupier.acts.house_money import *
from croupier.acts.irregularity import *
from croupier.acts.meters import *
from croupier.acts.preparation import *
from croupier.acts.progressive import *
from croupier.acts.round import *
from croupier.acts.rulings import *
from croupier.acts.timed_decks import *
from croupier.acts.tray import *
from croupier.acts.wagering import *
from croupier.law.cite import Clauses as Clauses
