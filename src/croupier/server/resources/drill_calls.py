"""Drills and each person's knowledge of clauses."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from email import message_from_bytes
from itertools import groupby
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.responses import RedirectResponse, Response

from croupier.acts.roles import POSTED, Access, with_access
from croupier.drills import (
    DRILLS,
    DrillRoom,
    MarkedAnswer,
    Question,
    documents,
    drawn_questions,
    mark,
)
from croupier.drills.asking import DAYS, asked_today, boxes_from, no_boxes, spaced
from croupier.drills.marking import answer_in_words, unreadable
from croupier.drills.paper_files import written_paper
from croupier.drills.papers import key_of, paper_of, question_asked, results_of
from croupier.drills.result_files import written_progress, written_results
from croupier.drills.room import LEVELS
from croupier.law.usage import named
from croupier.records.stores.store import Learned
from croupier.records.stores.stream import StoreError
from croupier.reports.figures import MissingExtraError
from croupier.reports.words import say
from croupier.rules import TableRules
from croupier.server.http.answering import check_form, form_sent, page_at, page_shown
from croupier.server.http.calls import Call, form_token, parsed
from croupier.server.http.names import whole
from croupier.server.http.openapi import Resource
from croupier.server.http.problems import Problem
from croupier.server.pages import drills as pages
from croupier.server.pages.once import Once
from croupier.server.service import Service

_TEACHERS: Final = with_access(Access.EXAMS)
_MOST_QUESTIONS: Final = 100
_COST: Final = 20
_MEDIA: Final = {"json": "application/json", "csv": "text/csv", "pdf": "application/pdf"}

Result = TypeVar("Result")
Fields = Mapping[str, Sequence[str]]


class _Run(Struct):
    rules: TableRules
    questions: Sequence[Question]
    paper: documents.DrillPaper
    limit: int
    student: str
    marked: list[MarkedAnswer] = []
    late: dict[int, str] = {}
    shown_at: float | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Lock: of a form that is sent twice at once, the second is marked after the first."""

    @property
    def number(self) -> int:
        return len(self.marked) + 1

    @property
    def is_over(self) -> bool:
        return len(self.marked) == len(self.questions)

    def results(self) -> documents.DrillResults:
        paper, command = self.paper, self.paper["reproduce"]
        return results_of(self.rules, self.marked, paper, student=self.student, reproduce=command)


class _Learner(Struct):
    run: _Run | None = None


class _School:
    def __init__(self) -> None:
        self.learners: Final = Once[_Learner](500)
        self._rooms: Final = Once[DrillRoom](8)
        # Questions reconfigure the room, so only one request may use it at a time.
        self._turn: Final = asyncio.Lock()

    async def at(self, rules: TableRules, ask: Callable[[DrillRoom], Result]) -> Result:
        async with self._turn:
            room = self._rooms.of(rules.sha256, lambda: DrillRoom(rules))
            return await asyncio.to_thread(ask, room)


_SCHOOLS: Final[WeakKeyDictionary[Service, _School]] = WeakKeyDictionary()


def _school(call: Call) -> _School:
    return _SCHOOLS.setdefault(call.service, _School())


def _learner(call: Call) -> _Learner:
    call.allow(*POSTED)
    return _school(call).learners.of(call.grant.id, _Learner)


def _run(call: Call) -> _Run:
    run = _learner(call).run
    if run is None:
        raise Problem("not_found", say("drill.error.over"))
    return run


def _tables(call: Call) -> dict[str, TableRules]:
    found = call.service.tables_of(call.grant)
    return {name: table.desk.durable.rules for name, table in found.items()}


def _offered(call: Call) -> pages.Offered:
    tables = [(name, rules.title) for name, rules in _tables(call).items()]
    if not tables:
        raise Problem("not_found", say("drill.error.table"))
    kinds = {name: named(kind.title) for name, kind in DRILLS.items()}
    is_teacher = call.grant.office in _TEACHERS
    return pages.Offered(tables, kinds, form_token(call.token()), is_teacher)


# --- knowledge of clauses ------------------------------------------------------------------------


async def kept(call: Call, *, everybody: bool = False) -> tuple[Learned, ...]:
    """Return the caller's (or everybody's) knowledge by clause."""
    store, grant = call.service.store, call.grant
    person = None if everybody else grant.person
    return await asyncio.to_thread(store.learned, grant.pit, person)


