"""Regulated table games by the book: cited law, a table that follows it, and a record.

The names in ``__all__`` are what programs may rely on; docs/python.md tells what each is for.
Whatever else the package holds is private to the project. A name is imported when it is first used,
so that ``import croupier`` costs next to nothing.
"""

TYPE_CHECKING = False  # As in typing, which takes longer to import than all else here.

if TYPE_CHECKING:
    from croupier import client as client
    from croupier import commands as commands
    from croupier import events as events
    from croupier.api.errors import CustomWagerError as CustomWagerError
    from croupier.api.errors import FileError as FileError
    from croupier.api.errors import LawError as LawError
    from croupier.api.errors import SubmissionError as SubmissionError
    from croupier.api.figures import OutcomeOdds as OutcomeOdds
    from croupier.api.figures import ParSheet as ParSheet
    from croupier.api.figures import RoundOdds as RoundOdds
    from croupier.api.figures import ShoeError as ShoeError
    from croupier.api.figures import WagerOdds as WagerOdds
    from croupier.api.figures import par_sheet as par_sheet
    from croupier.api.figures import round_odds as round_odds
    from croupier.api.records import LogError as LogError
    from croupier.api.records import LogVerdict as LogVerdict
    from croupier.api.records import RoundDivergence as RoundDivergence
    from croupier.api.records import RoundsVerdict as RoundsVerdict
    from croupier.api.records import verify_log as verify_log
    from croupier.api.records import verify_rounds as verify_rounds
    from croupier.api.result import ResultError as ResultError
    from croupier.api.result import TypedResult as TypedResult
    from croupier.api.result import to_frame as to_frame
    from croupier.api.rounds import Fault as Fault
    from croupier.api.rounds import PlacedWager as PlacedWager
    from croupier.api.rounds import Round as Round
    from croupier.api.rounds import RoundError as RoundError
    from croupier.api.rounds import RoundResult as RoundResult
    from croupier.api.rounds import WagerResult as WagerResult
    from croupier.api.rounds import settle_round as settle_round
    from croupier.api.rounds import settle_rounds as settle_rounds
    from croupier.api.rules import CustomWager as CustomWager
    from croupier.api.rules import GameRules as GameRules
    from croupier.api.rules import WagerTerms as WagerTerms
    from croupier.api.rules import default_rules as default_rules
    from croupier.api.rules import laws as laws
    from croupier.api.rules import load_rules as load_rules
    from croupier.api.rules import load_wager as load_wager
    from croupier.api.rules import make_rules as make_rules
    from croupier.api.rules import parse_rules as parse_rules
    from croupier.api.simulation import SimulationResult as SimulationResult
    from croupier.api.simulation import simulate as simulate
    from croupier.api.table import Actor as Actor
    from croupier.api.table import Card as Card
    from croupier.api.table import KeyReusedError as KeyReusedError
    from croupier.api.table import LiveTable as LiveTable
    from croupier.api.table import RefusedError as RefusedError
    from croupier.api.table import Stamp as Stamp
    from croupier.api.table import Store as Store
    from croupier.api.table import StoreError as StoreError
    from croupier.api.table import TableEntry as TableEntry
    from croupier.api.table import open_store as open_store
    from croupier.api.table import open_table as open_table
    from croupier.api.table import parse_cards as parse_cards
    from croupier.api.table import resume_table as resume_table
    from croupier.files.version import __version__ as __version__

_MODULES = {
    "errors": "CustomWagerError FileError LawError SubmissionError",
    "figures": "OutcomeOdds ParSheet RoundOdds ShoeError WagerOdds par_sheet round_odds",
    "records": "LogError LogVerdict RoundDivergence RoundsVerdict verify_log verify_rounds",
    "result": "ResultError TypedResult to_frame",
    "rounds": "Fault PlacedWager Round RoundError RoundResult WagerResult settle_round"
    " settle_rounds",
    "rules": "CustomWager GameRules WagerTerms default_rules laws load_rules load_wager make_rules"
    " parse_rules",
    "simulation": "SimulationResult simulate",
    "table": "Actor Card KeyReusedError LiveTable RefusedError Stamp Store StoreError TableEntry"
    " open_store open_table parse_cards resume_table",
}
"""The public names by the module of ``croupier.api`` that they come from."""

_HOMES = {name: f"api.{module}" for module, names in _MODULES.items() for name in names.split()}

_HOMES |= {"commands": "commands", "events": "events"}

__all__ = list(_HOMES)

# The client needs an extra, so `from croupier import *` leaves it out.
_HOMES |= {"__version__": "files.version", "client": "client"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used."""
        if name not in _HOMES:
            raise AttributeError(f"module 'croupier' has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415

        home = import_module(f"croupier.{_HOMES[name]}")
        value = home if name == _HOMES[name] else getattr(home, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """List the public names, whether they were used or not."""
        return list(_HOMES)
