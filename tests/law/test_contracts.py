"""No rule of a law is ignored: what the program does not implement is refused when it is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from croupier.baccarat.coup import POINT_VALUE
from croupier.baccarat.wagers import WAGERS
from croupier.law.contracts import Contract, contracts
from croupier.law.coverage import listed_functions
from croupier.law.elect import resolve_elections
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.load import load_instrument
from croupier.law.resolve import instruments, rule_titles
from croupier.law.values import Kind, parse_value
from croupier.rules import default_submission
from support import contracts_document
from support.command_line import croupier
from support.law_mutants import Tables, alone, outcome, reworded, tables_of, without, written
from support.project import ROOT
from support.sources import modules
from support.volume import spread, volume

LAWS: Final = ROOT / "src/croupier/law/instruments"
UNTITLED: Final = Contract(Kind.FLAG)
NJ: Final = LAWS / "us-nj/minibaccarat@2011-02-22.toml"

LEFT_OUT: Final = spread(((law.key, rule_id) for law in instruments() for rule_id in law.rules), 90)


@pytest.mark.parametrize(("key", "rule_id"), LEFT_OUT)
def test_without_a_rule_a_law_is_refused_or_played(
    key: str, rule_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = without(tables_of(LAWS / f"{key}.toml"), rule_id)
    # An exception that is no refusal fails the test.
    outcome(tmp_path, law, rule_id, volume(10, 6, most=40), monkeypatch)


@pytest.mark.parametrize("key", [law.key for law in instruments()])
def test_with_another_word_a_law_is_refused_or_played(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = spread(reworded(tables_of(LAWS / f"{key}.toml")), 60)
    for rule_id, _, law in changed:
        outcome(tmp_path, law, rule_id, volume(5, 4, most=12), monkeypatch)


# --- what is accepted and then ignored ---------------------------------------------------------


def faults_of(folder: Path, text: str) -> list[str]:
    """Return the faults of a law file, each as its line and reason."""
    path = folder / "law.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LawError) as refused:
        load_instrument(path)
    return [line.removeprefix(f"{path}:") for line in str(refused.value).splitlines()]


def nj(*changes: tuple[str, str], added: str = "") -> str:
    """Return the text of New Jersey with passages changed, and something added."""
    text = NJ.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text + added


def rule_of(rule_id: str, *lines: str) -> str:
    return "\n".join(
        (
            "",
            "[[rule]]",
            f'id = "{rule_id}"',
            'title = "T"',
            'cites = ["NJ-MINI:7.3(b)"]',
            *lines,
            "",
        )
    )


@pytest.mark.parametrize(
    ("rule_id", "lines", "hint"),
    [
        # A clause without a function.
        ("wagers.exclusive", ['kind = "procedure"'], "known: wagers."),
        ("limits.per_area", ['kind = "money"', 'value = "5000"'], "no rule of that id"),
        ("device.fails", ['kind = "procedure"'], "known: device."),
        # A commission under another name.
        ("vigorish.levy", ['kind = "rate"', 'value = "5%"'], "known: vigorish."),
        ("vigorish.sceme", ['kind = "word"', 'value = "5%"'], "did you mean vigorish.scheme?"),
        ("wagers.tie.pay", ['kind = "odds"', 'value = "8:1"'], "did you mean wagers.tie.pays"),
        ("third.plyer", ['kind = "count"', "value = 1"], "did you mean third.player?"),
    ],
)
def test_a_rule_that_nothing_implements_is_refused(
    rule_id: str, lines: list[str], hint: str, tmp_path: Path
) -> None:
    text = nj(added=rule_of(rule_id, *lines))
    (fault,) = faults_of(tmp_path, text)
    line = text.splitlines().index(f'id = "{rule_id}"') + 1
    assert fault.startswith(f"{line}:1: {rule_id}: the program implements no rule of that id")
    assert hint in fault


def test_a_rule_outside_the_families_counts_where_a_condition_names_it(tmp_path: Path) -> None:
    variant = rule_of("salon.private", 'kind = "flag"', "default = false")
    tied = (
        '\n[[constraint]]\nid = "salon.decks"\nkind = "requires"\nsays = "eight decks in a salon"\n'
        'cites = ["NJ-MINI:7.3(b)"]\nwhen = { "salon.private" = true }\nat_least = { decks = 8 }\n'
    )
    path = tmp_path / "law.toml"
    path.write_text(nj(added=variant + tied), encoding="utf-8")
    assert "salon.private" in load_instrument(path).rules
    (fault,) = faults_of(tmp_path, nj(added=variant))
    assert "salon.private: the program implements no rule of that id" in fault


def test_a_misspelled_id_is_one_fault_and_not_also_a_missing_rule(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, nj(('id = "burn.exposure"', 'id = "burn.exposur"')))
    assert fault.endswith("did you mean burn.exposure?")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('value = "all"', 'value = "face-down"', "burn.exposure: 'face-down' is not implemented: one of all, first"),
        ('value = "highest-seat"', 'value = "lowest-seat"', "cut.offer_from: 'lowest-seat' is not implemented: one of highest-seat, last-curator"),
        ('value = "dealt"', 'value = "deal"', "cut.recut_until: 'deal' is not implemented: one of dealt, loaded; did you mean dealt?"),
        ('value = "turn-up"', 'value = "turnup"', "idle.on_arrival: 'turnup' is not implemented: one of on-request, turn-up; did you mean turn-up?"),
        ('value = "discard-by-value"', 'value = "burned"', "irregularity.face_up: 'burned' is not implemented: one of discard, discard-by-value, discard-one, in-play, simulated-round"),
        ('choices = ["discard-by-value", "discard-one"', 'choices = ["discard-by-value", "burned"', "irregularity.disclosed_card: 'burned' is not implemented"),
        ('"match play coupon"', '"promotional voucher"', "wagers.tender: 'promotional voucher' is not implemented"),
        ('value = "5%"', 'value = "6%"', "vigorish.5_percent: '6%' is not implemented: 5%"),
    ],
)  # fmt: skip
def test_a_word_that_no_branch_names_is_refused(
    before: str, after: str, reason: str, tmp_path: Path
) -> None:
    assert any(reason in one for one in faults_of(tmp_path, nj((before, after))))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("at_least = 14\n", "value = 14\n", "cut.cutting_card_from_back: must be written as 'at_least'"),
        ('by = "dealer"', 'by = "licensee"', "cut.cutting_card_from_back: 'by' must be 'dealer', not 'licensee'"),
        ('value = "Tie Hand"', 'value = "Tie Hand"\napplies_when = { "vigorish.scheme" = "6%" }', "announce.tie: vigorish.scheme is never 6%; it is 5%, or 4%"),
        ('default = "lace"', 'default = "laced"', "shuffle.finish: 'default' is never laced; it is feather, or lace; did you mean lace?"),
        ('5 = "D"', '5 = "X"', "third.player: row 5 must match [DS], not 'X'"),
    ],
)  # fmt: skip
def test_a_rule_that_is_written_otherwise_than_its_contract_is_refused(
    before: str, after: str, reason: str, tmp_path: Path
) -> None:
    assert any(reason in one for one in faults_of(tmp_path, nj((before, after))))


@pytest.mark.parametrize(
    ("rule_id", "value"),
    [
        ("cutting_cards", "3"),
        ("third.most", "2"),
        ("vigorish.on_bonus", "true"),
        ("forms.signatures", '["dealer"]'),
        ("device.batches", "3"),
        ("cards.values", "{ A = 11 }"),
    ],
)
def test_a_value_that_changes_nothing_at_the_table_is_refused(
    rule_id: str, value: str, tmp_path: Path
) -> None:
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == rule_id)
    text = written({**tables, "rule": [one for one in tables["rule"] if one is not rule]})
    lines = [f'kind = "{rule["kind"]}"', f"value = {value}"]
    assert any(
        f"{rule_id}: " in one and "implement" in one
        for one in faults_of(tmp_path, text + rule_of(rule_id, *lines))
    )


@pytest.mark.parametrize(
    ("rule_id", "meant"),
    [
        ("vigorish.5_percent", "5%"),
        ("vigorish.tie_rate", "tie-25%"),
        ("vigorish.waiver", "total-cards"),
        ("wagers.banker.pays_on_six", "six-pays-half"),
    ],
)
@pytest.mark.parametrize("applies_when", [None, {"vigorish.scheme": ["4%"]}])
def test_a_rate_of_one_scheme_does_not_apply_under_another(
    rule_id: str, meant: str, applies_when: dict[str, list[str]] | None, tmp_path: Path
) -> None:
    # Else a licensee who elects 4% is charged 5%, because the file has both rates.
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == rule_id)
    del rule["applies_when"]
    if applies_when:
        rule["applies_when"] = applies_when
    (fault,) = faults_of(tmp_path, written(tables))
    assert f"{rule_id}: is for vigorish.scheme = {meant} alone, and applies under " in fault
    assert "4%" in fault
    assert fault.endswith(f": {'correct' if applies_when else 'state'} applies_when")


@pytest.mark.parametrize("applies_when", [None, {"vigorish.scheme": ["5%", "total-cards"]}])
def test_vigorish_is_not_rounded_where_the_licensee_elects_that_it_is_not(
    applies_when: dict[str, list[str]] | None, tmp_path: Path
) -> None:
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == "vigorish.5_percent.rounds_to")
    del rule["applies_when"]
    if applies_when:
        rule["applies_when"] = applies_when
    (fault,) = faults_of(tmp_path, written(tables))
    assert fault.endswith(
        "vigorish.5_percent.rounds_to: is for vigorish.rounded = true alone, and applies under"
        f" false: {'correct' if applies_when else 'state'} applies_when"
    )


@pytest.mark.parametrize(
    ("rule_id", "where"),
    [
        ("burn.count", "device = continuous"),
        ("cut.execute", "device = continuous"),
        ("cut.offer", "device = continuous"),
        ("deal.banker_first", "deal.option = face-up"),
    ],
)
def test_a_rule_does_not_apply_where_no_table_carries_it_out(
    rule_id: str, where: str, tmp_path: Path
) -> None:
    # A continuous device has no shoe to burn from, and no hand that lies face up is turned:
    # the clause would be ignored, with PASS.
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == rule_id)
    del rule["applies_when"]
    (fault,) = faults_of(tmp_path, written(tables))
    assert f"{rule_id}: is not carried out with {where}" in fault
    assert fault.endswith("and applies there: state applies_when")


def test_a_fixed_number_of_burned_cards_stands_in_for_the_count(tmp_path: Path) -> None:
    tables = tables_of(NJ)
    cites = tables["clause"][0]["id"]
    (count,) = (one for one in tables["rule"] if one["id"] == "burn.count")
    fixed = {"id": "burn.fixed", "kind": "count", "title": "t", "cites": [cites], "value": 3}
    tables["rule"].append({**fixed, "applies_when": count["applies_when"]})
    (fault,) = faults_of(tmp_path, written(tables))
    assert "burn.count: is not carried out with burn.fixed, and applies there: leave it" in fault
    count |= {"id": "burn.fixed", "kind": "count", "value": 3, "cites": [cites]}
    del count["does"]
    count.pop("cites_by", None)
    del tables["rule"][-1]
    assert not any("burn.count" in fault for fault in faults_of(tmp_path, written(tables)))


def _burning(applies_when: dict[str, object], **constraint: object) -> Tables:
    """Return New Jersey with a fixed burn at some tables, in place of that by value."""
    tables = tables_of(NJ)
    (count,) = (one for one in tables["rule"] if one["id"] == "burn.count")
    cites = [*count["cites"], *(one for part in count["cites_by"].values() for one in part)]
    at = tables["rule"].index(count)
    tables["rule"][at] = {
        "id": "burn.fixed", "kind": "count", "title": "t", "cites": cites, "value": 3,
        "applies_when": applies_when,
    }  # fmt: skip
    if constraint:
        tied = {"id": "device.equal_batches", "kind": "excludes", "says": "s", "cites": cites}
        tables["constraint"] = [one for one in tables["constraint"] if one["id"] != tied["id"]]
        tables["constraint"].append({**tied, **constraint})
    return tables


@pytest.mark.parametrize(
    ("applies_when", "where"),
    [
        ({"device": "shuffler"}, "device = none"),
        ({"device": "none"}, "device = shuffler"),
    ],
)
def test_a_rule_that_only_some_tables_lack_is_missing(
    applies_when: dict[str, object], where: str, tmp_path: Path
) -> None:
    # It was first noticed by the licensee whose table had no rule for its burn.
    faults = faults_of(tmp_path, written(_burning(applies_when)))
    assert [one.partition(" burn.count: ")[2] for one in faults] == [
        f"is missing: every table needs it where {where}"
    ]


def test_tables_that_burn_nothing_or_cannot_be_need_no_rule(tmp_path: Path) -> None:
    everywhere = _burning({"device": ["none", "shuffler"]})  # A continuous device has no burn.
    never = _burning(
        {"device": "shuffler"},
        when={"device": "none"},
        then={"deal.option": ["face-up", "face-down", "hand-over"]},
    )
    for number, tables in enumerate((everywhere, never)):
        path = tmp_path / f"{number}.toml"
        path.write_text(written(tables), encoding="utf-8")
        assert "burn.fixed" in load_instrument(path).rules


@pytest.mark.parametrize(
    ("rule_id", "applies_when", "fault"),
    [
        ("deal.face_up", {"deal.option": "face-down"}, "deal.option = face-up needs it"),
        ("cut.offer", {"device": "shuffler"}, "every table needs it where device = none"),
        ("vigorish.collection", {"vigorish.scheme": "5%"}, "vigorish.scheme = 4% needs it"),
        ("announce.tie", {"device": "none"}, "every table needs it where device = shuffler"),
    ],
)
def test_a_rule_applies_wherever_a_table_needs_it(
    rule_id: str, applies_when: dict[str, str], fault: str, tmp_path: Path
) -> None:
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == rule_id)
    rule["applies_when"] = applies_when
    faults = faults_of(tmp_path, written(tables))
    expected = f" {rule_id}: does not apply, so correct applies_when: {fault}"
    assert any(one.endswith(expected) for one in faults), faults


def test_an_open_order_has_only_words_that_the_program_implements(tmp_path: Path) -> None:
    tables = tables_of(NJ)
    (tender,) = (one for one in tables["rule"] if one["id"] == "wagers.tender")
    del tender["value"]
    tender["default"] = ["chips", "gold"]
    (fault,) = faults_of(tmp_path, written(tables))
    assert "wagers.tender: 'gold' is not implemented: one of chips, plaques" in fault


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("\nace = [", "\naces = [", "burn.count: cites_by names no part of the rule: 'aces'; did you mean ace?"),
        ("dealer = [", "deler = [", "cut.offer: cites_by names no part of the rule: 'deler'; did you mean dealer?"),
        ('value = "all"\n', 'value = "all"\ncites_by = { first = ["NJ-MINI:7.5(f)#6"] }\n', "burn.exposure: cites_by names no part of the rule: 'first'; known: all"),
        ('cites = ["NJ-MINI:7.1(a)#1"]\n', 'cites = ["NJ-MINI:7.1(a)#1"]\ncites_by = { six = ["NJ-MINI:7.1(a)#1"] }\n', "cites_by names no part of the rule: 'six'; it has none"),
        ('beside = "punto-banco"', 'beside = "punto-banko"', "no law is of the game 'punto-banko'; did you mean punto-banco?"),
        ('beside = "punto-banco"', 'beside = "roulette"', "no law is of the game 'roulette'; known: baccarat, "),
        ('default = "5%"', 'default = "101%"', "'default': '101%' is above the maximum rate of 100%"),
        ('value = "5%"', 'value = "6/5"', "vigorish.5_percent: '6/5' is above the maximum rate of 100%"),
    ],
)  # fmt: skip
def test_what_nothing_reads_is_refused(
    before: str, after: str, reason: str, tmp_path: Path
) -> None:
    assert any(reason in one for one in faults_of(tmp_path, nj((before, after))))


def test_a_law_may_have_something_alike_beside_a_game_of_another_file(tmp_path: Path) -> None:
    text = nj(('beside = "punto-banco"', 'beside = "chemin-de-fer"'))
    other = '[instrument]\nid = "xx/chemin-de-fer"\nin_force_from = 2020-01-01\n'
    (tmp_path / "other.toml").write_text(other, encoding="utf-8")
    (tmp_path / "law.toml").write_text(text, encoding="utf-8")
    assert load_instrument(tmp_path / "law.toml").rules


GAME = (
    'id = "table.game"\nkind = "word"\nby = "licensee"\nchoices = ["ez", "plain"]\ntitle = "Game"\n'
)


def _on_condition_of_a_game(tables: dict[str, list[dict[str, object]]]) -> None:
    (rule,) = (one for one in tables["rule"] if one["id"] == "wagers.banker.on_dragon_7")
    game = {"id": "table.game", "kind": "word", "by": "licensee", "choices": ["ez", "plain"],
            "title": "The game", "cites": rule["cites"]}  # fmt: skip
    tables["rule"].insert(tables["rule"].index(rule), game)
    rule["applies_when"] = {"table.game": "ez"}
    tables["constraint"].append(
        {"id": "scheme.game", "kind": "requires", "says": "no other game has it", "cites": rule["cites"],
         "when": {"vigorish.scheme": "dragon-7"}, "then": {"table.game": ["ez"]}}
    )  # fmt: skip


def test_a_rule_may_depend_on_another_that_depends_on_the_scheme(tmp_path: Path) -> None:
    """Vigorish on a Tie is collected while there is a rate of it, which one scheme has."""
    tables = tables_of(NJ)
    (rule,) = (one for one in tables["rule"] if one["id"] == "vigorish.tie_collection")
    rule["applies_when"] = {"vigorish.tie_rate": "25%"}
    path = tmp_path / "law.toml"
    path.write_text(written(tables), encoding="utf-8")
    law = load_instrument(path)
    four = law.rules["vigorish.4_percent"]
    when_collected = replace(four, applies_when=law.rules["vigorish.tie_collection"].applies_when)
    law = replace(law, rules={**law.rules, four.id: when_collected})
    day = date(2011, 2, 22)
    elected = {
        scheme: resolve_elections(
            law, default_submission("us-nj/minibaccarat", day, vigorish__scheme=scheme).elections
        )
        for scheme in ("5%", "tie-25%")
    }
    assert four.id in elected["tie-25%"]
    assert four.id not in elected["5%"]


@pytest.mark.parametrize(
    ("kind", "then", "elsewhere"),
    [
        ("requires", ["dragon-7"], ""),
        ("requires", ["dragon-7", "5%"], "5%"),
        ("excludes", ["5%", "4%", "tie-25%", "six-pays-half", "total-cards"], ""),
        ("excludes", ["4%"], "5%, tie-25%, six-pays-half, total-cards"),
    ],
)
def test_a_rule_may_depend_on_a_choice_that_is_tied_to_the_scheme(
    kind: str, then: list[str], elsewhere: str, tmp_path: Path
) -> None:
    tables = tables_of(NJ)
    _on_condition_of_a_game(tables)
    cites = tables["constraint"][0]["cites"]
    tables["constraint"].append(
        {"id": "game.scheme", "kind": kind, "says": "EZ has no vigorish", "cites": cites,
         "when": {"table.game": "ez"}, "then": {"vigorish.scheme": then}}
    )  # fmt: skip
    text = written(tables)
    if elsewhere:
        (fault,) = faults_of(tmp_path, text)
        assert f"applies under {elsewhere}: correct" in fault
    else:
        path = tmp_path / "law.toml"
        path.write_text(text, encoding="utf-8")
        assert load_instrument(path).rules["table.game"].choices


def test_a_reading_that_the_register_has_for_other_texts_only_must_be_answered(
    tmp_path: Path,
) -> None:
    faults = faults_of(tmp_path, nj(('id = "us-nj/minibaccarat"', 'id = "us-pa/minibaccarat"')))
    assert any(
        "face_up_ten.discards: is not answered: irregularity.face_up = discard-by-value" in one
        for one in faults
    )


def test_a_command_reports_the_faults_of_a_law_and_exits_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = nj(('id = "burn.exposure"', 'id = "burn.exposur"'))
    for arguments in (("law", "list"), ("law", "diff", "us-nj/minibaccarat", "us-nj/minibaccarat")):
        with alone(tmp_path, text, monkeypatch):
            result = croupier(*arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"croupier: {tmp_path / 'law.toml'}:")
        assert "did you mean burn.exposure?" in result.stderr


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    text = nj(
        ('value = "all"', 'value = "most"'),
        ('value = "turn-up"', 'value = "turned"'),
        added=rule_of("wagers.exclusive", 'kind = "procedure"'),
    )
    assert len(faults_of(tmp_path, text)) == 3


# --- the contracts themselves ------------------------------------------------------------------


def test_every_procedure_of_the_contracts_has_a_function() -> None:
    carried = listed_functions()
    for rule_id, contract in contracts().rules.items():
        if contract.kind is Kind.PROCEDURE:
            assert carried.get(rule_id), rule_id


def test_every_rule_has_a_title() -> None:
    titles = rule_titles()
    assert all(titles[rule_id] for rule_id in contracts().rules)
    for law in instruments():
        assert not [
            rule_id for rule_id in law.rules if contracts().rules.get(rule_id, UNTITLED).title
        ]


def test_the_values_of_cards_are_those_of_the_game() -> None:
    held = {rank.value: value for rank, value in POINT_VALUE.items()}
    assert contracts().rules["cards.values"].only == held


def test_the_page_of_rule_ids_is_made_of_the_contracts() -> None:
    assert contracts_document.DOCUMENT.read_text(encoding="utf-8") == contracts_document.document()


def test_every_condition_names_a_rule_and_one_of_its_words() -> None:
    known = contracts().rules
    asked = contracts().readings
    for parts in (
        *((*contract.when, *contract.unless) for contract in known.values()),
        *(one.when for one in asked.values()),
    ):
        for part in parts:
            for one in part.split(" & "):
                rule_id, _, word = one.partition(" = ")
                assert rule_id in known, one
                if known[rule_id].kind is Kind.COUNT and word:
                    assert word.isdecimal(), one
                elif word not in {"", "true"}:
                    assert parse_value(known[rule_id].kind, word) in known[rule_id].allowed, one
    assert asked.keys() <= reading_ids(interpretations()).keys()


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a method of ``TableRules`` whose first argument is a rule id."""
    for module in modules():
        for node in module.nodes if f".{name}(" in module.text else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == name
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield str(module), node


