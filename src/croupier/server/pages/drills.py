"""The drill pages, usable by keyboard alone, without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from croupier.reports.figures import CARDS
from croupier.reports.tags import Html, boxed, hidden_inputs, hint, join, labeled, post_form, tag
from croupier.reports.words import say
from croupier.server.pages.pieces import card, facts_list, table_of
from croupier.server.pages.shell import plain_page, sign_out

_MODES: Final = {"count": "numeric", "cents": "decimal"}
_PLACE: Final = "/drills"


class Offered(NamedTuple):
    tables: Sequence[tuple[str, str]]
    kinds: Mapping[str, str]
    form: str
    is_teacher: bool = False


def _page(offered: Offered, title: str, *body: Html | None) -> str:
    links = [tag("a", say("tables"), href="/tables"), tag("a", say("drills"), href=_PLACE)]
    if offered.is_teacher:
        links.append(tag("a", say("drill.papers"), href=f"{_PLACE}/papers"))
        links.append(tag("a", say("drill.learners"), href=f"{_PLACE}/learners"))
    parts = (one for link in links for one in (" ", link))
    up = tag("nav", *parts, class_="up", aria_label=say("drills"))
    return plain_page(title, up, sign_out(offered.form), *(one for one in body if one is not None),
                      script="drills")  # fmt: skip


def _post(offered: Offered, place: str, *body: Html | None, **more: str) -> Html:
    form = hidden_inputs({"form": offered.form})
    return post_form(f"{_PLACE}{place}", form, *body, **more, class_="act")


# --- what is asked for ---------------------------------------------------------------------------


def _field(name: str, label: str, control: Html, hint: str = "") -> Html:
    small = tag("small", hint, id=f"{name}-hint") if hint else None
    return labeled(label, control, small, of=name)


def _text(name: str, value: object = "", **more: Any) -> Html:
    return tag(
        "input", type="text", name=name, id=name, value=str(value), autocomplete="off", **more
    )


def _select(name: str, options: Iterable[tuple[str, str]], chosen: str) -> Html:
    found = (tag("option", words, value=one, selected=one == chosen) for one, words in options)
    return tag("select", *found, name=name, id=name)


def _choices(offered: Offered, kinds: Iterable[str], level: str) -> Html:
    picked = {*kinds}
    boxes = (
        boxed(title, type="checkbox", name="kind", value=one, checked=one in picked)
        for one, title in offered.kinds.items()
    )
    titles = [
        (name, say("drill.table.one", table=name, title=title)) for name, title in offered.tables
    ]
    levels = [("", say("drill.level.each"))]
    levels += [(name, say(f"drill.level.{name}")) for name in ("1", "2", "3")]
    return join(
        _field("table", say("drill.table"), _select("table", titles, titles[0][0])),
        tag("fieldset", tag("legend", say("drill.kinds")), *boxes, class_="choices"),
        _field("level", say("drill.level"), _select("level", levels, level)),
    )


def _numbers(count: object, seed: object) -> Html:
    return join(
        _field("count", say("drill.count"), _text("count", count, inputmode="numeric")),
        _field(
            "seed",
            say("drill.seed"),
            _text("seed", seed, inputmode="numeric", aria_describedby="seed-hint"),
            say("drill.seed.hint"),
        ),
    )


def start_page(
    offered: Offered, boxes: Sequence[int], days: Sequence[int], under_way: tuple[int, int] | None
) -> str:
    going = None
    if under_way is not None:
        number, count = under_way
        going = tag(
            "section",
            tag("p", say("drill.going", number=number, count=count)),
            tag("a", say("drill.go.on"), href=f"{_PLACE}/question"),
        )
    form = _post(
        offered,
        "",
        _choices(offered, offered.kinds, ""),
        _numbers(10, ""),
        _field(
            "seconds",
            say("drill.seconds"),
            _text("seconds", 0, inputmode="numeric", aria_describedby="seconds-hint"),
            say("drill.seconds.hint"),
        ),
        _field("student", say("drill.student"), _text("student", maxlength="60")),
        tag(
            "label",
            tag("input", type="checkbox", name="due", value="yes", checked=any(boxes)),
            tag("span", say("drill.due")),
            class_="choices",
        ),
        tag("button", say("drill.begin"), class_="primary"),
    )
    return _page(
        offered, say("drills"), tag("p", say("drill.words")), going, form,
        _progress(offered, boxes, days),
    )  # fmt: skip


def _progress(offered: Offered, boxes: Sequence[int], days: Sequence[int]) -> Html:
    rows = [
        (at + 1, many, say("drill.box.days", days=after))
        for at, (many, after) in enumerate(zip(boxes, days, strict=True))
    ]
    kept: Html = hint(say("drill.progress.none"))
    if any(boxes):
        heads = map(say, ("drill.box", "drill.box.clauses", "drill.box.again"))
        kept = join(table_of(say("drill.boxes"), heads, rows), _files("progress"))
    form = _post(
        offered,
        "/progress",
        _field(
            "file",
            say("drill.progress.file"),
            tag("input", type="file", name="file", id="file", accept=".json", required=True),
        ),
        tag("button", say("drill.progress.load")),
        enctype="multipart/form-data",
    )
    words = hint(say("drill.progress.words"))
    return tag("section", tag("h2", say("drill.progress")), words, kept, form)


def _files(name: str) -> Html:
    kinds = (("csv", "drill.keep.csv"), ("json", "drill.keep.json"))
    links = (
        tag("li", tag("a", say(words), href=f"{_PLACE}/{name}.{kind}")) for kind, words in kinds
    )
    return tag("ul", *links)


def learners_page(
    offered: Offered, people: Mapping[str, Sequence[int]], days: Sequence[int]
) -> str:
    heads = [say("drill.student"), *(say("drill.box.days", days=day) for day in days)]
    rows = [(name, *counts) for name, counts in people.items()]
    words = hint(say("drill.learners.words"))
    none = hint(say("drill.learners.none"))
    shown = join(table_of(say("drill.learners"), heads, rows), _files("learners"))
    return _page(offered, say("drill.learners"), words, shown if rows else none)


# --- a question ----------------------------------------------------------------------------------


def question_page(  # noqa: PLR0913, PLR0917  (what a question has)
    offered: Offered,
    asked: Mapping[str, Any],
    number: int,
    count: int,
    limit: int,
    unread: Sequence[str] = (),
) -> str:
    """Question with its form; ``unread`` are the fields to be answered again."""
    only = len(asked["fields"]) == 1 and asked["fields"][0]["kind"] == "choice"
    fields = (
        [_buttons(asked["fields"][0])]
        if only
        else [_answer(field, first=at == 0) for at, field in enumerate(asked["fields"])]
    )
    title = say("drill.question", number=number, count=count)
    kind = say("drill.kind", title=offered.kinds[asked["kind"]], level=asked["level"])
    form = post_form(
        f"{_PLACE}/answers",
        hidden_inputs({"form": offered.form, "number": number}),
        *fields,
        None if only else tag("button", say("drill.answer"), class_="primary"),
        class_="act",
    )
    timed = hint(say("drill.limit", seconds=limit)) if limit else None
    again = [
        tag("p", say("drill.unreadable", takes=field["takes"]), class_="wrong", role="alert")
        for field in asked["fields"]
        if field["name"] in unread
    ]
    return _page(offered, title, hint(kind), timed, _shown(asked), *again, form)


def _shown(asked: Mapping[str, Any]) -> Html:
    lines = (
        tag("div", tag("dt", line["label"]), tag("dd", _in_cards(line["text"])))
        for line in asked["shown"]
    )
    seen = tag("dl", *lines, class_="seen") if asked["shown"] else None
    return join(seen, tag("p", asked["words"], class_="prompt"))


def _in_cards(text: str) -> Html:
    found = CARDS.fullmatch(text)
    if found is None:
        return join(text)
    return join(*(card(word) for word in found[1].split()), found[2])


def _buttons(field: Mapping[str, Any]) -> Html:
    buttons = (
        tag("button", tag("kbd", choice["letter"], aria_hidden="true"),
            tag("span", choice["words"]), name=f"answer.{field['name']}", value=choice["value"],
            data_key=choice["letter"])
        for choice in field["choices"]
    )  # fmt: skip
    return tag("fieldset", tag("legend", field["label"]), *buttons, class_="choices",
               tabindex="-1", autofocus=True)  # fmt: skip


def _answer(field: Mapping[str, Any], *, first: bool) -> Html:
    name = f"answer.{field['name']}"
    if field["kind"] == "choice":
        radios = (
            boxed(
                choice["words"],
                type="radio",
                name=name,
                value=choice["value"],
                autofocus=first and at == 0,
            )
            for at, choice in enumerate(field["choices"])
        )
        return tag("fieldset", tag("legend", field["label"]), *radios, class_="choices")
    place = name.replace(".", "-")
    listed = None
    if field["choices"]:
        items = (tag("li", f"{choice['letter']}) {choice['words']}") for choice in field["choices"])
        listed = tag("ul", *items)
    control = tag(
        "input", type="text", name=name, id=place, autocomplete="off", autofocus=first,
        inputmode=_MODES.get(field["kind"]), aria_describedby=f"{place}-hint",
    )  # fmt: skip
    return join(listed, _field(place, field["label"], control, field["takes"]))


# --- what is right -------------------------------------------------------------------------------


def answer_page(  # noqa: PLR0913, PLR0917  (what an answered question has)
    offered: Offered,
    asked: Mapping[str, Any],
    view: Any,
    number: int,
    count: int,
    late: tuple[str, int] | None,
) -> str:
    verdict = say("drill.right" if view.is_right else "drill.wrong")
    took = None if view.seconds is None else say("drill.took", seconds=f"{view.seconds:.1f}")
    rows = [(one.label, one.given or say("drill.given.none"), one.right) for one in view.fields]
    is_last = number == count
    onward = tag(
        "a",
        say("drill.end" if is_last else "drill.next"),
        href=f"{_PLACE}/score" if is_last else f"{_PLACE}/question",
        class_="button",
        autofocus=True,
    )
    said = [tag("p", verdict, class_="big")]
    if late is not None:
        said.append(tag("p", say("drill.late", seconds=late[0], limit=late[1])))
    broken = _sentences(say("drill.broken"), view.broken)
    return _page(
        offered,
        f"{verdict} {say('drill.question', number=number, count=count)}",
        tag("div", *said, hint(took), class_="good" if view.is_right else "bad",
            id="answer", role="status"),
        tag("p", onward),
        _shown(asked),
        table_of(say("drill.fields"), map(say, ("drill.field", "drill.given", "drill.key")), rows),
        _sentences(say("drill.why"), view.why),
        broken,
        _listed(say("drill.clauses"), (*view.clauses, *view.readings)),
    )  # fmt: skip


def _sentences(title: str, lines: Sequence[tuple[str, Sequence[str]]]) -> Html | None:
    items = (
        tag("li", text, tag("small", *_ids(clauses)) if clauses else None)
        for text, clauses in lines
    )
    return tag("section", tag("h2", title), tag("ul", *items, class_="steps")) if lines else None


def _ids(clauses: Sequence[str]) -> Iterable[Html]:
    for at, clause in enumerate(clauses):
        yield join(", " if at else " ", tag("span", clause, class_="unbroken"))


def _listed(title: str, lines: Sequence[tuple[str, str]]) -> Html | None:
    items = (join(tag("dt", name), tag("dd", says)) for name, says in lines)
    if not lines:
        return None
    return tag("section", tag("h2", title), tag("div", tag("dl", *items), class_="clauses"))


# --- the score, and papers -----------------------------------------------------------------------


def score_page(offered: Offered, results: Mapping[str, Any], says: Mapping[str, str]) -> str:
    score = results["score"]

    def share(one: Mapping[str, int]) -> str:
        return f"{one['right']} / {one['asked']}"

    kinds = [(offered.kinds[name], share(row)) for name, row in results["by_kind"].items()]
    clauses = sorted(
        results["by_clause"].items(), key=lambda pair: pair[1]["right"] - pair[1]["asked"]
    )
    rows = [(name, share(one), says.get(name, "")) for name, one in clauses]
    files = ("results.csv", "drill.results.csv"), ("results.json", "drill.results.json")
    links = [tag("li", tag("a", say(words), href=f"{_PLACE}/{name}")) for name, words in files]
    keep = tag("a", say("drill.progress.keep"), href=f"{_PLACE}/progress.json")
    heads = map(say, ("drill.clause", "drill.of", "drill.says"))
    missed = score["asked"] - score["right"]
    again = _post(
        offered,
        "/missed",
        tag("button", say("drill.missed", many=missed), class_="primary", autofocus=True),
    )
    return _page(
        offered,
        say("drill.score", right=score["right"], asked=score["asked"]),
        again if missed else None,
        tag("section", tag("h2", say("drill.score.kinds")),
            facts_list(dict(kinds))),
        tag("section", tag("h2", say("drill.score.clauses")),
            table_of(say("drill.score.clauses"), heads, rows)),
        tag("section", tag("h2", say("drill.results")), tag("ul", *links, tag("li", keep))),
        tag("p", tag("a", say("drill.again"), href=_PLACE, class_="button")),
    )  # fmt: skip


def papers_page(
    offered: Offered, made: Mapping[str, str] | None, kinds: Sequence[str], query: str
) -> str:
    form = tag(
        "form",
        _choices(offered, kinds or offered.kinds, "" if made is None else made["level"]),
        _numbers(10 if made is None else made["count"], "" if made is None else made["seed"]),
        tag("button", say("drill.papers.make"), class_="primary"),
        method="get",
        action=f"{_PLACE}/papers",
        class_="act",
    )
    files = None
    if made is not None:
        names = ("paper.pdf", "paper.json", "key.pdf", "key.json")
        links = (
            tag("li", tag("a", say(f"drill.{name}"), href=f"{_PLACE}/papers/{name}?{query}"))
            for name in names
        )
        said = say("drill.papers.made", count=made["count"], seed=made["seed"], seal=made["seal"])
        files = tag("section", tag("p", said, role="status"), tag("ul", *links))
    words = hint(say("drill.papers.words"))
    return _page(offered, say("drill.papers"), words, files, form)
