"""The blackjack package stays as it was designed: exact, of the standard library, beside the table."""

import ast
from typing import Final

from support.sources import Source, modules, none_of

PURE: Final = {"streak", "bonus", "acts", "strategy"}
OF_THE_TABLE: Final = {"croupier.table.people.seating", "croupier.table.cards.chance"}
IMPURE: Final = {
    "croupier.baccarat.cards",
    "croupier.table.cards.chance",
    "croupier.blackjack.reference",
}


def blackjack() -> list[Source]:
    return [module for module in modules() if module.part == "blackjack"]


def test_no_module_knows_a_floating_point_number() -> None:
    none_of(
        f"{module}:{node.lineno}: a float"
        for module in blackjack()
        for node in module.nodes
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    )


def test_every_module_depends_on_msgspec_alone() -> None:
    none_of(
        f"{module} imports {name}"
        for module in blackjack()
        for name in sorted(module.others - {"msgspec"})
    )


def test_of_the_table_only_its_seats_and_its_chance_are_used() -> None:
    none_of(
        f"{module} imports {name}"
        for module in blackjack()
        for name in module.imported
        if name.startswith("croupier.table") and name not in OF_THE_TABLE
    )


def test_the_machines_know_neither_cards_nor_chance() -> None:
    machines = [module for module in blackjack() if module.path.stem in PURE]
    assert {machine.path.stem for machine in machines} == PURE
    none_of(
        f"{machine} imports {name}"
        for machine in machines
        for name in sorted(IMPURE.intersection(machine.imported))
    )
