"""Inference of how a record is written: its first rounds, settled in every plausible way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier.baccarat.coup import Hand
from croupier.files.errors import FileError
from croupier.law.resolve import instruments
from croupier.law.usage import currency_in_use
from croupier.records.rounds.finding import find_mapping
from croupier.records.rounds.mapping import RoundMapping, cents_in, mapping_of, numbering
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
    faults: tuple[str, ...]
    """The first lines that cannot be read, and why."""

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
    search = _Inferring(path, rules, given)
    search.run()
    return Inference(search.found, tuple(search.questions))


def inferred(path: Path, rules: TableRules, given: RoundMapping) -> Inference | None:
    """Inferred mapping if a record cannot be read, or if it reads more columns.

    A column with our own name has its documented meaning, however the record diverges. Raises
    ``FileError``.
    """
    refusal: FileError | None = None
    plain_columns: set[str] = set()
    unread_lines: set[int] = set()
    try:
        rounds = open_rounds(path, given, rules.tableau)
        for one in islice(rounds, _ROWS):
            if isinstance(one, RoundRecord):
                plain_columns = set() if rounds.builder.cards.number_fault else {*rounds.columns[0]}
                break
            unread_lines.add(one.line)
    except FileError as error:
        refusal = error
    trial: Trial | None = None
    try:
        search = _Inferring(path, rules, given)
        # Our own names may be headings above the names of the columns.
        is_heading = search.header in unread_lines
        if not plain_columns or is_heading or plain_columns < search.columns:
            search.run()
            trial = search.trial(search.found.tables)
    except FileError:
        pass
    if trial is not None and 0 < trial.rounds <= trial.bad("format", "cards"):
        of_hands = trial.bad("cards") > trial.bad("format")
        count = f"{trial.rounds:,} rounds"
        reason = f"can most of the lines with the first {count} be read"
        reason = f"are most of the first {count} possible hands" if of_hands else reason
        advice = f"under no reading of its columns {reason}: name the columns with --mapping"
        refusal = ColumnsError(advice, *trial.faults)
    elif trial is not None and trial.rounds:
        return Inference(search.found, tuple(search.questions))
    if refusal is not None:
        raise refusal
    return None


def read_as(found: Inference, current: RoundMapping | None) -> RoundMapping:
    """Inferred mapping that checks limits as asked."""
    mapping = found.proposal.mapping
    return mapping if current is None else replace(mapping, limits_checked=current.limits_checked)


def verify_inferring(  # noqa: PLR0913  (each says how it is verified)
    path: Path,
    rules: TableRules,
    mapping_given: RoundMapping | None,
    *,
    infers: bool,
    cards_behind: int | None = None,
    limit: int | None = None,
) -> VerificationReport:
    """Verify a file, inferring its mapping if asked, and a setting that explains most divergences.

    Raises ``FileError``.
    """
    assumptions: list[str] = []
    if infers and (inference := inferred(path, rules, mapping_given or RoundMapping())) is not None:
        mapping_given, assumptions = read_as(inference, mapping_given), inference.assumptions
    options = {"cards_behind": cards_behind, "limit": limit}
    report = verify_file(path, rules, mapping_given, **options)
    if report.by_kind["procedure"]:
        _check_order(path, mapping_given, are_many=report.by_kind["procedure"] >= _FEW)
    if (setting := explaining(path, rules, mapping_given, report.by_kind)) is not None:
        report = explained(report, verify_file(path, rules, setting.mapping, **options), setting)
    report.assumptions = assumptions
    return report


def _check_order(path: Path, mapping: RoundMapping | None, *, are_many: bool) -> None:
    shoes: dict[str, list[str]] = {}
    are_parts = False
    for record in islice(open_rounds(path, mapping), _ROWS):
        if isinstance(record, RoundRecord) and record.round.isdecimal():
            shoes.setdefault(record.shoe, []).append(record.round)
            are_parts = are_parts or record.is_part
    numbers = [*chain.from_iterable(map(pairwise, shoes.values()))]
    steps = [int(after) - int(before) for before, after in numbers]
    moving_steps = [step for step in steps if step]
    back = sum(step < 0 for step in moving_steps)
    is_text_order = back >= _LEAST_SHOWN and all(before <= after for before, after in numbers)
    if is_text_order or (are_many and back * 3 > len(moving_steps) >= _FEW):
        raise FileError(
            "the rows are not in the order dealt: sort them, such as by shoe and round, as numbers "
            "rather than text, and verify that file"
        )
    if are_many and (len(steps) - len(moving_steps)) * 3 > len(steps) and not are_parts:
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
    def header(self) -> int:
        return int(self.found.tables.get("file", {}).get("header", self.given.header))

    @property
    def columns(self) -> set[str]:
        tables = self.found.tables
        entries = tables.get("entries", {}).values()
        wagers = tables.get("columns", {}).get("wagers") if entries else None
        lists = [wagers.partition("[]")[0]] if wagers else []
        groups = [tables.get("columns", {}), *tables.get("wagers", {}).values()]
        names = [name for table in groups for value in table.values() for name in _names_in(value)]
        return {*names, *(f"{name}.{key}" for name in lists for key in entries)}

    def run(self) -> None:
        if not has_cards(self.found):
            return
        trial = self.orders() or self.trial(self.found.tables)
        trial = trial and self.whole_cents(trial)
        if trial is None or trial.bad("format") > trial.rounds:
            return  # Rounds that cannot be read show nothing.
        trial = self.sides(trial)
        trial = self.unit(trial)
        trial = self.results(trial)
        self.wagered_only(trial)

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
        verifier = RecordVerifier(self.rules, mapping, limit=_LEAST_SHOWN)
        wagers = pushes = push_count = wagerless = negatives = 0
        for round_ in verified_rounds(islice(rounds, _ROWS), verifier):
            wagerless += not round_.record.wagers
            for wager, settlement in zip(round_.record.wagers, round_.settled, strict=True):
                net = wager.paid_cents if wager.net_cents is None else wager.net_cents
                if settlement is None or net is None:
                    continue
                wagers += 1
                cents = net + wager.stake_cents if mapping.paid_returned else wager.paid_cents
                negatives += (cents or 0) < 0
                if settlement.decision.outcome is Outcome.PUSH:
                    pushes += 1
                    push_count += net == 0
        kinds = verifier.verification.by_kind
        if not self.is_table:
            # These depend on the table, which is not known.
            kinds["offer"] = kinds["limit"] = 0
        found = verifier.verification.divergences
        of_lines = (one for one in found if one.kind in {"format", "cards"})
        faults = tuple(f"line {one.line}: {one.message}" for one in of_lines)
        count = verifier.verification.rounds
        return Trial(
            dict(tables), kinds, count, wagers, pushes, push_count, negatives, wagerless, faults
        )

    def take(self, trial: Trial) -> Trial:
        self.found = self.found._replace(tables=trial.tables)
        return trial

    def orders(self) -> Trial | None:
        """Choose the order of numbered cards under which hands end as the rules say."""
        of_cards = ("format", "third_card", "cards", "winner", "totals")
        tables = [{**self.found.tables, "cards": order} for order in self.found.orders]
        trials = [trial for table in tables if (trial := self.trial(table)) is not None]
        trials.sort(key=lambda trial: trial.bad(*of_cards))
        if len(trials) < 2:
            return None
        fewest, second_fewest = (trial.bad(*of_cards) for trial in trials[:2])
        self.found.why["cards"] = (
            f"{fewest:,} hands diverge so read, {second_fewest:,} in the next best order"
        )
        if fewest == second_fewest:
            ties = [trial.tables for trial in trials if trial.bad(*of_cards) == fewest]
            choices = {", ".join(f"{k} {v}" for k, v in tie["cards"].items()): tie for tie in ties}
            self.questions.append(OpenChoice("In what order are the cards numbered?", choices))
            self.found.why["cards"] = "the rounds do not show the order of the cards: check it"
        return self.take(trials[0])

    def sides(self, trial: Trial) -> Trial:
        columns = trial.tables["columns"]
        errors = trial.bad("winner", "third_card")
        if not self.found.is_order_assumed or errors < max(_FEW, trial.rounds // 4):
            return trial
        tables = deepcopy(trial.tables)
        hand, hand_across = (hand.value for hand in Hand)
        tables["columns"] |= {hand: columns[hand_across], hand_across: columns[hand]}
        swap = self.trial(tables)
        if swap is None or swap.bad("winner", "third_card") * 4 > errors:
            return trial
        self.found.why["columns.player"] = (
            "the recorded results agree with the hands in this order, not in the other"
        )
        return self.take(swap)

    def whole_cents(self, trial: Trial) -> Trial:
        """Read amounts as thousands if that alone makes them whole numbers of cents."""
        thousands = None
        if trial.bad("format") * 4 > trial.rounds:
            thousands = self.trial(_with(trial.tables, "money", "unit", "thousands"))
        if thousands is None or thousands.bad("format") * 4 > trial.bad("format"):
            return trial
        self.found.why["money.unit"] = "only so are the amounts whole numbers of cents"
        return self.take(thousands)

    def unit(self, current: Trial) -> Trial:
        if not self.is_table or not current.wagers:
            return current
        unit = current.tables.get("money", {}).get("unit", "dollars")
        units = {*_UNITS} - {unit, *(("cents",) if self.found.has_decimals else ())}
        trials = [
            trial for name in sorted(units) if current.bad("limit") >= _LEAST_SHOWN
            and (trial := self.trial(_with(current.tables, "money", "unit", name)))
        ]  # fmt: skip
        choice = min(trials, key=lambda trial: trial.bad("limit", "format"), default=current)
        gain = current.bad("limit") - choice.bad("limit", "format")
        if gain < max(_LEAST_SHOWN, current.bad("limit") * 3 // 4 + 1):
            if current.bad("limit") * 4 < current.wagers and unit != "dollars":
                self.found.why["money.unit"] = "read so, the stakes are within the limits"
            return current
        self.found.why["money.unit"] = (
            f"read so, {choice.bad('limit')} of {choice.wagers} stakes are outside the limits; "
            f"otherwise {current.bad('limit')}"
        )
        return self.take(choice)

    def results(self, current: Trial) -> Trial:
        way = _way_of(current.tables)
        if way is None:
            return current
        trials = {way: self.less_vigorish(current)}
        for other_way in _WAYS:
            trial = (
                None if other_way == way else self.trial(_with_results(current.tables, other_way))
            )
            if trial is not None and trial.wagers:
                trials[other_way] = self.less_vigorish(trial)
        # What a loss makes negative is a net result.
        share = 1 - _EXPLAINS
        payments = {name: run for name, run in trials.items() if run.negative <= run.wagers * share}
        counts = {name: trial.bad(*_OF_MONEY) for name, trial in (payments or trials).items()}
        winner = min(counts, key=lambda name: (counts[name], name != way))
        # Fewer differences than these may be errors of the record.
        if way in counts and counts[way] - counts[winner] < _LEAST_SHOWN:
            winner = way
        other_ways = [name for name in trials if name != winner]
        best_trial = trials[winner]
        self.found.why.pop("money.paid", None)
        if winner != "net":
            best_trial.tables.setdefault("money", {})["paid"] = winner
        pushes = best_trial.pushes
        ties = {
            "net": f"{best_trial.pushed:,} of {pushes:,} wagers without a decision are 0",
            "winnings": f"{best_trial.pushed:,} of {pushes:,} wagers without a decision are paid 0",
            "returned": f"{best_trial.pushed:,} of {pushes:,} ties pay back exactly the stake",
        }[winner]
        comparison = ", ".join(
            f"as {_WAYS[name]} {counts[name]:,}" if name in counts
            else f"{trials[name].negative:,} amounts are negative, and are not {_WAYS[name]}"
            for name in other_ways
        )  # fmt: skip
        reason = f"read so, {counts[winner]:,} of {best_trial.wagers:,} wagers differ; {comparison}"
        key = "money" if winner == "net" else "money.paid"
        if other_ways:
            self.found.why[key] = f"{ties}; {reason}" if pushes else reason
        if equal_keys := [
            name for name in counts if name != winner and counts[name] <= counts[winner]
        ]:
            choices = {_WAYS[name]: trials[name].tables for name in (winner, *equal_keys)}
            self.questions.append(OpenChoice("What are the results of wagers?", choices))
            self.found.why[key] = "the rounds do not show what the amounts are: check it"
        # Without the vigorish, net results before it hide that it was not taken.
        if winner == "net" and not _has_vigorish(best_trial.tables):
            return self.take(best_trial)
        return self.vigorish(self.take(best_trial))

    def less_vigorish(self, trial: Trial) -> Trial:
        """Take amounts after vigorish, next to its column, if clearly fewer then differ."""
        if not _has_vigorish(trial.tables):
            return trial
        net_trial = self.trial(_with(trial.tables, "money", "vigorish", "deducted"))
        if net_trial is None or trial.bad(*_OF_MONEY) - net_trial.bad(*_OF_MONEY) < _LEAST_SHOWN:
            return trial
        return net_trial

    def vigorish(self, current: Trial) -> Trial:
        """See whether amounts are recorded before or after vigorish."""
        trials: dict[str, Trial] = {}
        for name in ("deducted", "apart"):
            tables = _with(current.tables, "money", "vigorish", name)
            if (trial := self.trial(tables)) is not None:
                trials[name] = trial
        counts = {name: trial.bad(*_OF_MONEY) for name, trial in trials.items()}
        best_name = min(counts, key=lambda name: counts[name])
        minimum, maximum = counts[best_name], max(counts.values())
        # Vigorish that was not taken is found only if it is known whether the others have it.
        is_shown = _way_of(current.tables) == "winnings" or _has_vigorish(current.tables)
        if maximum - minimum < _LEAST_SHOWN or (not is_shown and best_name == "deducted"):
            return current
        self.found.why["money.vigorish"] = (
            f"read so, {minimum:,} of {current.wagers:,} wagers differ; otherwise {maximum:,}"
        )
        return self.take(trials[best_name])

    def wagered_only(self, trial: Trial) -> Trial:
        gaps = trial.bad("procedure")
        # Rows of wagers cannot record a round without any.
        wager = trial.tables["columns"].get("wager")
        of_wagers = wager is not None and not numbering(wager)
        if trial.betless or not (trial.wagers or of_wagers):
            return trial
        if gaps < max(_LEAST_SHOWN, trial.rounds // 20):
            if of_wagers:
                self.found.why["shoe.rounds"] = (
                    "rows of wagers do not record a round without any: if rounds that are missing "
                    'had none, write rounds = "wagered-only" in [shoe]'
                )
            return trial
        wagered_trial = self.trial(_with(trial.tables, "shoe", "rounds", "wagered-only"))
        if wagered_trial is None or wagered_trial.bad("procedure") > gaps * (1 - _EXPLAINS):
            return trial
        self.found.why["shoe.rounds"] = (
            f"all {trial.rounds:,} rounds have wagers, and rounds are missing in {gaps:,} places"
        )
        return self.take(wagered_trial)


def _with(tables: Mapping[str, Any], table: str, key: str, value: str) -> dict[str, Any]:
    copy = deepcopy(dict(tables))
    copy.setdefault(table, {})[key] = value
    return copy


def _names_in(value: object) -> Iterator[str]:
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, str):
            yield item


def _amounts(tables: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    yield from tables.get("wagers", {}).values()
    yield from (tables[name] for name in ("columns", "entries") if name in tables)


def _has_vigorish(tables: Mapping[str, Any]) -> bool:
    return any("vigorish" in table for table in _amounts(tables))


def _way_of(tables: Mapping[str, Any]) -> str | None:
    keys = {key for table in _amounts(tables) for key in table}
    if keys.isdisjoint({"net", "paid"}):
        return None
    if "paid" not in keys:
        return "net"
    return str(tables.get("money", {}).get("paid", "winnings"))


def _with_results(tables: Mapping[str, Any], way: str) -> dict[str, Any]:
    copy = deepcopy(dict(tables))
    key, key_before = ("net", "paid") if way == "net" else ("paid", "net")
    for table in _amounts(copy):
        if key_before in table and key not in table:
            table[key] = table.pop(key_before)
    money = copy.setdefault("money", {})
    money.pop("paid", None)
    if way == "returned":
        money["paid"] = way
    return copy


def _assumptions(proposal: MappingProposal) -> Iterator[str]:
    for name, table in proposal.tables.items():
        subtables = table.items() if name in {"wagers", "values"} else [("", table)]
        for subname, settings in subtables if table else ():
            place = f"{name}.{subname}" if subname else name
            text = ", ".join(f"{key} = {_shown(value)}" for key, value in settings.items())
            yield f"[{place}] {text}"
    yield from (f"{name}: {reason}" for name, reason in proposal.why.items())


def _shown(value: object) -> str:
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


# --- one setting that explains many divergences ------------------------------------------------


class Setting(NamedTuple):
    text: str
    mapping: RoundMapping
    why: str


def settings_of(mapping: RoundMapping) -> Iterator[Setting]:
    returns = mapping.paid_returned
    yield Setting(
        f'[money] paid = "{"winnings" if returns else "returned"}"',
        replace(mapping, paid_returned=not returns),
        "the amounts paid do not hold the stake" if returns else "the amounts paid hold the stake",
    )
    for unit, text_of_unit in _UNITS.items():
        if (cents := cents_in(unit)) != mapping.unit_cents:
            variant = replace(mapping, unit_cents=cents)
            text = text_of_unit.format(unit=currency_in_use().unit)
            yield Setting(f'[money] unit = "{unit}"', variant, text)
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
    count = _divergences(path, rules, mapping)
    for setting in settings_of(mapping) if count else ():
        if _divergences(path, rules, setting.mapping) <= count * (1 - _EXPLAINS):
            return setting
    return None


def explained(
    report_before: VerificationReport, report: VerificationReport, setting: Setting
) -> VerificationReport:
    """Divergences that a setting leaves, or all if it explains too few."""
    total, count_left = report_before.by_kind.total(), report.by_kind.total()
    if count_left > total * (1 - _EXPLAINS):
        return report_before
    report.explained_by = {
        "setting": setting.text, "says": setting.why, "explains": total - count_left,
    }  # fmt: skip
    return report


def _divergences(path: Path, rules: TableRules, mapping: RoundMapping) -> int:
    verifier = RecordVerifier(rules, mapping, limit=0)
    try:
        rounds = islice(open_rounds(path, mapping, rules.tableau), _ROWS)
        for _ in verified_rounds(rounds, verifier):
            pass
    except FileError:
        return 0
    return verifier.verification.by_kind.total()
