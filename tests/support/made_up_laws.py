"""A shelf of made-up texts: an excerpt, a later whole text of the same game, and another state's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from croupier.law.resolve import instruments, texts_of

OLD: Final = """\
[instrument]
id = "xx/game"
title = "The old game"
authority = "Board of X"
citation = "X Code "
clause_prefix = "XX-OLD"
in_force_from = 2001-01-16
in_force_known = 2003-06-30
observed_on = 2026-11-20
partial = true
amended = [1999-05-01, 2001-01-16]
note = "Made up for a test; an excerpt."

[[amendment]]
on = 1999-05-01
sections = ["9.1"]
by = "R.1999 d.7"
note = "In (a): at least five decks."

[[amendment]]
on = 2001-01-16
sections = ["9.2"]
by = "R.2001 d.1"

[[clause]]
id = "XX-OLD:9.1(a)~old#1"
says = "at least five decks"
class = "A"

[[clause]]
id = "XX-OLD:9.1(b)~old"
says = "the burn is of ten cards"
class = "A"

[[clause]]
id = "XX-OLD:9.2(a)~old"
says = "the tie pays eight to one, and five percent is taken of wins"
class = "A"

[[rule]]
id = "decks"
kind = "count"
title = "Number of decks"
cites = ["XX-OLD:9.1(a)~old#1"]
at_least = 5

[[rule]]
id = "device"
kind = "word"
title = "The shuffling device"
cites = ["XX-OLD:9.1(a)~old#1"]
choices = ["none", "shuffler"]

[[rule]]
id = "burn.count"
kind = "count"
title = "Cards burned"
cites = ["XX-OLD:9.1(b)~old"]
value = 10

[[rule]]
id = "wagers.tie.pays"
kind = "odds"
title = "What a winning Tie wager is paid"
cites = ["XX-OLD:9.2(a)~old"]
value = "8:1"

[[rule]]
id = "vigorish.rate"
kind = "rate"
title = "Vigorish"
cites = ["XX-OLD:9.2(a)~old"]
value = "5%"

[[constraint]]
id = "device.decks"
kind = "requires"
says = "a shuffler is fed twelve decks"
cites = ["XX-OLD:9.1(a)~old#1"]
when = { device = "shuffler" }
at_least = { decks = 12 }

[[constraint]]
id = "uniform.decks"
kind = "uniform"
says = "as many decks at all tables of a pit"
cites = ["XX-OLD:9.1(a)~old#1"]
rules = ["decks"]
"""

NEW: Final = """\
[instrument]
id = "xx/game"
title = "The game"
authority = "Board of X"
citation = "X Code 9."
clause_prefix = "XX"
in_force_from = 2005-03-01
in_force_known = 2005-03-01
observed_on = 2026-11-20
partial = false
amended = [1999-05-01, 2004-08-09, 2005-03-01]
note = "Made up for a test."

[[amendment]]
on = 1999-05-01
sections = ["1"]

[[amendment]]
on = 2005-03-01
sections = ["1", "2"]

[[clause]]
id = "XX:1(a)#1"
says = "at least six decks"
class = "A"

[[clause]]
id = "XX:1(a)#2"
says = "or a shuffler"
class = "A"

[[clause]]
id = "XX:1(c)"
says = "the burn is of ten cards"
class = "A"

[[clause]]
id = "XX:2(a)"
says = "the tie pays at least eight to one, and five percent is taken of wins without a shuffler"
class = "A"

[[clause]]
id = "XX:2(b)"
says = "the cards are cut by the cutter"
class = "B"

[[clause]]
id = "XX:2(c)"
says = "the table is green"
class = "C"
disposition = "checklist"
reason = "Seen to before opening."

[[rule]]
id = "decks"
kind = "count"
title = "Number of decks"
cites = ["XX:1(a)#1"]
at_least = 6

[[rule]]
id = "device"
kind = "word"
title = "The shuffling device"
cites = ["XX:1(a)#1", "XX:1(a)#2"]
choices = ["shuffler", "none"]

[[rule]]
id = "burn.count"
kind = "count"
title = "Cards burned"
cites = ["XX:1(c)"]
value = 10

[[rule]]
id = "wagers.tie.pays"
kind = "odds"
title = "What a winning Tie wager is paid"
cites = ["XX:2(a)"]
at_least = "8:1"

[[rule]]
id = "vigorish.rate"
kind = "rate"
title = "Vigorish"
cites = ["XX:2(a)"]
value = "5%"
applies_when = { device = "none" }

[[rule]]
id = "cut.execute"
kind = "procedure"
title = "The cut"
cites = ["XX:2(b)"]

[[rule]]
id = "cut.from_ends"
kind = "count"
title = "How far from either end"
cites = ["XX:2(b)"]
at_least = 10
by = "cutter"

[[constraint]]
id = "device.decks"
kind = "requires"
says = "a shuffler is fed ten decks"
cites = ["XX:1(a)#2"]
when = { device = "shuffler" }
at_least = { decks = 10 }
"""

OTHER: Final = """\
[instrument]
id = "yy/game"
title = "The other game"
authority = "Board of Y"
citation = "Y Code "
clause_prefix = "YY"
in_force_from = 2010-01-01
in_force_known = 2026-11-20
observed_on = 2026-11-20
partial = false
amended = []
note = "Made up for a test."

[[clause]]
id = "YY:1"
says = "six to eight decks, a burn of eight cards or of ten, a tie at eight to one or better"
class = "A"

[[rule]]
id = "decks"
kind = "count"
title = "Number of decks"
cites = ["YY:1"]
between = [6, 8]

[[rule]]
id = "burn.count"
kind = "count"
title = "Cards burned"
cites = ["YY:1"]
choices = [8, 10]

[[rule]]
id = "wagers.tie.pays"
kind = "odds"
title = "What a winning Tie wager is paid"
cites = ["YY:1"]
at_least = "8:1"
"""


def without_contracts(patch: pytest.MonkeyPatch) -> None:
    """Read texts of three rules, which are compared: no table is dealt under them."""
    patch.setattr("croupier.law.load.contract_faults", lambda *_, **__: iter(()))


@contextmanager
def shelf(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the three made-up texts, below that folder, be all that is held."""
    folder = folder / "shelf"
    folder.mkdir()
    for name, text in (("old", OLD), ("new", NEW), ("other", OTHER)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    # By its name: in the package, resolve is the function.
    patch.setattr(sys.modules["croupier.law.resolve"], "_SHELVES", (folder,))
    without_contracts(patch)
    for held in (instruments, texts_of):
        held.cache_clear()
    yield folder
    for held in (instruments, texts_of):
        held.cache_clear()
