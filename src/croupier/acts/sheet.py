"""The sheet of an act: who does it, and what is said, shown, and placed, clause by clause."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


def _says(description: str) -> Meta:
    return Meta(description=description)


class EnteredField(Struct, frozen=True):
    """A field of an act, and who sees it: offices, the staff, or everyone."""

    label: str
    seen_by: tuple[str, ...]


class ActStep(Struct, frozen=True):
    """A clause of a rule that an act implements or is checked against."""

    clause: str
    citation: str
    rule: str
    says: str
    done: Annotated[tuple[str, ...], _says("said, shown, and placed, by words of the paraphrase.")]
    persons: Annotated[tuple[str, ...], _says("Persons whom the paraphrase names.")]
    when: Annotated[str, _says("Elections under which it applies; empty if always.")]


class ActSheet(Struct, frozen=True):
    """An act under a regulation, with its steps in the regulation's order."""

    act: str
    title: str
    says: str
    group: str
    house: Annotated[bool, _says("Whether no included regulation mentions it.")]
    by: Annotated[tuple[str, ...], _says("Offices that give it.")]
    together: Annotated[tuple[str, ...], _says("Offices that consent in the same entry, in order.")]
    apart: Annotated[tuple[str, ...], _says("Earlier acts whose actor may not do it.")]
    entered: tuple[EnteredField, ...]
    said: Annotated[tuple[str, ...], _says("Words to speak.")]
    steps: tuple[ActStep, ...]
