"""A law of one's own: the text of New Jersey under another id, with a register that answers for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from support.project import ROOT

NJ: Final = ROOT / "src/croupier/law/instruments/us-nj/minibaccarat@2011-02-22.toml"
OWN_ID: Final = "xx-test/mini"
OWN_KEY: Final = f"{OWN_ID}@2011-02-22"

REGISTER: Final = """\
[[interpretation]]
id = "XX-1"
name = "face_up_ten.discards"
title = "A ten found face up"
problem = "The rules do not say how many cards go with a ten."
reading = "one"
rests = ["irregularity.face_up_card"]
readings = { one = "One further card.", none = "No further card." }

[[interpretation]]
id = "XX-2"
name = "cutting_card_first.hands"
title = "The cutting card as the first card"
problem = "The rules do not say whether that round is the last."
reading = "last"
rests = ["shoe.cutting_card"]
readings = { last = "It is the last round." }
"""


def own_text(law_id: str = OWN_ID) -> str:
    """Return the law file."""
    text = NJ.read_text(encoding="utf-8").replace('"us-nj/minibaccarat"', f'"{law_id}"')
    return text.replace("NJ-MINI", "XX-MINI").replace('"T08"', '"XX-2"').replace('"T03"', '"XX-1"')


def own_law(folder: Path, *, register: str = REGISTER, name: str = "mini.toml") -> Path:
    """Write the law into a folder, and return its path."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "interpretations.toml").write_text(register, encoding="utf-8")
    path = folder / name
    path.write_text(own_text(), encoding="utf-8")
    return path