def test_code_asks_only_for_words_of_the_contract() -> None:
    asked = [
        (node.args[0].value, one.value)
        for _, node in calls("elected")
        for one in (*node.args[1:], *(given.value for given in node.keywords))
        if isinstance(node.args[0], ast.Constant)
        and isinstance(one, ast.Constant)
        and isinstance(one.value, str)
    ]
    assert len(asked) > 30
    for rule_id, word in asked:
        assert word in contracts().rules[str(rule_id)].words, rule_id


def test_code_asks_only_for_clauses_of_parts_of_the_contract() -> None:
    asked = {
        (str(node.args[0].value), str(word.value))
        for _, node in calls("cites_for")
        for choice in node.args[1:]
        for word in (*getattr(choice, "__dict__", {}).values(), choice)
        if isinstance(node.args[0], ast.Constant) and isinstance(word, ast.Constant)
    }
    asked |= {(wager.offered_by, line) for wager in WAGERS.values() for line in wager.lines}
    asked |= {(wager.offered_by, ground) for wager in WAGERS.values() for ground in wager.grounds}
    assert len(asked) > 80
    for rule_id, part in asked:
        contract = contracts().rules[rule_id]
        known = {
            *contract.parts,
            *contract.allowed,
            *(contracts().wagers if contract.wagers else ()),
        }
        assert part in known, rule_id


def test_what_is_done_by_a_word_is_named_for_every_word_of_the_contract() -> None:
    named = [
        (node.args[0].value, {ast.literal_eval(key) for key in ways.keys if key is not None})
        for _, node in calls("by_word")
        for ways in node.args[1:]
        if isinstance(node.args[0], ast.Constant) and isinstance(ways, ast.Dict)
    ]
    assert len(named) > 5
    for rule_id, words in named:
        assert words == set(contracts().rules[str(rule_id)].words), rule_id


def test_the_wagers_that_a_rule_may_name_are_those_of_the_catalog() -> None:
    assert contracts().wagers == tuple(sorted(WAGERS))
