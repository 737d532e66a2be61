"""Standing of rules and clauses: the text, a reading of it, a substitute, or silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.law.model import Instrument, Interpretation, Rule, Standing, is_entry


def entries_about(law: Instrument, rule_id: str) -> tuple[Interpretation, ...]:
    """Register entries that a rule depends on, without notes."""
    entries = law.entries_by_rule.get(rule_id, ())
    return tuple(entry for entry in entries if entry.standing is not Standing.TEXT)


def entries_of_rule(law: Instrument, rule: Rule) -> tuple[str, ...]:
    """Ids of all entries about a rule, notes included, and of those that it cites."""
    ids = (entry.id for entry in law.entries_by_rule.get(rule.id, ()))
    return tuple(dict.fromkeys((*filter(is_entry, rule.cites), *ids)))


def entries_of_clause(law: Instrument, clause_id: str) -> tuple[str, ...]:
    """Ids of the entries that a clause names, and about the rules that cite it."""
    rules = (rule for rule in law.implemented_by[clause_id] if isinstance(rule, Rule))
    names = (name for rule in rules for name in entries_of_rule(law, rule))
    return tuple(dict.fromkeys((*law.clauses[clause_id].interpretations, *names)))


def clause_standing(law: Instrument, clause_id: str) -> Standing:
    """Standing of a clause with all entries about the rules that cite it."""
    standing = cited_standing(law, clause_id)
    entries = _not_notes(law, entries_of_clause(law, clause_id))
    return Standing.READING if standing is Standing.TEXT and entries else standing


def rule_standing(law: Instrument, rule: Rule) -> Standing:
    if rule.standing is not None:
        return rule.standing
    if unverified(law, rule.cites):
        return Standing.UNVERIFIED
    return Standing.READING if entries_about(law, rule.id) else Standing.TEXT


def cited_standing(law: Instrument, citation: str) -> Standing:
    if is_entry(citation):
        return law.register[citation].standing
    clause = law.clauses[citation]
    if clause.standing is not None:
        return clause.standing
    return Standing.READING if _not_notes(law, clause.interpretations) else Standing.TEXT


def _not_notes(law: Instrument, entries: Iterable[str]) -> list[str]:
    return [name for name in entries if law.register[name].standing is not Standing.TEXT]


def unverified(law: Instrument, clauses: Iterable[str]) -> list[str]:
    """Return those of the clauses that were not read in the regulation."""
    items = (law.clauses.get(clause_id) for clause_id in clauses)
    return [one.id for one in items if one is not None and one.standing is Standing.UNVERIFIED]


def entries_named(law: Instrument, citations: Iterable[str]) -> tuple[str, ...]:
    """Register entries cited, directly or by clauses."""
    groups = ((one,) if is_entry(one) else law.clauses[one].interpretations for one in citations)
    return tuple(dict.fromkeys(name for names in groups for name in names))


def standings(law: Instrument, citations: Iterable[str]) -> Mapping[str, str]:
    valid = (one for one in citations if one in law.clauses or one in law.register)
    pairs = ((citation, cited_standing(law, citation)) for citation in valid)
    return {clause: standing.value for clause, standing in pairs if standing is not Standing.TEXT}


def cited_note(law: Instrument, citation: str) -> str:
    """Citation, with its standing and entry if it is not simply the text.

    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-ny/mini-midi-baccarat", on="latest")
    >>> [cited_note(law, one) for one in ("NY-MINIMIDI:(c)(2)", "NY-MINIMIDI:(c)(9)", "T47")]
    ['NY-MINIMIDI:(c)(2)', 'NY-MINIMIDI:(c)(9) (reading T37)', 'T47 (substitute)']
    """
    standing = standings(law, (citation,)).get(citation)
    if standing is None:
        return citation
    if is_entry(citation):
        return f"{citation} ({standing})"
    names = _not_notes(law, law.clauses[citation].interpretations)
    return f"{citation} ({' '.join((standing, *names))})"


def standing_note(law: Instrument, citation: str) -> str:
    return cited_note(law, citation).removeprefix(f"{law.clause_prefix}:")
