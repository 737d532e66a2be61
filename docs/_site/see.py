"""A shoe to replay and questions to answer, as pages that work without a service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from sphinx.application import Sphinx

from _site.clauses import Data, Law, safe
from _site.commands import run, samples
from _site.laws import book
from _site.pages import make_pages

_SUBMISSION = "submissions/nj-minibaccarat.toml"
_ROUNDS = "1-12"
_KINDS = "third-card,payouts,allowed,offices,counts,burn"
_QUESTIONS = 12

_REPLAY = f"""---
hide-toc: true
---
# Watch a shoe

The first rounds of a shoe, entry by entry: the layout with its chips and cards, the roads, what
was said and ruled with its clauses, and the table's money. Play it, or step with the arrow keys.

<p class="go"><a href="shoe.html">Open it on a page of its own</a></p>
<iframe class="shoe" src="shoe.html" title="Replay of a shoe"></iframe>

`croupier deal {_SUBMISSION} --seed 7 --log table.jsonl` dealt the shoe,
and `croupier replay table.jsonl --round {_ROUNDS}` made the page.
[Surveillance](../tutorials/surveillance.md) starts from such a log.
"""


def setup(app: Sphinx) -> None:
    """Add the pages, and the replay that one of them shows."""
    made: dict[str, str] = {}
    make_pages(app, "see", lambda: _pages(made))

    def place(app: Sphinx, error: Exception | None) -> None:
        if error is None and app.builder.name == "html":
            for name, text in made.items():
                (Path(app.outdir) / "see" / name).write_text(text, encoding="utf-8")

    app.connect("build-finished", place)


def _pages(made: dict[str, str]) -> Mapping[str, str]:
    with samples():
        run("deal", _SUBMISSION, "--seed", "7", "--quiet", "--log", "table.jsonl")
        run("replay", "table.jsonl", "--round", _ROUNDS, "-o", "shoe.html")
        made["shoe.html"] = Path("shoe.html").read_text(encoding="utf-8")
        run(
            *("drill", "paper", "--submission", _SUBMISSION, "--kinds", _KINDS, "--seed", "3"),
            *("--questions", str(_QUESTIONS), "-o", "paper.json", "--key", "key.json"),
        )
        paper, key = (json.loads(Path(f"{one}.json").read_text()) for one in ("paper", "key"))
    law = book().of(paper)
    drill = "\n".join(_drill(law, zip(paper["questions"], key["keys"], strict=True)))
    return {"replay.md": _REPLAY, "drill.md": f"{drill}\n"}


def _drill(law: Law, questions: Iterable[tuple[Data, Data]]) -> Iterator[str]:
    yield "---"
    yield "hide-toc: true"
    yield "---"
    yield "# What comes next?"
    yield ""
    yield "Questions about a New Jersey minibaccarat table under its own rules. Choose an answer,"
    yield "or show it: the key is what the table itself decides and pays, with the clauses behind"
    yield "it."
    yield ""
    yield '<div class="drill">'
    for question, key in questions:
        yield from _question(law, question, key)
    yield "</div>"
    yield '<script src="../_static/drill.js"></script>'
    yield ""
    yield "`croupier drill mixed --submission my-rules.toml` asks any number of them about your own"
    yield "table, and `croupier drill paper` writes an exam: see [drills](../drills.md)."


def _question(law: Law, question: Data, key: Data) -> Iterator[str]:
    number = question["number"]
    yield f'<section class="question" aria-labelledby="question-{number}">'
    yield f'<h2 id="question-{number}">{number}. {safe(question["words"])}</h2><dl>'
    for one in question["shown"]:
        yield f"<div><dt>{safe(one['label'])}</dt><dd>{_cards(one['text'])}</dd></div>"
    yield "</dl>"
    choices = [one for field in question["fields"] for one in field["choices"]]
    if len(question["fields"]) == 1 and choices:
        (field,) = question["fields"]
        right = key["key"][field["name"]]
        yield f'<p class="choices" role="group" aria-label="Answers to question {number}">'
        for one in choices:
            mark = " data-right" if one["value"] == right else ""
            yield f'<button type="button"{mark}>{safe(one["words"])}</button>'
        yield "</p>"
    yield '<p class="verdict" role="status"></p>'
    yield "<details><summary>Show the answer</summary>"
    for label, words in key["words"].items():
        yield f"<p><strong>{safe(label)}:</strong> {_cards(words)}</p>"
    yield "<ul>"
    for one in key["why"]:
        links = law.links(one["clauses"], "../laws/")
        yield f'<li>{safe(one["text"])} <span class="ids">{links}</span></li>'
    yield "</ul></details></section>"


def _cards(text: str) -> str:
    """Return text with red suits in red."""
    return "".join(
        f'<span class="red">{one}</span>' if one in "♥♦" else escape(one) for one in text
    )