def boxes_of(rows: Iterable[Learned]) -> documents.DrillBoxes:
    boxes, laws = no_boxes(), dict[str, dict[str, documents.SpacedClause]]()
    for row in rows:
        laws.setdefault(row.law, {})[row.clause] = {"box": row.box, "due": row.due}
    return {**boxes, "laws": laws}


async def learn(
    call: Call, boxes: documents.DrillBoxes, before: documents.DrillBoxes, *, all_: bool = False
) -> None:
    """Store the caller's changed boxes; all with ``all_``."""
    grant = call.grant
    rows = [
        Learned(grant.pit, grant.person, law, clause, spaced_clause["box"], spaced_clause["due"])
        for law, clauses in boxes["laws"].items()
        for clause, spaced_clause in clauses.items()
        if before["laws"].get(law, {}).get(clause) != spaced_clause
    ]
    instead = (grant.pit, grant.person) if all_ else None
    if not rows and not all_:
        return
    try:
        await call.service.commits.write(call.service.store.learn, rows, instead=instead)
    except StoreError as error:
        raise Problem("not_stored", say("drill.error.kept")) from error


def counts_of(rows: Iterable[Learned]) -> list[int]:
    found = Counter(row.box for row in rows)
    return [found[box] for box in range(len(DAYS))]


# --- requests ------------------------------------------------------------------------------------


def _text(fields: Fields, name: str) -> str:
    return fields.get(name, [""])[0].strip()


def _number(fields: Fields, name: str, least: int, most: int, default: int) -> int:
    text = _text(fields, name)
    if not text:
        return default
    if (number := whole(text, 11)) is not None and least <= number <= most:
        return number
    label = say(f"drill.{name}")
    message = say("drill.error.number", label=label, least=least, most=f"{most:,}")
    raise Problem("malformed", message)


class _PaperOrder:
    def __init__(self, call: Call, fields: Fields) -> None:
        tables = _tables(call)
        self.table: Final = _text(fields, "table") or next(iter(tables), "")
        if self.table not in tables:
            raise Problem("not_found", say("drill.error.table"))
        self.rules: Final = tables[self.table]
        self.kinds: Final = [drill for drill in DRILLS if drill in fields.get("kind", ())]
        if not self.kinds:
            raise Problem("malformed", say("drill.error.kinds"))
        level = _number(fields, "level", LEVELS[0], LEVELS[-1], 0) if _text(fields, "level") else 0
        self.level: Final = level or None
        self.count: Final = _number(fields, "count", 1, _MOST_QUESTIONS, 10)
        self.seed: Final = _number(fields, "seed", 0, 2**31, secrets.randbelow(10**6))

    def drawn(self, room: DrillRoom) -> tuple[Question, ...]:
        return tuple(drawn_questions(room, self.kinds, self.seed, self.count, self.level))

    def paper(self, questions: Sequence[Question]) -> documents.DrillPaper:
        if not questions:
            raise Problem("not_found", say("drill.none"))
        level = "" if self.level is None else f" --level {self.level}"
        command = (
            f"croupier drill paper --submission {self.table}.toml --kinds {','.join(self.kinds)}"
            f" --seed {self.seed} --questions {self.count}{level} -o paper.pdf"
        )
        return paper_of(
            self.rules, questions, self.kinds, seed=self.seed, level=self.level, reproduce=command
        )


# --- a drill -------------------------------------------------------------------------------------


async def start(call: Call) -> Response:
    run = _learner(call).run
    resumed = None if run is None or run.is_over else (run.number, len(run.questions))
    counts = counts_of(await kept(call))
    return page_shown(call, pages.start_page(_offered(call), counts, DAYS, resumed))


async def begin(call: Call) -> Response:
    learner, fields = _learner(call), await form_sent(call)
    order = _PaperOrder(call, fields)
    limit = _number(fields, "seconds", 0, 3600, 0)
    call.front.rates.take(f"drills {call.grant.id}", _COST)
    boxes = boxes_of(await kept(call))

    def draw(room: DrillRoom) -> tuple[Question, ...]:
        if not _text(fields, "due"):
            return order.drawn(room)
        return tuple(
            asked_today(
                room, order.kinds, boxes, call.service.today,
                seed=order.seed, count=order.count, level=order.level,
            )
        )  # fmt: skip

    questions = await _school(call).at(order.rules, draw)
    paper, student = order.paper(questions), _text(fields, "student")[:60]
    learner.run = _Run(order.rules, questions, paper, limit, student)
    return RedirectResponse("/drills/question", 303)


