"""A licensee's tables: their uniform elections, and notice of changes."""

from __future__ import annotations

from croupier.table.pit.access import (
    AccessCommand,
    AccessEvent,
    ConsentToGrant,
    DeclineConsent,
    GrantOffice,
    MakeLink,
    NoteClockJump,
    NoteExport,
    RevokeGrants,
    SignIn,
)
from croupier.table.pit.acts import PitAct, pit_acts
from croupier.table.pit.deciding import (
    across_pits,
    adoption_at,
    as_others,
    beside,
    beside_pit,
    decide_pit,
    evolve_pit,
)
from croupier.table.pit.position import (
    PitPosition,
    PitProposal,
    advanced_pit,
    may_in_pit,
    propose_in_pit,
)
from croupier.table.pit.state import (
    KEPT,
    AdmitOtherGame,
    AdmitTable,
    ChangeElections,
    ElectionsChanged,
    GiveNotice,
    LinkMeters,
    MeterLink,
    MetersLinked,
    MetersMoved,
    MetersUnlinked,
    MoveMeters,
    NoticeGiven,
    PitCommand,
    PitEvent,
    PitEvents,
    PitState,
    PitTable,
    TableAdmitted,
    TableWithdrawn,
    UnlinkMeters,
    WithdrawTable,
)

__all__ = [
    "KEPT", "AccessCommand", "AccessEvent", "AdmitOtherGame", "AdmitTable", "ChangeElections",
    "ConsentToGrant", "DeclineConsent", "ElectionsChanged", "GiveNotice", "GrantOffice",
    "LinkMeters", "MakeLink", "MeterLink", "MetersLinked", "MetersMoved", "MetersUnlinked",
    "MoveMeters", "NoteClockJump", "NoteExport", "NoticeGiven", "PitAct", "PitCommand",
    "PitEvent", "PitEvents",
    "PitPosition", "PitProposal", "PitState", "PitTable", "RevokeGrants", "SignIn",
    "TableAdmitted", "TableWithdrawn", "UnlinkMeters", "WithdrawTable", "across_pits",
    "adoption_at", "advanced_pit", "as_others", "beside", "beside_pit", "decide_pit",
    "evolve_pit", "may_in_pit", "pit_acts", "propose_in_pit",
]  # fmt: skip
