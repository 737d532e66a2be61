"""`croupier new`: a commented submission of every regulation that the check accepts as it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.cli import main
from croupier.cli.common.terminal import global_options
from croupier.cli.submission.new import new as command
from croupier.cli.submission.rules import OPTIONS_OF_NEW, option_names
from croupier.law.elect import flatten
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, resolve
from croupier.law.values import Kind
from croupier.rules import SubmissionDraft, draft_rules, submission_of, table_rules, template
from support.random_submissions import STAX, Tables, legal
from support.texts import dated

MINI: Final = dated("us-nj/minibaccarat")

drawn = partial(
    settings, max_examples=15, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip

with_elections = pytest.mark.parametrize(
    "law", [text for text in instruments() if text.elections], ids=lambda law: law.key
)


def new(*words: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["new", *words], input=answers)


def tables_of(result: Result) -> Tables:
    assert result.exit_code == 0, result.stderr
    return tomllib.loads(result.stdout)


# --- every regulation ------------------------------------------------------------------------------


@with_elections
def test_the_file_of_every_regulation_is_accepted_as_it_is(law: Instrument, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    assert new(law.key, "-o", str(path)).exit_code == 0
    checked = CliRunner().invoke(main, ["check", str(path)])
    assert (checked.exit_code, checked.stderr) == (0, "")
    text = path.read_text(encoding="utf-8")
    for rule in law.elections:
        assert re.search(rf'^#?"?{re.escape(rule.id)}"? = ', text, re.MULTILINE), rule.id
        assert rule.title in " ".join(line.removeprefix("# ") for line in text.splitlines())
        for choice in rule.choices:
            shown = choice if isinstance(choice, int) else f'"{rule.written(choice)}"'
            assert f"{rule.id} = {str(shown).lower()}" in text.replace('"' + rule.id, rule.id)


@with_elections
def test_whatever_may_be_chosen_together_is_found_from_a_part_of_it(law: Instrument) -> None:
    @drawn()
    @given(legal(law), st.randoms(use_true_random=False))
    def holds(tables: Tables, chance: Any) -> None:
        elections = flatten(tables["elections"], law.rules)
        chosen = {name: one for name, one in elections.items() if chance.random() < 0.4}
        if f"{STAX}.must_hit_by" in chosen or f"{STAX}.seed" in chosen:
            # What must be hit lies above the seed: no default can know how far.
            ends = (f"{STAX}.must_hit_by", f"{STAX}.seed")
            chosen |= {name: elections[name] for name in ends}
        words = [*options(law, chosen)]
        words += [f"--reading={name}={one}" for name, one in tables["interpretations"].items()]
        if any("royal_9" in name for name in chosen):
            words += ["--seats", str(tables["table"]["seats"])]
        made = tables_of(new(law.key, *words))
        given_now = flatten(made["elections"], law.rules)
        assert {name: given_now[name] for name in chosen} == chosen
        table_rules(submission_of(made))

    holds()


def options(law: Instrument, chosen: dict[str, Any]) -> Iterator[str]:
    """Yield the options that elect some choices."""
    names = option_names(law)
    for name, choice in chosen.items():
        option = names[name][0]
        if law.rules[name].kind is Kind.FLAG:
            yield option if choice else f"--no-{option.removeprefix('--')}"
        elif isinstance(choice, dict):
            inside = ", ".join(f'{line} = "{odds}"' for line, odds in choice.items())
            yield from (option, f"{{ {inside} }}")
        else:
            yield from (
                option,
                str(choice).replace("'", '"') if isinstance(choice, list) else str(choice),
            )


@with_elections
def test_choosing_among_the_commented_lines_is_enough(law: Instrument) -> None:
    plain = template(draft_rules(SubmissionDraft(law, {}, {}, {})))

    @drawn()
    @given(legal(law))
    def holds(tables: Tables) -> None:
        wanted = table_rules(submission_of(tables))
        # The lines of readings are those of elections, in another table.
        elections = {**flatten(tables["elections"], law.rules), **tables["interpretations"]}
        limits = {
            # Odds that are filled in may ask for another unit than the line has.
            name: None if 500 % wanted.offers[name].unit_cents == 0 else tables["limits"][name]
            for name in wanted.submission.limits or {}
        }
        text = "\n".join(edited(plain, elections, limits))
        text = re.sub(
            "^seats = .*$", f"seats = {tables['table']['seats']}", text, flags=re.MULTILINE
        )
        made = table_rules(submission_of(tomllib.loads(text)))
        assert made.settled == wanted.settled
        assert set(made.offers) == set(wanted.offers)

    holds()


def edited(text: str, elections: dict[str, Any], limits: dict[str, Any]) -> Iterator[str]:
    """Yield a template in which lines are turned on and off, or filled in where a value is open."""
    pending = dict(elections)
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        match = re.match(r'#?(?P<line>"?(?P<key>[\w.]+?)"? = .*)', line)
        if match is None or section in {"", "[submission]", "[table]"}:
            yield line
            continue
        key, bare = match["key"], match["line"]
        if section == "[limits]" and key not in limits:
            yield f"#{bare}"
            continue
        if section == "[limits]":
            filled = limits.get(key)
            yield bare if filled is None else written(bare, filled)
            continue
        value = flatten(tomllib.loads(bare), {}) if "{" not in bare else {}
        if key in pending and value.get(key) == pending[key]:
            del pending[key]
            yield bare
        elif (
            key in pending
            and not isinstance(pending[key], bool)
            and value
            and is_open(key, pending[key], text)
        ):
            yield written(bare, pending.pop(key))
        else:
            yield f"#{bare}"
    assert not pending, f"no line offers {pending}"


def is_open(key: str, choice: Any, text: str) -> bool:
    """Tell whether no line of the template has a choice: one that is filled in."""
    shown = f'"{choice}"' if isinstance(choice, str) else str(choice)
    return not re.search(
        rf'^#?"?{re.escape(key)}"? = {re.escape(shown)}(  #.*)?$', text, re.MULTILINE
    )


def written(line: str, choice: Any) -> str:
    key = line.partition(" = ")[0]
    if isinstance(choice, dict):
        return (
            f"{key} = {{ " + ", ".join(f'{one} = "{odds}"' for one, odds in choice.items()) + " }"
        )
    if isinstance(choice, list):
        return f"{key} = {choice}".replace("'", '"')
    return f'{key} = "{choice}"' if isinstance(choice, str) else f"{key} = {choice}"


# --- options ---------------------------------------------------------------------------------------


def test_the_options_are_named_after_the_elections() -> None:
    names = option_names(resolve("us-nj/minibaccarat", on="latest"))
    assert names["vigorish.scheme"] == ("--vigorish", "--vigorish-scheme")
    assert names["wagers.bonus.offered"] == ("--bonus", "--bonus-offered")
    assert names["wagers.bonus.paytable"] == ("--bonus-paytable",)
    assert names["decks"] == ("--decks",)
    listed = new(MINI, "--help").stdout
    assert "--vigorish, --vigorish-scheme" in listed
    assert "What a winning Tie wager is paid" in listed


def test_no_election_takes_the_name_of_an_option_of_the_command() -> None:
    # What every command has is added to it when it is called.
    params = [*command.params, *global_options(is_hidden=True)]
    own = {name for one in params for name in one.opts if name.startswith("--")}
    assert {f"--{name}" for name in OPTIONS_OF_NEW} == own | {"--help"}


def test_a_choice_brings_what_it_requires_and_a_default_gives_way() -> None:
    with_table = tables_of(new(MINI, "--bonus-paytable", "C"))["elections"]
    assert with_table["wagers"]["bonus"] == {"offered": True, "needs_base": True, "paytable": "C"}
    shuffled = tables_of(new(MINI, "--device", "shuffler"))["elections"]
    assert shuffled["decks"] == 12
    free = tables_of(new(MINI, "--vigorish", "total-cards"))["elections"]
    assert free["wagers"]["total_cards"]["offered"] is True


def test_limits_readings_and_the_table_are_options_too() -> None:
    made = tables_of(
        new(
            MINI, "--limit", "tie=2.50,100", "--reading", "simulated_round.hand=counts",
            "--seats", "9", "--pit", "4", "--table", "MB-9", "--title", "Nine",
        )
    )  # fmt: skip
    assert made["limits"]["tie"] == ["2.50", 100]
    assert made["interpretations"] == {"T20": "counts"}
    assert made["table"] == {
        "seats": 9,
        "numbering": "counterclockwise",
        "pit": "4",
        "table": "MB-9",
    }
    assert made["submission"]["title"] == "Nine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--vigorish", "6%"], "6% is not allowed"),
        (["--dragon-7", "--bonus"], "[NJ-MINI:7.2(a)6.iii]"),
        (["--tie", "7:1"], "7:1 is below the minimum of 8:1 [NJ-MINI:7.3(b)]"),
        (["--decks", "8", "--device", "shuffler"], "[NJ-MINI:7.1(d)]"),
        (["--limit", "dragon_7=5,500"], "does not offer that wager"),
        (["--limit", "tie=5"], "write WAGER=MIN,MAX"),
        (["--reading", "T99=none"], "write ENTRY=NAME"),
        (["--bonus-paytable", "{ win"], "is not TOML"),
        (["--vigoris", "4%"], "--vigorish"),
    ],
)
def test_what_the_regulation_does_not_permit_is_refused_and_nothing_is_written(
    words: list[str], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "new.toml"
    refused = new(MINI, *words, "-o", str(path))
    assert refused.exit_code == 2
    assert told in refused.stderr
    assert not path.exists()


def test_a_text_without_elections_needs_no_submission() -> None:
    refused = new("us-nj/subchapter-6@2003-01-01")
    assert refused.exit_code == 2
    assert "no elections" in refused.stderr


def test_a_file_that_exists_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text("mine", encoding="utf-8")
    assert new(MINI, "-o", str(path)).exit_code == 2
    assert path.read_text(encoding="utf-8") == "mine"
    assert new(MINI, "-o", str(path), "--force").exit_code == 0


# --- questions -------------------------------------------------------------------------------------


def answered(**answers: str) -> Result:
    """Answer the questions about some elections, and press Enter at all others."""
    asked = new(MINI, "--ask", answers="\n" * 80)
    questions = re.findall(r"^\d+ of \d+  (\S+)$", asked.stderr, re.MULTILINE)
    named = {name.replace("__", "."): answer for name, answer in answers.items()}
    before = [named.get(question, "") for question in questions]
    return new(MINI, "--ask", answers="\n".join(before) + "\n" * 40)


def test_enter_at_every_question_takes_the_defaults() -> None:
    asked = tables_of(new(MINI, "--ask", answers="\n" * 80))
    assert asked == tables_of(new(MINI))


def test_every_choice_is_shown_with_what_follows_from_it() -> None:
    asked = answered(vigorish__scheme="dragon-7")
    assert tables_of(asked)["elections"]["vigorish"] == {"scheme": "dragon-7"}
    told = " ".join(asked.stderr.split())
    # The published edges of the variation without vigorish.
    assert "house edge: Banker 1.0183%, Dragon 7 7.6113%" in told
    assert "offers: Four cards, Five cards, Six cards" in told
    assert "procedure: Vigorish on equal counts is collected at the end of the round" in told


def test_an_answer_that_is_not_permitted_is_asked_for_again() -> None:
    asked = answered(wagers__tie__pays="7:1\nnine\n9:1")
    assert tables_of(asked)["elections"]["wagers"]["tie"]["pays"] == "9:1"
    assert "7:1 is below the minimum of 8:1 [NJ-MINI:7.3(b)]" in asked.stderr
    assert "'nine' is not odds" in asked.stderr


def test_what_was_chosen_by_option_is_not_asked_for() -> None:
    asked = new(MINI, "--ask", "--vigorish", "4%", answers="\n" * 80)
    assert "vigorish.scheme\n" not in asked.stderr
    assert tables_of(asked)["elections"]["vigorish"]["scheme"] == "4%"


def test_answers_that_end_too_soon_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    ended = new(MINI, "--ask", "-o", str(path), answers="\n\n")
    assert ended.exit_code == 2
    assert "the answers ended" in ended.stderr
    assert not path.exists()
