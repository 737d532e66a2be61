"""Inference of how a record is written: its first rounds, settled in every plausible way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier.baccarat.coup import Hand
from croupier.files.errors import FileError
from croupier.law.resolve import instruments
from croupier.law.usage import currency_in_use
from croupier.records.rounds.finding import find_mapping
from croupier.records.rounds.mapping import RoundMapping, cents_in, mapping_of
from croupier.records.rounds.proposing import MappingProposal, has_cards
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord
from croupier.records.rounds.tables import ColumnsError
from croupier.rules import Outcome, TableRules, default_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

_ROWS: Final = 600
_FEW: Final = 20
"""With fewer divergences no setting is proposed instead of the recorded one."""

_EXPLAINS: Final = 0.95
_LEAST_SHOWN: Final = 3
"""Fewer places may be errors rather than how a record is written."""

_OF_MONEY: Final = ("format", "settlement", "vigorish")
_UNITS: Final = {
    "dollars": "the amounts are in {unit}",
    "cents": "the amounts are in cents",
    "thousands": "the amounts are in thousands of {unit}",
}
_WAYS: Final = {
    "net": "net results",
    "winnings": "winnings without the stake",
    "returned": "amounts returned, with the stake",
}


class Trial(NamedTuple):
    """The first rounds of a record, verified under one mapping."""

    tables: dict[str, Any]
    kinds: Counter[str]
    rounds: int
    wagers: int
    """Wagers with a recorded result."""
    pushes: int
    """Of these, on Player or Banker in a tie."""
    pushed: int
    """Of these, returned without a win or loss."""
    negative: int
    """Of these, recorded as a negative payment."""
    betless: int

    def bad(self, *kinds: str) -> int:
        return sum(self.kinds[kind] for kind in kinds) if kinds else self.kinds.total()


class OpenChoice(NamedTuple):
    """A choice between mappings that explain the rounds equally."""

    about: str
    choices: Mapping[str, dict[str, Any]]


class Inference(NamedTuple):
    proposal: MappingProposal
    questions: tuple[OpenChoice, ...] = ()

    @property
    def assumptions(self) -> list[str]:
        return list(_assumptions(self.proposal))


@cache
def plain_rules() -> TableRules:
    """Rules of some complete regulation with its default elections."""
    law = next(instrument for instrument in instruments() if not instrument.partial)
    return table_rules(default_submission(law.id, law.in_force_from))


def infer(path: Path, rules: TableRules | None, given: RoundMapping) -> Inference:
    """Infer the mapping under which the first rounds diverge least. Raises ``FileError``.

    Without ``rules``, wagers are settled by default elections, which decide what an amount means
    but not whether it is right.
    """
    inferring = _Inferring(path, rules, given)
    inferring.run()
    return Inference(inferring.found, tuple(inferring.questions))


def inferred(path: Path, rules: TableRules, given: RoundMapping) -> Inference | None:
    """Inferred mapping if a record cannot be read, or if it reads more columns.

    A column with our own name has its documented meaning, however the record diverges. Raises
    ``FileError``.
    """
    refusal: FileError | None = None
    plain: set[str] = set()
    try:
        rounds = open_rounds(path, given, rules.tableau)
        if any(isinstance(round_, RoundRecord) for round_ in islice(rounds, _ROWS)):
            plain = set() if rounds.builder.cards.number_fault else {*rounds.columns[0]}
    except FileError as error:
        refusal = error
    better: Trial | None = None
    try:
        inferring = _Inferring(path, rules, given)
        if not plain or plain < inferring.columns:
            inferring.run()
            better = inferring.trial(inferring.found.tables)
    except FileError:
        pass
    if better is not None and 0 < better.rounds <= better.bad("format", "cards"):
        refusal = ColumnsError(
            f"under no reading of its columns are most of the first {better.rounds:,} rounds "
            "possible hands: name the columns with --mapping"
        )
    elif better is not None and better.rounds:
        return Inference(inferring.found, tuple(inferring.questions))
    if refusal is not None:
        raise refusal
    return None


def read_as(found: Inference, given: RoundMapping | None) -> RoundMapping:
    """Inferred mapping that checks limits as asked."""
    mapping = found.proposal.mapping
    return mapping if given is None else replace(mapping, limits_checked=given.limits_checked)


def verify_inferring(  # noqa: PLR0913  (each says how it is verified)
    path: Path,
    rules: TableRules,
    given: RoundMapping | None,
    *,
    infers: bool,
    cards_behind: int | None = None,
    limit: int | None = None,
) -> VerificationReport:
    """Verify a file, inferring its mapping if asked, and a setting that explains most divergences.

    Raises ``FileError``.
    """
    assumptions: list[str] = []
    if infers and (found := inferred(path, rules, given or RoundMapping())) is not None:
        given, assumptions = read_as(found, given), found.assumptions
    how = {"cards_behind": cards_behind, "limit": limit}
    report = verify_file(path, rules, given, **how)
    if report.by_kind["procedure"] >= _FEW:
        _check_order(path, given)
    if (setting := explaining(path, rules, given, report.by_kind)) is not None:
        report = explained(report, verify_file(path, rules, setting.mapping, **how), setting)
    report.assumptions = assumptions
    return report


def _check_order(path: Path, mapping: RoundMapping | None) -> None:
    """Raise ``FileError`` if over a third of the numbers fall within a shoe, or stay the same."""
    records = [one for one in islice(open_rounds(path, mapping), _ROWS)
               if isinstance(one, RoundRecord)]  # fmt: skip
    steps = [
        int(after.round) - int(before.round)
        for before, after in pairwise(records)
        if before.shoe == after.shoe and before.round.isdecimal() and after.round.isdecimal()
    ]
    moved = [step for step in steps if step]
    if len(moved) >= _FEW and sum(step < 0 for step in moved) * 3 > len(moved):
        raise FileError(
            "the rows are not in the order dealt: sort them, such as by shoe and round, and verify "
            "that file"
        )
    if (len(steps) - len(moved)) * 3 > len(steps) and not records[0].is_part:
        raise ColumnsError(
            "rounds are in several rows each, and no column was found for what the rows are of: "
            "name the seat, or the wager and its amounts, with --mapping"
        )


class _Inferring:
    def __init__(self, path: Path, rules: TableRules | None, given: RoundMapping) -> None:
        self.path = path
        self.is_table = rules is not None
        self.rules = plain_rules() if rules is None else rules
        self.given = given
        self.own = [offer.wager.id for offer in self.rules.own]
        self.found = find_mapping(path, given, self.own)
        self.questions: list[OpenChoice] = []

    @property
    def columns(self) -> set[str]:
        tables = self.found.tables
        entries = tables.get("entries", {}).values()
        lists = [str(tables["columns"]["wagers"]).partition("[]")[0]] if entries else []
        groups = [tables.get("columns", {}), *tables.get("wagers", {}).values()]
        named = [one for table in groups for value in table.values() for one in _several(value)]
        return {*named, *(f"{name}.{key}" for name in lists for key in entries)}

    def run(self) -> None:
        if not has_cards(self.found):
            return
        now = self.orders() or self.trial(self.found.tables)
        now = now and self.whole_cents(now)
        if now is None or now.bad("format") > now.rounds:
            return  # Rounds that cannot be read show nothing.
        now = self.sides(now)
        now = self.unit(now)
        now = self.results(now)
        self.wagered_only(now)

    def trial(self, tables: Mapping[str, Any]) -> Trial | None:
        """Verify the first rounds under a mapping; ``None`` if it does not read the file."""
        try:
            mapping = mapping_of(tables, (*self.own, *tables.get("wagers", {})))
            mapping = replace(
                mapping, sheet=mapping.sheet or self.given.sheet, format=self.given.format,
                encoding=mapping.encoding or self.given.encoding,
                limits_checked=self.given.limits_checked,
            )  # fmt: skip
            rounds = open_rounds(self.path, mapping, self.rules.tableau)
        except FileError:
            return None
        verifier = RecordVerifier(self.rules, mapping, limit=0)
        wagers = pushes = pushed = betless = negative = 0
        for round_ in verified_rounds(islice(rounds, _ROWS), verifier):
            betless += not round_.record.wagers
            for wager, settled in zip(round_.record.wagers, round_.settled, strict=True):
                net = wager.paid_cents if wager.net_cents is None else wager.net_cents
                if settled is None or net is None:
                    continue
                wagers += 1
                paid = net + wager.stake_cents if mapping.paid_returned else wager.paid_cents
                negative += (paid or 0) < 0
                if settled.decision.outcome is Outcome.PUSH:
                    pushes += 1
                    pushed += net == 0
        kinds = verifier.verification.by_kind
        if not self.is_table:
            # These depend on the table, which is not known.
            kinds["offer"] = kinds["limit"] = 0
        count = verifier.verification.rounds
        return Trial(dict(tables), kinds, count, wagers, pushes, pushed, negative, betless)

    def take(self, trial: Trial) -> Trial:
        self.found = self.found._replace(tables=trial.tables)
        return trial

    def orders(self) -> Trial | None:
        """Choose the order of numbered cards under which hands end as the rules say."""
        of_cards = ("format", "third_card", "cards", "winner", "totals")
        tables = [{**self.found.tables, "cards": order} for order in self.found.orders]
        trials = [trial for table in tables if (trial := self.trial(table)) is not None]
        trials.sort(key=lambda one: one.bad(*of_cards))
        if len(trials) < 2:
            return None
        best, second = (one.bad(*of_cards) for one in trials[:2])
        self.found.why["cards"] = (
            f"{best:,} hands diverge so read, {second:,} in the next best order"
        )
        if best == second:
            equal = [one.tables for one in trials if one.bad(*of_cards) == best]
            choices = {", ".join(f"{k} {v}" for k, v in one["cards"].items()): one for one in equal}
            self.questions.append(OpenChoice("In what order are the cards numbered?", choices))
            self.found.why["cards"] = "the rounds do not show the order of the cards: check it"
        return self.take(trials[0])

    def sides(self, now: Trial) -> Trial:
        columns = now.tables["columns"]
        wrong = now.bad("winner", "third_card")
        if not self.found.is_order_assumed or wrong < max(_FEW, now.rounds // 4):
            return now
        tables = deepcopy(now.tables)
        own, other_hand = (hand.value for hand in Hand)
        tables["columns"] |= {own: columns[other_hand], other_hand: columns[own]}
        other = self.trial(tables)
        if other is None or other.bad("winner", "third_card") * 4 > wrong:
            return now
        self.found.why["columns.player"] = (
            "the recorded results agree with the hands in this order, not in the other"
        )
        return self.take(other)

    def whole_cents(self, now: Trial) -> Trial:
        """Read amounts as thousands if that alone makes them whole numbers of cents."""
        other = None
        if now.bad("format") * 4 > now.rounds:
            other = self.trial(_with(now.tables, "money", "unit", "thousands"))
        if other is None or other.bad("format") * 4 > now.bad("format"):
            return now
        self.found.why["money.unit"] = "only so are the amounts whole numbers of cents"
        return self.take(other)

    def unit(self, now: Trial) -> Trial:
        if not self.is_table or not now.wagers:
            return now
        unit = now.tables.get("money", {}).get("unit", "dollars")
        others = {*_UNITS} - {unit, *(("cents",) if self.found.has_decimals else ())}
        trials = [
            trial for other in sorted(others) if now.bad("limit") >= _LEAST_SHOWN
            and (trial := self.trial(_with(now.tables, "money", "unit", other)))
        ]  # fmt: skip
        other = min(trials, key=lambda trial: trial.bad("limit", "format"), default=now)
        fewer = now.bad("limit") - other.bad("limit", "format")
        if fewer < max(_LEAST_SHOWN, now.bad("limit") * 3 // 4 + 1):
            if now.bad("limit") * 4 < now.wagers and unit != "dollars":
                self.found.why["money.unit"] = "read so, the stakes are within the limits"
            return now
        self.found.why["money.unit"] = (
            f"read so, {other.bad('limit')} of {other.wagers} stakes are outside the limits; "
            f"otherwise {now.bad('limit')}"
        )
        return self.take(other)

    def results(self, now: Trial) -> Trial:
        way = _way_of(now.tables)
        if way is None:
            return now
        trials = {way: self.less_vigorish(now)}
        for other in _WAYS:
            trial = None if other == way else self.trial(_with_results(now.tables, other))
            if trial is not None and trial.wagers:
                trials[other] = self.less_vigorish(trial)
        # What a loss makes negative is a net result.
        most = 1 - _EXPLAINS
        payments = {name: one for name, one in trials.items() if one.negative <= one.wagers * most}
        bad = {name: trial.bad(*_OF_MONEY) for name, trial in (payments or trials).items()}
        best = min(bad, key=lambda name: (bad[name], name != way))
        # Fewer differences than these may be errors of the record.
        if way in bad and bad[way] - bad[best] < _LEAST_SHOWN:
            best = way
        others = [name for name in trials if name != best]
        chosen = trials[best]
        self.found.why.pop("money.paid", None)
        if best != "net":
            chosen.tables.setdefault("money", {})["paid"] = best
        pushes = chosen.pushes
        ties = {
            "net": f"{chosen.pushed:,} of {pushes:,} wagers without a decision are 0",
            "winnings": f"{chosen.pushed:,} of {pushes:,} wagers without a decision are paid 0",
            "returned": f"{chosen.pushed:,} of {pushes:,} ties pay back exactly the stake",
        }[best]
        against = ", ".join(
            f"as {_WAYS[name]} {bad[name]:,}" if name in bad
            else f"{trials[name].negative:,} amounts are negative, and are not {_WAYS[name]}"
            for name in others
        )  # fmt: skip
        why = f"read so, {bad[best]:,} of {chosen.wagers:,} wagers differ; {against}"
        where = "money" if best == "net" else "money.paid"
        if others:
            self.found.why[where] = f"{ties}; {why}" if pushes else why
        if equal := [name for name in bad if name != best and bad[name] <= bad[best]]:
            choices = {_WAYS[name]: trials[name].tables for name in (best, *equal)}
            self.questions.append(OpenChoice("What are the results of wagers?", choices))
            self.found.why[where] = "the rounds do not show what the amounts are: check it"
        # Without the vigorish, net results before it hide that it was not taken.
        if best == "net" and not _has_vigorish(chosen.tables):
            return self.take(chosen)
        return self.vigorish(self.take(chosen))

    def less_vigorish(self, now: Trial) -> Trial:
        """Take amounts after vigorish, next to its column, if clearly fewer then differ."""
        if not _has_vigorish(now.tables):
            return now
        less = self.trial(_with(now.tables, "money", "vigorish", "deducted"))
        if less is None or now.bad(*_OF_MONEY) - less.bad(*_OF_MONEY) < _LEAST_SHOWN:
            return now
        return less

    def vigorish(self, now: Trial) -> Trial:
        """See whether amounts are recorded before or after vigorish."""
        trials: dict[str, Trial] = {}
        for name in ("deducted", "apart"):
            tables = _with(now.tables, "money", "vigorish", name)
            if (trial := self.trial(tables)) is not None:
                trials[name] = trial
        bad = {name: trial.bad(*_OF_MONEY) for name, trial in trials.items()}
        best = min(bad, key=lambda name: bad[name])
        least, most = bad[best], max(bad.values())
        # Vigorish that was not taken is found only if it is known whether the others have it.
        shows = _way_of(now.tables) == "winnings" or _has_vigorish(now.tables)
        if most - least < _LEAST_SHOWN or (not shows and best == "deducted"):
            return now
        self.found.why["money.vigorish"] = (
            f"read so, {least:,} of {now.wagers:,} wagers differ; otherwise {most:,}"
        )
        return self.take(trials[best])

    def wagered_only(self, now: Trial) -> Trial:
        missing = now.bad("procedure")
        # Rows of wagers cannot record a round without any.
        of_wagers = "wager" in now.tables["columns"]
        least = 1 if of_wagers else max(_LEAST_SHOWN, now.rounds // 20)
        if now.betless or not (now.wagers or of_wagers) or missing < least:
            return now
        other = self.trial(_with(now.tables, "shoe", "rounds", "wagered-only"))
        if other is None or other.bad("procedure") > missing * (1 - _EXPLAINS):
            return now
        self.found.why["shoe.rounds"] = (
            f"all {now.rounds:,} rounds have wagers, and rounds are missing in {missing:,} places"
        )
        return self.take(other)


def _with(tables: Mapping[str, Any], table: str, key: str, value: str) -> dict[str, Any]:
    changed = deepcopy(dict(tables))
    changed.setdefault(table, {})[key] = value
    return changed


def _several(value: object) -> Iterator[str]:
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, str):
            yield item


def _amounts(tables: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    yield from tables.get("wagers", {}).values()
    yield from (tables[name] for name in ("columns", "entries") if name in tables)


def _has_vigorish(tables: Mapping[str, Any]) -> bool:
    return any("vigorish" in one for one in _amounts(tables))


def _way_of(tables: Mapping[str, Any]) -> str | None:
    keys = {key for table in _amounts(tables) for key in table}
    if keys.isdisjoint({"net", "paid"}):
        return None
    if "paid" not in keys:
        return "net"
    return str(tables.get("money", {}).get("paid", "winnings"))


def _with_results(tables: Mapping[str, Any], way: str) -> dict[str, Any]:
    changed = deepcopy(dict(tables))
    key, other = ("net", "paid") if way == "net" else ("paid", "net")
    for table in _amounts(changed):
        if other in table and key not in table:
            table[key] = table.pop(other)
    money = changed.setdefault("money", {})
    money.pop("paid", None)
    if way == "returned":
        money["paid"] = way
    return changed


def _assumptions(found: MappingProposal) -> Iterator[str]:
    for name, table in found.tables.items():
        inner = table.items() if name in {"wagers", "values"} else [("", table)]
        for of, settings in inner if table else ():
            where = f"{name}.{of}" if of else name
            text = ", ".join(f"{key} = {_shown(value)}" for key, value in settings.items())
            yield f"[{where}] {text}"
    yield from (f"{name}: {why}" for name, why in found.why.items())


def _shown(value: object) -> str:
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


# --- one setting that explains many divergences ------------------------------------------------


class Setting(NamedTuple):
    text: str
    mapping: RoundMapping
    why: str


def settings_of(mapping: RoundMapping) -> Iterator[Setting]:
    paid = mapping.paid_returned
    yield Setting(
        f'[money] paid = "{"winnings" if paid else "returned"}"',
        replace(mapping, paid_returned=not paid),
        "the amounts paid do not hold the stake" if paid else "the amounts paid hold the stake",
    )
    for unit, says in _UNITS.items():
        if (cents := cents_in(unit)) != mapping.unit_cents:
            changed = replace(mapping, unit_cents=cents)
            text = says.format(unit=currency_in_use().unit)
            yield Setting(f'[money] unit = "{unit}"', changed, text)
    if not mapping.tens_alike:
        yield Setting(
            '[cards] tens = "ten-valued"',
            replace(mapping, tens_alike=True),
            "a ten stands for jack, queen, and king too",
        )


def explaining(
    path: Path, rules: TableRules, mapping: RoundMapping | None, kinds: Mapping[str, int]
) -> Setting | None:
    """Return the setting under which at most one in 20 of the divergences remains, if any."""
    if sum(kinds.values()) < _FEW:
        return None
    mapping = RoundMapping() if mapping is None else mapping
    first = _divergences(path, rules, mapping)
    for setting in settings_of(mapping) if first else ():
        if _divergences(path, rules, setting.mapping) <= first * (1 - _EXPLAINS):
            return setting
    return None


def explained(
    before: VerificationReport, after: VerificationReport, setting: Setting
) -> VerificationReport:
    """Divergences that a setting leaves, or all if it explains too few."""
    total, rest = before.by_kind.total(), after.by_kind.total()
    if rest > total * (1 - _EXPLAINS):
        return before
    after.explained_by = {
        "setting": setting.text, "says": setting.why, "explains": total - rest,
    }  # fmt: skip
    return after


def _divergences(path: Path, rules: TableRules, mapping: RoundMapping) -> int:
    verifier = RecordVerifier(rules, mapping, limit=0)
    try:
        rounds = islice(open_rounds(path, mapping, rules.tableau), _ROWS)
        for _ in verified_rounds(rounds, verifier):
            pass
    except FileError:
        return 0
    return verifier.verification.by_kind.total()
