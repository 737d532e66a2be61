"""Who gives and consents to an act under a law: the terms of the act, and the law's own duties."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from croupier.acts.command import TERMS, CommandTerms
from croupier.acts.roles import Role, includes
from croupier.law.cite import cites
from croupier.law.contracts import consent_rule, contracts, duty_rule, duty_rules, signatures_rule
from croupier.law.model import Instrument
from croupier.rules import TableRules, remembered


@remembered
def terms_under(act: str, rules: TableRules) -> CommandTerms:
    return terms_of(act, rules.law, rules.in_force)


@cites(*duty_rules())
def terms_of(act: str, law: Instrument, in_force: Container[str]) -> CommandTerms:
    """Terms of an act with a law's duties.

    A law narrows the offices that give an act, and adds offices that consent. Consents that the
    program requires remain.
    """
    terms = TERMS[act]
    signs = signatures_rule(contracts().forms.get(act, ""))
    gives, consents, signers = (
        _offices(law, rule) if rule in in_force else ()
        for rule in (duty_rule(act), consent_rule(act), signs)
    )
    if not gives and not consents and not signers:
        return terms
    does = gives or terms.does
    # Whoever gives the act signs its Form; the others who sign consent.
    consents += tuple(signer for signer in signers if signer not in does)
    # A dealer who alone gives an act names the supervisor who consents.
    supervises = len(gives) == 1 and includes(gives[0], Role.SUPERVISOR)
    return replace(
        terms,
        does=does,
        together=tuple(dict.fromkeys((*terms.together, *consents))),
        consents_by_giving=terms.consents_by_giving and {*does}.isdisjoint(consents),
        rule=next(one for one in (duty_rule(act), consent_rule(act), signs) if one in in_force),
        named_as={Role.SUPERVISOR: gives[0]} if supervises else {},
    )


def _offices(law: Instrument, rule_id: str) -> tuple[Role, ...]:
    value = law.rules[rule_id].value
    return tuple(Role(str(item)) for item in value) if isinstance(value, tuple) else ()
