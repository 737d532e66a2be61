"""The verifier finds every kind of damage to a log, and says on which line and by which clause.

A forger here does not stop at changing a line: he seals it and everything after it again, as anybody
who holds a log can. What he cannot do is make the commands bring about other events.
"""

from collections.abc import Callable
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records.codec import from_json
from croupier.records.entry import SteppedClock, seal
from croupier.records.header import LogError
from croupier.rules import read_submission, table_rules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.verify.log import LogDivergence
from support.forged_logs import (
    Line,
    bodies,
    chained,
    does,
    event_of,
    forged,
    has,
    play,
    read,
    where,
)
from support.games import advance
from support.logs import recorded
from support.project import PLAIN, SUBMISSIONS
from support.table import MINIBACCARAT, deal, rules_of, wager
from support.verified import verify_log
from support.volume import spread, volume

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

Forgery = Callable[[list[Line]], int]
"""Changes the lines of a log and returns the index of the line at which it must be caught."""


@cache
def log_of(rounds: int | None = None) -> bytes:
    """Return a true log: of some rounds, or of a whole shoe."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        play(path, rounds=rounds)
        return path.read_bytes()


def verified(path: Path, log: bytes) -> LogDivergence | None:
    path.write_bytes(log)
    return verify_log(path).divergence


def caught_at(path: Path, log: bytes) -> int | None:
    """Return the line on which a log is caught, in the file or by the verifier; None if it is not."""
    try:
        found = verified(path, log)
    except LogError as error:
        return int(str(error).removeprefix(f"{path}:").partition(":")[0])
    return None if found is None else found.line


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.jsonl"


# --- a true log --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("submission", "dealer_errors"),
    spread(product(SUBMISSIONS, [0, 30]), 9),
    ids=lambda one: getattr(one, "stem", one),
)
def test_a_true_log_is_clean(path: Path, submission: Path, dealer_errors: int) -> None:
    events = play(path, submission, dealer_errors=dealer_errors, rounds=15)
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.is_clean
    lines = read(path.read_bytes())
    assert verdict.entries == lines[-1]["entries"] == len(lines) - 2
    assert verdict.events == len(events)
    called = [event for line in lines[1:-1] for event in line["events"]]
    assert verdict.rounds == sum(event["type"] == "NoMoreBetsCalled" for event in called)
    assert verdict.ledger.in_balance


def test_a_whole_shoe_is_clean_and_its_results_are_counted(path: Path) -> None:
    assert verified(path, log_of()) is None
    verdict = verify_log(path)
    winners = [
        event["winner"] or "tie"
        for line in read(log_of())[1:-1]
        for event in line["events"]
        if event["type"] == "ResultAnnounced"
    ]
    assert dict(verdict.results) == {name: winners.count(name) for name in set(winners)}


def test_a_result_that_a_misread_card_changes_is_counted_once(path: Path) -> None:
    rules = rules_of()
    with recorded(path, rules) as record:
        session = MINIBACCARAT.open(rules, 3, record=record)
        for cards in ("9h 8d Ks Kh", "9h 7d Ks Kh", "Kd 2h 6h 5s"):
            advance(session, Phase.BETTING)
            wager(session, (3, "player", 2_000))
            deal(session, cards)
            counted = verify_log(path).rounds_by_result
            was, actual = ("6h", "5h") if cards[0] == "K" else ("9h", "8h")
            place = 2 if was == "6h" else 1
            correct = acts.CorrectMisreadCard(
                Card.of(was), Card.of(actual), "Flo", Hand.PLAYER, place
            )
            session.execute(correct)
            if was == "9h":
                session.execute(acts.SettleWagers())
        # The last Player's Hand is due a third card now, and the shoe has none.
        session.execute(acts.FindShoeEmpty("Flo"))
        session.execute(acts.VoidRound())
    assert counted == {"player": 1, "banker": 1, "tie": 1, "no_result": 0}
    assert verify_log(path).rounds_by_result == {"player": 1, "banker": 0, "tie": 1, "no_result": 1}


def test_the_forger_of_these_tests_leaves_a_true_log_as_it_is() -> None:
    assert chained(bodies(log_of(2))) == log_of(2)
    assert forged(read(log_of(2))) == log_of(2)


# --- one byte ----------------------------------------------------------------------------------


@given(data=st.data())
@settings(max_examples=volume(200, 20, most=800), deadline=None, derandomize=True, database=None)
def test_one_changed_byte_is_caught_on_its_line(data: st.DataObject) -> None:
    log = log_of(2)
    lines = log.splitlines(keepends=True)
    at_line = data.draw(st.integers(0, len(lines) - 1), label="line")
    line = bytearray(lines[at_line])
    place = data.draw(st.integers(0, len(line) - 1), label="place")
    line[place] ^= data.draw(st.integers(1, 255), label="change")
    lines[at_line] = bytes(line)
    with TemporaryDirectory() as folder:
        assert caught_at(Path(folder) / "t", b"".join(lines)) == at_line + 1


ASSERTED: Final = {"at", "by", "key", "corrects"}
"""What an entry only asserts of its command."""

UNPROVEN: Final = {"version", "title", "shuffle", "stream"}
"""What a header only asserts: nothing that happens at the table follows from it."""


@given(data=st.data())
@settings(max_examples=volume(200, 20, most=800), deadline=None, derandomize=True, database=None)
def test_one_changed_byte_is_caught_though_all_is_sealed_again(data: st.DataObject) -> None:
    torn = bodies(log_of(2))
    at_line = data.draw(st.integers(0, len(torn) - 1), label="line")
    body = bytearray(torn[at_line])
    # The brace at the end is the seal's own.
    place = data.draw(st.integers(0, len(body) - 2), label="place")
    body[place] ^= data.draw(st.integers(1, 255), label="change")
    torn[at_line] = bytes(body)
    with TemporaryDirectory() as folder:
        found = caught_at(Path(folder) / "t", chained(torn, as_is=at_line))
    if at_line == 0 and found is None:
        header, true = from_json(torn[0]), from_json(bodies(log_of(2))[0])
        assert {name for name in true if header[name] != true[name]} <= UNPROVEN
    elif found != at_line + 1:
        # Who gave a command, and when, is asserted; only a time that goes back is found out, later.
        entry, true = from_json(torn[at_line]), from_json(bodies(log_of(2))[at_line])
        assert {name for name in true if entry[name] != true[name]} <= ASSERTED
        assert found in {None, at_line + 2}


# --- entries dropped, doubled, swapped ---------------------------------------------------------


def test_every_dropped_line_is_caught_where_it_stood(path: Path) -> None:
    lines = log_of(2).splitlines(keepends=True)
    for dropped in spread(range(1, len(lines) - 1), 20):
        found = verified(path, b"".join(lines[:dropped] + lines[dropped + 1 :]))
        assert found is not None
        assert (found.line, found.kind) == (dropped + 1, "sequence")


def test_every_doubled_line_is_caught_where_it_comes_again(path: Path) -> None:
    lines = log_of(2).splitlines(keepends=True)
    for doubled in spread(range(1, len(lines) - 1), 20):
        found = verified(path, b"".join(lines[: doubled + 1] + lines[doubled:]))
        assert found is not None
        assert (found.line, found.kind) == (doubled + 2, "sequence")


def test_every_two_lines_that_are_swapped_are_caught_at_the_first(path: Path) -> None:
    lines = log_of(2).splitlines(keepends=True)
    for first in spread(range(1, len(lines) - 2), 20):
        swapped = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
        found = verified(path, b"".join(swapped))
        assert found is not None
        assert (found.line, found.kind) == (first + 1, "sequence")


def test_a_dropped_entry_is_caught_by_its_number_though_the_chain_is_mended(path: Path) -> None:
    torn = bodies(log_of(2))
    for dropped in spread(range(1, len(torn) - 1), 20):
        found = verified(path, chained(torn[:dropped] + torn[dropped + 1 :]))
        assert found is not None
        assert (found.line, found.kind) == (dropped + 1, "sequence")


def test_a_last_line_that_counts_wrongly_is_caught(path: Path) -> None:
    torn = bodies(log_of(2))
    count = from_json(torn[-1])["entries"]
    torn[-1] = torn[-1].replace(b'"entries":%d' % count, b'"entries":%d' % (count + 1))
    found = verified(path, chained(torn))
    assert found is not None
    assert (found.line, found.kind) == (len(torn), "sequence")


def test_a_last_line_while_the_table_is_not_closed_is_caught(path: Path) -> None:
    torn = bodies(log_of(2))
    closed = where(read(log_of(2)), has("TableClosed"))
    for entries in spread(range(1, closed), 20):
        last = b'{"entries":%d,"prev":"%s"}' % (entries, b"0" * 64)
        found = verified(path, chained([*torn[: entries + 1], last]))
        assert found is not None
        assert (found.line, found.kind) == (entries + 2, "sequence")
        assert "the last line is written when it is closed" in found.message


def test_a_last_line_with_more_to_say_is_caught(path: Path) -> None:
    torn = bodies(log_of(2))
    torn[-1] = torn[-1][:-1] + b',"note":"all is well"}'
    found = verified(path, chained(torn))
    assert found is not None
    assert (found.line, found.kind) == (len(torn), "sequence")


# --- what was dealt, paid and marked -----------------------------------------------------------


def third_card(hand: str) -> Callable[[Line], bool]:
    """Find a third card that ends its round."""

    def found(line: Line) -> bool:
        return has("CardDealt", hand=hand, ordinal=3)(line) and has("ResultAnnounced")(line)

    return found


def other(card: str) -> str:
    """Return a card of another value, whose suit is the same."""
    return ("2" if card[0] != "2" else "3") + card[1]


def a_third_card_exchanged(lines: list[Line]) -> int:
    at_line = where(lines, third_card("banker"))
    dealt = event_of(lines[at_line], "CardDealt")
    lines[at_line]["command"]["card"] = dealt["card"] = other(dealt["card"])
    return at_line


def a_third_card_drawn_but_another_dealt(lines: list[Line]) -> int:
    at_line = where(lines, third_card("player"))
    lines[at_line]["command"]["card"] = other(lines[at_line]["command"]["card"])
    return at_line


def a_third_card_left_out(lines: list[Line]) -> int:
    at_line = where(lines, third_card("banker"))
    del lines[at_line]
    return at_line


def a_third_card_too_many(lines: list[Line]) -> int:
    at_line = where(lines, has("ResultAnnounced", cards=4))
    card = {"type": "CardDealt", "hand": "player", "ordinal": 3, "card": "5h", "face_up": True}
    event = card | {"source": "shoe", "clauses": ["NJ-MINI:7.8(c)#1"]}
    command = {"type": "DrawCard", "card": "5h"}
    lines.insert(at_line + 1, {"seq": 0, "prev": "0" * 64, "command": command, "events": [event]})
    return at_line + 1


def a_third_card_to_the_other_hand(lines: list[Line]) -> int:
    at_line = where(lines, third_card("player"))
    event_of(lines[at_line], "CardDealt")["hand"] = "banker"
    return at_line


def a_payment_too_high(lines: list[Line]) -> int:
    at_line = where(lines, has("WagerPaid", wager="player"))
    paid = next(e for e in lines[at_line]["events"] if e.get("wager") == "player" and "odds" in e)
    paid["cents"] += 500
    return at_line


def a_tie_paid_at_nine_to_one(lines: list[Line]) -> int:
    at_line = where(lines, has("WagerPaid", wager="tie"))
    paid = next(e for e in lines[at_line]["events"] if e.get("wager") == "tie" and "odds" in e)
    paid["cents"], paid["odds"] = paid["cents"] // 8 * 9, "9:1"
    return at_line


def a_loser_paid(lines: list[Line]) -> int:
    at_line = where(lines, has("LosingWagersCollected"))
    lost = event_of(lines[at_line], "LosingWagersCollected")["stakes"][0]
    paid = {"type": "WagerPaid", "seat": lost["seat"], "wager": lost["wager"], "line": "win"}
    paid |= {"odds": "1:1", "cents": lost["cents"], "clauses": ["NJ-MINI:7.3(a)"]}
    lines[at_line]["events"].append(paid)
    return at_line


def a_loser_left_lying(lines: list[Line]) -> int:
    at_line = where(lines, has("LosingWagersCollected"))
    event_of(lines[at_line], "LosingWagersCollected")["stakes"].pop()
    return at_line


def a_stake_kept(lines: list[Line]) -> int:
    at_line = where(lines, has("StakesReleased"))
    event_of(lines[at_line], "StakesReleased")["stakes"].pop(0)
    return at_line


def a_vigorish_mark_left_out(lines: list[Line]) -> int:
    at_line = where(lines, has("VigorishMarked"))
    events = lines[at_line]["events"]
    events.remove(event_of(lines[at_line], "VigorishMarked"))
    return at_line


def a_vigorish_rounded_down(lines: list[Line]) -> int:
    at_line = where(lines, has("VigorishMarked"))
    event_of(lines[at_line], "VigorishMarked")["cents"] -= 5
    return at_line


def a_count_not_announced(lines: list[Line]) -> int:
    at_line = where(lines, has("ResultAnnounced"))
    events = lines[at_line]["events"]
    events.remove(event_of(lines[at_line], "ResultAnnounced"))
    return at_line


def a_clause_that_is_another(lines: list[Line]) -> int:
    at_line = where(lines, has("ResultAnnounced"))
    event_of(lines[at_line], "ResultAnnounced")["clauses"] = ["NJ-MINI:7.6"]
    return at_line


def a_wager_after_no_more_bets(lines: list[Line]) -> int:
    at_line = where(lines, does("CallNoMoreBets"))
    command = {"type": "PlaceWager", "seat": 1, "wager": "tie", "cents": 500, "coupon_cents": 0}
    event = {name: value for name, value in command.items() if name != "type"}
    event = {"type": "WagerPlaced", **event, "clauses": ["NJ-MINI:7.2(c)#1"]}
    lines.insert(at_line + 1, {"seq": 0, "prev": "0" * 64, "command": command, "events": [event]})
    return at_line + 1


def no_call_of_no_more_bets(lines: list[Line]) -> int:
    at_line = where(lines, does("CallNoMoreBets"))
    del lines[at_line]
    return at_line


def a_burn_cut_short(lines: list[Line]) -> int:
    at_line = where(lines, has("CardBurned"))
    event_of(lines[at_line], "CardBurned")["to_burn"] -= 1
    return at_line


def a_cut_nine_cards_deep(lines: list[Line]) -> int:
    at_line = where(lines, has("StackCut"))
    lines[at_line]["command"]["position"] = event_of(lines[at_line], "StackCut")["position"] = 9
    return at_line


CASES: Final[list[tuple[Forgery, str, str, str]]] = [
    (a_third_card_exchanged, "event", "NJ-MINI:7.10(a)#1", "ResultAnnounced: banker_count is"),
    (a_third_card_drawn_but_another_dealt, "event", "NJ-MINI:7.8(c)#1", "CardDealt: card is"),
    (a_third_card_left_out, "refused", "", "SettleWagers is not allowed"),
    (a_third_card_too_many, "refused", "NJ-MINI:7.9(a)", "DrawCard is not allowed"),
    (a_third_card_to_the_other_hand, "event", "NJ-MINI:7.8(c)#1", "hand is 'banker' but should"),
    (a_payment_too_high, "event", "NJ-MINI:7.3(a)", "WagerPaid: cents is"),
    (a_tie_paid_at_nine_to_one, "event", "NJ-MINI:7.3(b)", "odds is '9:1' but should be '8:1'"),
    (a_loser_paid, "event", "", "WagerPaid is recorded but did not happen"),
    (a_loser_left_lying, "event", "NJ-MINI:7.10(b)#1", "LosingWagersCollected: stakes is"),
    (a_stake_kept, "event", "NJ-MINI:7.2(a)1.i", "StakesReleased: stakes is"),
    (a_vigorish_mark_left_out, "missing event", "NJ-MINI:7.3(c)2#3", "VigorishMarked should be"),
    (a_vigorish_rounded_down, "event", "NJ-MINI:7.3(c)2#3", "VigorishMarked: cents is"),
    (a_count_not_announced, "missing event", "NJ-MINI:7.10(a)#1", "ResultAnnounced should be"),
    (a_clause_that_is_another, "event", "NJ-MINI:7.10(a)#1", "ResultAnnounced: clauses is"),
    (a_wager_after_no_more_bets, "refused", "NJ-MINI:7.2(d)", "PlaceWager is not allowed"),
    (no_call_of_no_more_bets, "refused", "NJ-MINI:7.7(b)", "DrawCard is not allowed"),
    (a_burn_cut_short, "event", "NJ-MINI:7.5(f)#5", "CardBurned: to_burn is"),
    (a_cut_nine_cards_deep, "refused", "NJ-MINI:7.5(e)", "is not allowed"),
]


@pytest.mark.parametrize(
    ("forgery", "kind", "clause", "told"), CASES, ids=[case[0].__name__ for case in CASES]
)
def test_a_forgery_is_caught_with_line_kind_and_clause(
    path: Path, forgery: Forgery, kind: str, clause: str, told: str
) -> None:
    lines = read(log_of())
    at_line = forgery(lines)
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, kind)
    assert told in found.message
    assert (clause in found.clauses) if clause else (found.clauses == ())
    assert found.round == sum(map(does("CallNoMoreBets"), lines[1:at_line]))


@pytest.mark.clause("NJ-MINI:7.1(a)#1")
def test_a_ninth_nine_of_hearts_in_eight_decks_is_caught(path: Path) -> None:
    # The first card burned is a nine, so nine more follow it; the ninth nine is one too many.
    nine, rules = Card.of("9h"), rules_of()
    with recorded(path, rules, shuffle="by hand") as writer:
        session = TableSession(rules, record=writer, clock=SteppedClock())
        session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(1, "Pat"))
        session.execute(acts.ReceiveCards(8))
        session.execute(acts.InspectCards())
        session.execute(acts.VerifyCards("Flo"))
        advance(session, Phase.TO_BURN)
        for _ in range(8):
            session.execute(acts.DrawCard(nine))
    lines = read(path.read_bytes())
    event = lines[-1]["events"][0]
    assert event["to_burn"] == 2
    entry = {**lines[-1], "events": [event | {"to_burn": 1}]}
    lines += [entry, {"entries": 0, "prev": "0" * 64}]
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (len(lines) - 1, "refused")
    assert "9♥ has been drawn 8 times" in found.message


# --- the header --------------------------------------------------------------------------------


def test_elections_that_were_altered_are_caught_by_the_hash_of_the_rules(path: Path) -> None:
    lines = read(log_of(2))
    lines[0]["elections"]["settlement"]["order"] = "payments-first"
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind, found.found) == (
        1,
        "header",
        read(log_of(2))[0]["binding_sha256"],
    )


def test_limits_that_were_altered_are_caught_by_the_hash_of_the_rules(path: Path) -> None:
    lines = read(log_of(2))
    lines[0]["limits"]["player"]["max_cents"] *= 2
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (1, "header")


def test_elections_and_their_hash_altered_are_caught_by_what_was_paid(path: Path) -> None:
    lines = read(log_of())
    submission = read_submission(PLAIN)
    elections = {**submission.elections, "vigorish": {**submission.elections["vigorish"]}}
    elections["vigorish"]["scheme"] = "4%"
    rules = table_rules(replace(submission, elections=elections))
    hashes = {"binding_sha256": rules.sha256, "cited_sha256": rules.cited_sha256}
    lines[0] |= {"elections": elections} | hashes
    at_line = where(lines, has("VigorishMarked"))
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, "event")
    assert "VigorishMarked: cents is" in found.message
    assert "NJ-MINI:7.3(c)#2" in found.clauses or "NJ-MINI:7.3(c)2#3" in found.clauses


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"binding_sha256": "0" * 64}, "the header's elections do not give the rules"),
        ({"readings": {}}, "the header's readings"),
        ({"prev": "1" * 64}, "the header's prev"),
        ({"interpretations": {"T03": "ten"}}, "the header's elections do not give the rules"),
    ],
)
def test_a_header_that_was_altered_is_caught(
    path: Path, change: dict[str, object], told: str
) -> None:
    lines = read(log_of(2))
    lines[0] |= change
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (1, "header")
    assert told in found.message


def test_a_header_in_another_hand_is_caught(path: Path) -> None:
    torn = bodies(log_of(2))
    torn[0] = torn[0].replace(b'":', b'": ', 1)
    found = verified(path, chained(torn))
    assert found is not None
    assert (found.line, found.kind) == (1, "header")
    assert found.message == "the header is not in the canonical form"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "croupier-table-log/1"}, "which was never released"),
        ({"format": "croupier-table-log/3"}, "its format is 'croupier-table-log/3'"),
        ({"law": "us-xx/minibaccarat"}, "which is not included: name the folder"),
        ({"on": "1999-01-01"}, "the submission in the header is refused"),
        ({"on": "soon"}, "not a table log header"),
        ({"elections": {}}, "the submission in the header is refused"),
        ({"elections": []}, "not a table log header"),
        ({"layout": {"seats": 7.5}}, "table.seats"),
        ({"layout": {"seats": 10**9}}, "table.seats"),
        ({"layout": {"seat": 7}}, "table.seat"),
        ({"layout": {"numbering": "widdershins"}}, "table.numbering"),
        ({"limits": {"player": [0, 100]}}, "limits.player"),
        ({"limits": {"player": [-5, 100]}}, "limits.player"),
        ({"limits": {"player": [100]}}, "limits.player"),
        ({"limits": {"player": {"min_cents": 0, "max_cents": 100}}}, "limits.player"),
        ({"limits": {"player": {"min_cents": 100}}}, "limits.player"),
        ({"limits": {}}, "limits.player"),
        ({"interpretations": {"T99": "x"}}, "interpretations.T99"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_header_that_no_table_can_have_is_unreadable(
    path: Path, change: dict[str, object], told: str
) -> None:
    lines = read(log_of(2))
    lines[0] |= change
    path.write_bytes(forged(lines))
    with pytest.raises(LogError) as caught:
        verify_log(path)
    assert str(caught.value).startswith(f"{path}:1: ")
    assert told in str(caught.value)


# --- entries that are none ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"command": None},
        {"command": "DrawCard"},
        {"command": {"type": "DrawCard", "card": "14h"}},
        {"command": {"type": "DrawCards", "card": "9h"}},
        {"command": {"type": "BuyChips", "seat": 1, "cents": "1000"}},
        {"command": {"type": "BuyChips", "seat": 1, "cents": 1000, "note": ""}},
    ],
)
def test_a_command_that_is_none_is_caught(path: Path, change: dict[str, object]) -> None:
    lines = read(log_of(2))
    at = where(lines, has("ChipsBought"))
    lines[at] |= change
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (at + 1, "command")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"events": None}, "missing event"),
        ({"events": []}, "missing event"),
        ({"events": ["TableOpened"]}, "missing event"),
        ({"events": [None]}, "missing event"),
        ({"note": "all is well"}, "event"),
    ],
)
def test_events_that_are_none_are_caught(path: Path, change: dict[str, object], kind: str) -> None:
    lines = read(log_of(2))
    lines[5] |= change
    found = verified(path, forged(lines))
    assert found is not None
    assert (found.line, found.kind) == (6, kind)


@pytest.mark.parametrize(
    "body", [b"[1,2]}", b'"text"}', b"{{}", b"{}", b'{"seq":true}', b"\xff}", b"[" * 9999 + b"}"]
)
def test_a_sealed_line_that_is_no_entry_is_caught(path: Path, body: bytes) -> None:
    lines = log_of(2).splitlines(keepends=True)
    lines[5] = seal(body)[0]
    found = verified(path, b"".join(lines))
    assert found is not None
    assert found.line == 6
    assert found.kind in {"command", "sequence"}


# --- a log that cannot be read -----------------------------------------------------------------


def test_a_log_that_is_cut_off_anywhere_is_judged_as_far_as_it_goes(path: Path) -> None:
    lines = log_of(2).splitlines(keepends=True)
    for kept in spread(range(1, len(lines)), 20):
        whole = b"".join(lines[:kept])
        for rest in (b"", lines[kept][: len(lines[kept]) // 2], lines[kept][:-1]):
            path.write_bytes(whole + rest)
            verdict = verify_log(path)
            assert (verdict.is_clean, verdict.is_open) == (True, True)
            assert verdict.entries == kept - 1
            assert verdict.torn == (kept + 1 if rest else None)


def test_a_log_that_is_cut_off_in_its_header_is_none(path: Path) -> None:
    header = log_of(2).splitlines(keepends=True)[0]
    for kept in (1, len(header) // 2, len(header) - 1):
        path.write_bytes(header[:kept])
        with pytest.raises(LogError, match="truncated in its header"):
            verify_log(path)
    path.write_bytes(b"")
    with pytest.raises(LogError, match="the log is empty"):
        verify_log(path)


def test_a_log_with_its_last_line_is_closed(path: Path) -> None:
    path.write_bytes(log_of(2))
    assert verify_log(path).is_open is False


def test_a_line_after_the_last_is_told(path: Path) -> None:
    lines = log_of(2).splitlines(keepends=True)
    for more in (lines[-1], lines[1], b"\n", b"{}\n"):
        path.write_bytes(log_of(2) + more)
        with pytest.raises(
            LogError, match=rf":{len(lines) + 1}: there are lines after the one that closes"
        ):
            verify_log(path)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"\x00" * 1000 + b"\n",
        bytes(range(256)) * 40 + b"\n",
        b"no log\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"[" * 100_000 + b"\n",
        b'{"format":"croupier-table-log/1"}\n',
        PLAIN.read_bytes(),
    ],
    ids=lambda raw: repr(raw[:12]),
)
def test_what_is_no_log_is_unreadable(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)
    with pytest.raises(LogError, match=r"not a table log header|the log is empty|its format is"):
        verify_log(path)


def test_a_log_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="No such file"):
        verify_log(tmp_path / "nowhere.jsonl")
    with pytest.raises(LogError, match="Is a directory"):
        verify_log(tmp_path)
