"""The pages of the drills over HTTP: by plain forms, each grant by itself."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.drills import DRILLS, DrillRoom, question
from croupier.drills.asking import boxes_from
from croupier.drills.papers import paper_of
from croupier.records.stores.stream import StoreError
from croupier.server.http.calls import Call
from croupier.server.resources import drill_calls
from croupier.server.resources.drill_calls import learn
from croupier.server.resources.page_calls import PAGES
from support.served import Person, Served, problem, served
from support.tables import make_table

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        yield one


class Learner:
    """Somebody with a browser that runs no script."""

    def __init__(self, house: Served, person: Person) -> None:
        self.http = person.http
        del person.http.headers["Authorization"]
        person.http.cookies.set("croupier", person.token)
        self.http.headers["Origin"] = house.place
        self.page = ""

    def goes(self, path: str, status: int = 200) -> str:
        answer = self.http.get(path, follow_redirects=True)
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return self.page

    def sends(self, path: str, status: int = 200, **fields: Any) -> str:
        """Send the form of the page that was looked at last."""
        form = re.search(r'name="form" value="([^"]+)"', self.page)
        assert form is not None
        data = {"form": form[1], **{name.replace("__", "."): one for name, one in fields.items()}}
        answer = self.http.post(path, data=data, follow_redirects=True)
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return self.page

    def begins(self, **fields: Any) -> str:
        self.goes("/drills")
        wanted = {"table": "MB-101", "kind": ["counts"], "seed": "7", "count": "2", "level": "1"}
        return self.sends("/drills", **{**wanted, **fields})


@pytest.fixture
def learner(house: Served) -> Learner:
    return Learner(house, house.person("dealer", "Dana"))


def asked(house: Served, number: int, kind: str = "counts", level: int | None = 1) -> Any:
    """Return the question that a seed asks, drawn here."""
    rules = house.service.tables["MB-101"].desk.durable.rules
    return question(DrillRoom(rules), kind, 7, number, level)


def wrong_count(one: Any) -> str:
    return str((int(one.key["count"]) + 1) % 10)


def test_a_drill_from_the_first_question_to_the_score(house: Served, learner: Learner) -> None:
    page = learner.begins(student="Dana")
    first, second = asked(house, 1), asked(house, 2)
    assert "Question 1 of 2" in page
    assert first.words in unescape(page)
    assert 'type="radio" name="answer.natural" value="yes"' in page
    # The one script only presses the button of a letter: this drill goes on without it.
    assert re.findall(r"<script[^>]*>", page) == ['<script src="/drills.js" defer>']
    right = {f"answer__{name}": one for name, one in first.key.items()}
    page = learner.sends("/drills/answers", number=1, **right)
    assert "<title>Right. Question 1 of 2</title>" in page
    for text, clauses in first.why:
        assert text in unescape(page)
        assert all(one in unescape(page) for one in clauses)
    learner.goes("/drills/question")
    wrong = wrong_count(second)
    page = unescape(learner.sends("/drills/answers", number=2, answer__count=wrong))
    assert "<title>Not right. Question 2 of 2</title>" in page
    assert f"Point Count: the table has {second.key['count']}, not {wrong}" in page
    page = learner.goes("/drills/question")
    assert "<h1>1 of 2 right</h1>" in page
    rows = [*csv.DictReader(io.StringIO(learner.goes("/drills/results.csv")))]
    assert {(one["student"], one["question"], one["is_right"]) for one in rows} == {
        ("Dana", "1", "yes"), ("Dana", "2", "no"),
    }  # fmt: skip
    told = json.loads(learner.goes("/drills/results.json"))
    assert told["score"] == {"asked": 2, "right": 1}
    learner.goes("/drills/results.pdf", 404)


def test_an_answer_counts_once(learner: Learner, house: Served) -> None:
    learner.begins()
    first = asked(house, 1)
    page = learner.sends("/drills/answers", 422, number=1, answer__count="x")
    assert "This cannot be read" in page, "it is asked again, and not marked"
    learner.sends("/drills/answers", number=1, answer__count=wrong_count(first))
    learner.goes("/drills")
    right = {f"answer__{name}": one for name, one in first.key.items()}
    page = learner.sends("/drills/answers", number=1, **right)
    assert "Not right. Question 1 of 2" in page, "it was marked before"
    assert "A drill is under way: question 2 of 2." in learner.goes("/drills")


def test_an_answer_sent_twice_at_once_is_learned_from_once(
    learner: Learner, house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = []

    async def slowly(call: Call, *args: Any, **more: Any) -> None:
        learned.append(args)
        await asyncio.sleep(0.5)
        await learn(call, *args, **more)

    monkeypatch.setattr(drill_calls, "learn", slowly)
    page, first = learner.begins(), asked(house, 1)
    form = re.search(r'name="form" value="([^"]+)"', page)
    assert form is not None
    right = {f"answer.{name}": given for name, given in first.key.items()}
    sent = [right, {"answer.count": wrong_count(first)}]

    def send(fields: dict[str, Any]) -> str:
        data = {"form": form[1], "number": "1", **fields}
        page = learner.http.post("/drills/answers", data=data, follow_redirects=True).text
        return page.partition("</title>")[0].partition("<title>")[2]

    with ThreadPoolExecutor(2) as senders:
        titles = {*senders.map(send, sent)}
    assert len(titles) == len(learned) == 1


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: multipart/mixed; boundary=b{0}\r\n\r\n--b{0}\r\n",
        "Content-Type: message/rfc822\r\n\r\n",
    ],
)
def test_a_progress_file_in_parts_of_parts_is_refused(learner: Learner, head: str) -> None:
    learner.goes("/drills")
    content = "--b\r\n" + "".join(head.format(at) for at in range(1000))
    headers = {"Content-Type": "multipart/form-data; boundary=b", "Accept": "application/json"}
    answer = learner.http.post("/drills/progress", content=content, headers=headers)
    problem(answer, 422, "malformed")


@pytest.mark.parametrize("name", ["a\0b", "\u202e1.2", "a\nb"])
def test_a_progress_file_has_names_that_can_be_shown(name: str) -> None:
    for law, clause in ((name, "1.2"), ("us-nj", name)):
        with pytest.raises(ValueError, match="not the name of a law or clause"):
            boxes_from({
                "format": "croupier-drill-boxes/1",
                "laws": {law: {clause: {"box": 0, "due": "2026-01-01"}}},
            })  # fmt: skip


def test_no_cell_of_a_file_of_learners_is_a_formula(house: Served, learner: Learner) -> None:
    learner.begins(student="=1+1")
    learner.sends("/drills/answers", number=1, answer__count=wrong_count(asked(house, 1)))
    assert "\n'=1+1," in learner.goes("/drills/results.csv")
    form = re.search(r'name="form" value="([^"]+)"', learner.goes("/drills"))
    assert form is not None
    clauses = {"@SUM(1)": {"box": 0, "due": "2026-01-01"}}
    file = {"format": "croupier-drill-boxes/1", "laws": {"us-nj": clauses}}
    files = {"file": ("p.json", json.dumps(file).encode())}
    learner.http.post("/drills/progress", data={"form": form[1]}, files=files)
    teacher = Learner(house, house.person("floorperson", "Flo"))
    assert "\nDana,us-nj,'@SUM(1),0," in teacher.goes("/drills/learners.csv")


def test_an_answer_after_its_time_counts_as_none(
    learner: Learner, house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(drill_calls, "monotonic", lambda: now[0])
    assert "Answer within 30 s." in learner.begins(seconds="30")
    now[0] += 31
    right = {f"answer__{name}": one for name, one in asked(house, 1).key.items()}
    page = learner.sends("/drills/answers", number=1, **right)
    assert "31.0 s are more than the 30 s allowed: it counts as no answer." in page
    learner.goes("/drills/question")
    now[0] += 29
    right = {f"answer__{name}": one for name, one in asked(house, 2).key.items()}
    assert "Right. Question 2 of 2" in learner.sends("/drills/answers", number=2, **right)


def test_progress_is_of_one_grant_and_goes_on_from_a_file(house: Served, learner: Learner) -> None:
    learner.begins()
    right = {f"answer__{name}": one for name, one in asked(house, 1).key.items()}
    learner.sends("/drills/answers", number=1, **right)
    kept = learner.goes("/drills/progress.json")
    boxes = json.loads(kept)["laws"]["us-nj/minibaccarat@2011-02-22"]
    assert boxes.keys() == set(asked(house, 1).clauses)
    # Nobody else has any of it as their own.
    for office in ("licensee", "surveillance"):
        other = Learner(house, house.person(office, f"another {office}"))
        assert json.loads(other.goes("/drills/progress.json"))["laws"] == {}
        other.goes("/drills/score", 404)
    other.goes("/drills")
    form = re.search(r'name="form" value="([^"]+)"', other.page)
    assert form is not None
    answer = other.http.post(
        "/drills/progress", data={"form": form[1]}, files={"file": ("p.json", kept.encode())}
    )
    assert answer.status_code == 303, answer.text
    assert other.goes("/drills/progress.json") == kept
    refused = other.http.post(
        "/drills/progress", data={"form": form[1]}, files={"file": ("p.json", b"[]")}
    )
    assert (refused.status_code, "This is not a progress file" in refused.text) == (422, True)
    forged = other.http.post(
        "/drills/progress", data={"form": "x"}, files={"file": ("p.json", kept.encode())}
    )
    assert forged.status_code == 403


def test_progress_is_kept_over_a_restart(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        learner = Learner(house, house.person("dealer", "Dana"))
        learner.begins()
        right = {f"answer__{name}": one for name, one in asked(house, 1).key.items()}
        learner.sends("/drills/answers", number=1, **right)
        kept = learner.goes("/drills/progress.json")
        assert json.loads(kept)["laws"]
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        # Another grant of the same person, as of another shift.
        again = Learner(house, house.person("dealer", "Dana"))
        assert again.goes("/drills/progress.json") == kept
        rows = [*csv.DictReader(io.StringIO(again.goes("/drills/progress.csv")))]
        tomorrow = (datetime.now(UTC).date() + timedelta(days=1)).isoformat()
        law = "us-nj/minibaccarat@2011-02-22"
        assert rows == [
            {"student": "Dana", "regulation": law, "clause": one, "box": "0", "due": tomorrow}
            for one in sorted(asked(house, 1).clauses)
        ]


def test_those_who_teach_see_what_everybody_of_their_pit_knows(
    house: Served, learner: Learner
) -> None:
    others = Learner(house, house.person("dealer", "Dora"))
    for one in (learner, others):
        one.begins()
        one.sends("/drills/answers", number=1, answer__count=wrong_count(asked(house, 1)))
        one.goes("/drills/learners", 403)
        one.goes("/drills/learners.csv", 403)
    many = len(asked(house, 1).clauses)
    teacher = Learner(house, house.person("floorperson", "Flo"))
    page = teacher.goes("/drills/learners")
    rows = re.findall(r'<th scope="row">(\w+)</th><td>(\d+)</td>', page)
    assert rows == [("Dana", str(many)), ("Dora", str(many))]
    told = json.loads(teacher.goes("/drills/learners.json"))
    assert (told["pit"], [one["student"] for one in told["learners"]]) == ("1", ["Dana", "Dora"])
    listed = [*csv.DictReader(io.StringIO(teacher.goes("/drills/learners.csv")))]
    assert len(listed) == 2 * many
    # Those of another pit teach there.
    elsewhere = Learner(house, house.person("licensee", "Lou", pit="2"))
    assert json.loads(elsewhere.goes("/drills/learners.json"))["learners"] == []


def test_an_answer_that_is_not_stored_does_not_count(
    house: Served, learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    learner.begins()
    right = {f"answer__{name}": one for name, one in asked(house, 1).key.items()}
    with monkeypatch.context() as patch:
        patch.setattr(house.service.store, "learn", full)
        page = learner.sends("/drills/answers", number=1, status=503, **right)
        assert "does not count yet" in page
    learner.goes("/drills/question")
    assert "Right. Question 1 of 2" in learner.sends("/drills/answers", number=1, **right)


def test_what_is_due_is_asked_first(house: Served, learner: Learner) -> None:
    learner.begins(count="1")
    right = {f"answer__{name}": one for name, one in asked(house, 1).key.items()}
    learner.sends("/drills/answers", number=1, **right)
    # Counts are known until tomorrow: of all that is drawn, what is new comes first.
    for seed in range(6):
        page = learner.begins(due="yes", count="1", kind=["counts", "burn"], seed=str(seed))
        assert "More cards" in page


def test_papers_and_keys_are_for_teachers_and_the_same_again(
    house: Served, learner: Learner
) -> None:
    query = "table=MB-101&kind=counts&kind=burn&level=&count=4&seed=7"
    for path in ("/drills/papers", f"/drills/papers/key.json?{query}"):
        learner.goes(path, 403)
    assert "/drills/papers" not in learner.goes("/drills")
    teacher = Learner(house, house.person("floorperson", "Flo"))
    page = teacher.goes(f"/drills/papers?{query}")
    assert "4 questions, seed 7, seal " in page
    made = json.loads(teacher.goes(f"/drills/papers/paper.json?{query}"))
    assert made == json.loads(teacher.goes(f"/drills/papers/paper.json?{query}"))
    rules = house.service.tables["MB-101"].desk.durable.rules
    kinds = ["counts", "burn"]
    questions = [question(DrillRoom(rules), kinds[at % 2], 7, at + 1) for at in range(4)]
    again = paper_of(rules, [one for one in questions if one], kinds, seed=7)
    assert [one["words"] for one in made["questions"]] == [
        one["words"] for one in again["questions"]
    ]
    key = json.loads(teacher.goes(f"/drills/papers/key.json?{query}"))
    assert key["paper"] == made["seal"]
    pdf = teacher.http.get(f"/drills/papers/key.pdf?{query}")
    assert (pdf.headers["content-type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": []}, "Choose at least one kind of question."),
        ({"count": "0"}, "Number of questions: write a number of 1 to 100"),
        ({"count": "many"}, "Number of questions: write a number of 1 to 100"),
        ({"seed": "-1"}, "Seed: write a number of 0 to"),
        ({"level": "4"}, "Level: write a number of 1 to 3"),
        ({"table": "X"}, "There is no such table, or it is none of yours."),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_sentence(
    learner: Learner, fields: dict[str, Any], said: str
) -> None:
    learner.goes("/drills")
    wanted = {"table": "MB-101", "kind": ["counts"], "seed": "7", "count": "2", "level": "1"}
    page = learner.sends("/drills", 404 if "table" in fields else 422, **{**wanted, **fields})
    assert said in unescape(page)
    assert learner.goes("/drills/score", 404)


@pytest.mark.parametrize("office", ["patron", "board", "machine"])
def test_whoever_does_not_work_there_has_no_drills(house: Served, office: str) -> None:
    more: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
    Learner(house, house.person(office, **more)).goes("/drills", 403)
    answer = httpx.get(f"{house.place}/drills")
    assert answer.status_code == 401


@pytest.mark.parametrize("kind", [*DRILLS])
def test_every_kind_can_be_asked_and_answered(house: Served, learner: Learner, kind: str) -> None:
    one = asked(house, 1, kind, None)
    if one is None:
        learner.goes("/drills")
        wanted = {"table": "MB-101", "kind": [kind], "seed": "7", "count": "1"}
        assert "no room for such a question" in learner.sends("/drills", 404, **wanted)
        return
    page = unescape(learner.begins(kind=[kind], count="1", level=""))
    assert one.words in page
    for field in one.fields:
        assert field.label in page
        assert f'name="answer.{field.name}"' in page
    right = {f"answer__{name}": given for name, given in one.key.items()}
    assert "<title>Right. Question 1 of 1</title>" in learner.sends(
        "/drills/answers", number=1, **right
    )
