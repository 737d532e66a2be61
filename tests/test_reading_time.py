"""The documentation can be read in two hours: the words that someone wrote for reading are counted.

The core is what the start page groups under tutorials, how-to guides, and explanation, and every document that it does
not name. Reference and design are looked up. Counted are words outside blocks of code and outside generated tables,
which lie between ``<!-- name: begin -->`` and ``<!-- name: end -->``.
"""

import re
import sys
from pathlib import Path
from typing import Final

import pytest

from support.project import ROOT

DOCS: Final = ROOT / "docs"
INDEX: Final = (DOCS / "index.md").read_text(encoding="utf-8")
GROUP: Final = re.compile(r":caption: ([^\n]+)\n(?::\w+:\n)*\n(.*?)\n```", re.DOTALL)
GROUPS: Final = {caption: names.split("\n") for caption, names in GROUP.findall(INDEX)}
LOOKED_UP: Final = ("Reference", "Design")

WORDS_A_MINUTE: Final = 210
MOST: Final = 25_000
"""Two hours at 210 words a minute."""


def words_of(text: str) -> int:
    """Return the number of words that a reader reads."""
    text = re.sub(r"<!-- (.+?): begin -->.*?<!-- \1: end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return sum(re.search(r"\w", word) is not None for word in text.split())


def core() -> list[Path]:
    looked_up = {name for group in LOOKED_UP for name in GROUPS[group]}
    # Building the site makes more folders here.
    pages = [*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"), *DOCS.glob("pictures/*.md")]
    return [
        page for page in pages if page.relative_to(DOCS).with_suffix("").as_posix() not in looked_up
    ]


def test_words_in_blocks_tables_that_are_made_and_targets_are_not_read() -> None:
    text = """# Two words

One [link](to/some page.md#at) and `code`, 3 &mdash; - | -- words.

```text
not this
```

````md
```
nor this
```
````

<!-- odds: begin -->
| nor | this |
<!-- odds: end -->

| this | is |
"""
    assert words_of(text) == 2 + 7 + 2


def test_the_start_page_has_its_groups_in_the_order_of_reading() -> None:
    assert [*GROUPS] == [
        "See it",
        "Start and tutorials",
        "How-to guides",
        "Explanation",
        "Reference",
        "Design",
    ]
    named = [name for names in GROUPS.values() for name in names]
    assert len({*named}) == len(named)


def test_the_core_can_be_read_in_two_hours(capsys: pytest.CaptureFixture[str]) -> None:
    counted = {page: words_of(page.read_text(encoding="utf-8")) for page in core()}
    total = sum(counted.values())
    with capsys.disabled():
        minutes = total // WORDS_A_MINUTE
        sys.stdout.write(f"\n{total} words in {len(counted)} documents: {minutes} minutes\n")
    report = "\n".join(
        f"{words:6} {page.relative_to(DOCS)}"
        for page, words in sorted(counted.items(), key=lambda pair: -pair[1])
    )
    assert total <= MOST, report


@pytest.mark.parametrize(("name", "most"), [("table-log", 1_500), ("command-line", 1_200)])
def test_reference_is_made_rather_than_written(name: str, most: int) -> None:
    assert words_of((DOCS / f"{name}.md").read_text(encoding="utf-8")) <= most


# Of running.md, the files, scripts, and commands are run by tests/server/test_running.py.
@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((name, 900) for name in ("why-trust", "questions", "comparison", "threats", "roadmap")),
        *((f"tutorials/{path.stem}", 600) for path in sorted(DOCS.glob("tutorials/*.md"))),
        ("running", 1_400),
    ],
)
def test_a_page_for_one_question_is_short(name: str, most: int) -> None:
    assert words_of((DOCS / f"{name}.md").read_text(encoding="utf-8")) <= most


def test_the_cookbook_has_an_entry_for_each_of_many_jobs() -> None:
    entries = re.findall(r"^### (.+)$", (DOCS / "cookbook.md").read_text("utf-8"), re.MULTILINE)
    assert len({*entries}) >= 25
    asked = {
        "My payouts include the stake",
        "Ten million rounds",
        "The dealer entered the wrong card",
    }
    assert asked <= {*entries}