async def question(call: Call) -> Response:
    run = _run(call)
    if run.is_over:
        return RedirectResponse("/drills/score", 303)
    if run.shown_at is None:
        run.shown_at = monotonic()
    data = question_asked(run.questions[run.number - 1])
    page = pages.question_page(_offered(call), data, run.number, len(run.questions), run.limit)
    return page_shown(call, page)


async def answer(call: Call) -> Response:
    """Mark an answer; an answer is marked once."""
    run, fields = _run(call), await form_sent(call)
    async with run.turn:
        return await _mark_answer(call, run, fields)


async def _mark_answer(call: Call, run: _Run, fields: Fields) -> Response:
    number = _number(fields, "number", 1, len(run.questions), 1)
    if number == run.number and run.shown_at is not None:
        seconds = monotonic() - run.shown_at
        answers = {
            name.removeprefix("answer."): texts[0]
            for name, texts in fields.items()
            if name.startswith("answer.")
        }
        current = run.questions[number - 1]
        if run.limit and seconds > run.limit:
            run.late[number], answers = f"{seconds:.1f}", {}
        elif unread := unreadable(current, answers):
            page = pages.question_page(
                _offered(call), question_asked(current), number, len(run.questions), run.limit,
                unread,
            )  # fmt: skip
            return page_shown(call, page, 422)
        marked = await _school(call).at(run.rules, lambda _: mark(current, answers, seconds))
        boxes = boxes_of(await kept(call))
        # The answer counts only if stored; after a failure it may be given again.
        await learn(call, spaced(boxes, run.rules.law.key, (marked,), call.service.today), boxes)
        run.marked.append(marked)
        run.shown_at = None
    return RedirectResponse(f"/drills/answers/{number}", 303)


async def answered(call: Call) -> Response:
    """Return the correct answer, and the consequence of the answer given."""
    run, number = _run(call), int(call.request.path_params["number"])
    if not 1 <= number <= len(run.marked):
        raise Problem("not_found", say("drill.error.over"))
    marked = run.marked[number - 1]
    lateness = (run.late[number], run.limit) if number in run.late else None
    data, in_words = question_asked(marked.question), answer_in_words(marked, run.rules)
    page = pages.answer_page(_offered(call), data, in_words, number, len(run.questions), lateness)
    return page_shown(call, page)


async def score(call: Call) -> Response:
    run = _run(call)
    law, found = run.rules.law.clauses, run.results()
    meanings = {row: law[row].says for row in found["by_clause"] if row in law}
    return page_shown(call, pages.score_page(_offered(call), found, meanings))


async def missed(call: Call) -> Response:
    run = _run(call)
    await form_sent(call)
    wrong = [marked_answer.question for marked_answer in run.marked if not marked_answer.is_right]
    if not run.is_over or not wrong:
        raise Problem("not_found", say("drill.error.over"))
    run_questions = tuple(replace(one, number=at) for at, one in enumerate(wrong, 1))
    _learner(call).run = _Run(run.rules, run_questions, run.paper, run.limit, run.student)
    return RedirectResponse("/drills/question", 303)


# --- files ---------------------------------------------------------------------------------------


def _file(name: str, content: bytes) -> Response:
    media = _MEDIA[name.rpartition(".")[2]]
    return Response(content, 200, {"Content-Disposition": f'attachment; filename="{name}"'}, media)


async def results(call: Call) -> Response:
    form = _form_of_file(call)
    return _file(f"results.{form}", written_results(_run(call).results(), form))


async def progress(call: Call) -> Response:
    call.allow(*POSTED)
    form = _form_of_file(call)
    boxes = boxes_of(await kept(call))
    return _file(f"progress.{form}", written_progress(boxes, call.grant.person, form))


async def learners(call: Call) -> Response:
    call.allow(*_TEACHERS)
    rows = await kept(call, everybody=True)
    people = {
        name: counts_of(group) for name, group in groupby(rows, lambda one: one.person)
    }  # fmt: skip
    return page_shown(call, pages.learners_page(_offered(call), people, DAYS))


