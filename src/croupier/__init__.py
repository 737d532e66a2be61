"""Regulated table games by the book: cited law, a table that follows it, and a record.

The names in ``__all__`` are what programs may rely on; docs/python.md tells what each is for.
Whatever else the package holds is private to the project. A name is imported when it is first used,
so that ``import croupier`` costs next to nothing.
"""

TYPE_CHECKING = False  # As in typing, which takes longer to import than all else here.

if TYPE_CHECKING:
    # ruff: noqa: F403  (a module of the api exports its public names, those of _MODULES)
    from croupier import client as client
    from croupier import commands as commands
    from croupier import events as events
    from croupier.api.errors import *
    from croupier.api.figures import *
    from croupier.api.records import *
    from croupier.api.result import *
    from croupier.api.rounds import *
    from croupier.api.rules import *
    from croupier.api.simulation import *
    from croupier.api.table import *
    from croupier.files.version import __version__ as __version__

_MODULES = {
    "errors": "CustomWagerError FileError LawError SubmissionError",
    "figures": "OutcomeOdds ParSheet RoundOdds ShoeError WagerOdds par_sheet round_odds",
    "records": "LogError LogVerdict RoundDivergence RoundsVerdict verify_log verify_rounds",
    "result": "Figures ResultError TypedResult to_frame",
    "rounds": "Fault PlacedWager Round RoundError RoundResult WagerResult settle_round"
    " settle_rounds",
    "rules": "CustomWager GameRules WagerTerms default_rules laws load_rules load_wager make_rules"
    " parse_rules",
    "simulation": "SimulationResult simulate",
    "table": "Act Action Actor Card KeyReusedError LiveTable Refusal RefusedError Stamp Store"
    " StoreError TableEntry open_store open_table parse_cards resume_table",
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