async def learners_file(call: Call) -> Response:
    call.allow(*_TEACHERS)
    form = _form_of_file(call)
    rows = await kept(call, everybody=True)
    found: documents.DrillLearners = {
        "format": "croupier-drill-learners/1",
        "pit": call.grant.pit,
        "learners": [
            {"student": name, "laws": boxes_of(group)["laws"]}
            for name, group in groupby(rows, lambda one: one.person)
        ],
    }
    return _file(f"learners.{form}", written_progress(found, "", form))


def _form_of_file(call: Call) -> str:
    form: str = call.request.path_params["form"]
    if form not in {"csv", "json"}:
        raise Problem("not_found", say("drill.error.form"))
    return form


async def go_on(call: Call) -> Response:
    """Take a progress file that was kept."""
    call.allow(*POSTED)
    call.same_origin()
    call.media_type("multipart/form-data")
    kind = call.headers["content-type"].encode("latin-1")
    form = b"Content-Type: " + kind + b"\r\n\r\n" + await call.body()
    try:
        message = await asyncio.to_thread(message_from_bytes, form)
    except RecursionError as error:
        reason = "its parts are nested too deep"
        raise Problem("malformed", say("drill.error.file", why=reason)) from error
    parts: dict[str, bytes] = {}
    for part in message.get_payload() if message.is_multipart() else ():
        if isinstance(part, str):
            continue
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        parts[str(name)] = content if isinstance(content, bytes) else b""
    check_form(call, parts.get("form", b"").decode("utf-8", "replace"))
    try:
        file = parsed(parts.get("file", b""), call.front.limits.json_depth)
        boxes = boxes_from(file)
    except (ValueError, Problem) as error:
        raise Problem("malformed", say("drill.error.file", why=error)) from error
    await learn(call, boxes, no_boxes(), all_=True)
    return RedirectResponse("/drills", 303)


# --- exam papers ---------------------------------------------------------------------------------


def _query_fields(call: Call) -> dict[str, list[str]]:
    query = call.request.query_params
    return {name: query.getlist(name) for name in query}


async def papers(call: Call) -> Response:
    call.allow(*_TEACHERS)
    fields = _query_fields(call)
    if not fields:
        return page_shown(call, pages.papers_page(_offered(call), None, (), ""))
    order = _PaperOrder(call, fields)
    call.front.rates.take(f"drills {call.grant.id}", _COST)
    paper = order.paper(await _school(call).at(order.rules, order.drawn))
    level = "" if order.level is None else str(order.level)
    facts = {
        "count": str(len(paper["questions"])), "seed": str(order.seed), "level": level,
        "seal": paper["seal"][:12],
    }  # fmt: skip
    parameters: dict[str, Any] = {
        "table": order.table, "kind": order.kinds, "level": level,
        "count": order.count, "seed": order.seed,
    }  # fmt: skip
    query = urlencode(parameters, doseq=True)
    return page_shown(call, pages.papers_page(_offered(call), facts, order.kinds, query))


async def paper(call: Call) -> Response:
    call.allow(*_TEACHERS)
    name = call.request.path_params["name"]
    kind, _, form = name.partition(".")
    if kind not in {"paper", "key"} or form not in {"pdf", "json"}:
        raise Problem("not_found", say("drill.error.over"))
    order = _PaperOrder(call, _query_fields(call))
    call.front.rates.take(f"drills {call.grant.id}", _COST)

    def write(room: DrillRoom) -> bytes:
        questions = order.drawn(room)
        data = order.paper(questions)
        key = key_of(order.rules, questions, data, data["reproduce"]) if kind == "key" else None
        return written_paper(data, form, key=key)

    try:
        return _file(name, await _school(call).at(order.rules, write))
    except MissingExtraError as error:
        raise Problem("not_found", str(error)) from error


DRILL_PAGES: Final[Sequence[Resource]] = (
    page_at("GET", "/drills", start),
    page_at("POST", "/drills", begin),
    page_at("GET", "/drills/question", question),
    page_at("POST", "/drills/answers", answer),
    page_at("GET", "/drills/answers/{number:int}", answered),
    page_at("GET", "/drills/score", score),
    page_at("POST", "/drills/missed", missed),
    page_at("GET", "/drills/results.{form}", results),
    page_at("GET", "/drills/progress.{form}", progress),
    page_at("GET", "/drills/learners", learners),
    page_at("GET", "/drills/learners.{form}", learners_file),
    page_at("POST", "/drills/progress", go_on),
    page_at("GET", "/drills/papers", papers),
    page_at("GET", "/drills/papers/{name}", paper),
)
