"""Every command by every office at every point of the procedure, over HTTP: a sample of it.

``bench/offices_service.py`` asks all of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.acts.roles import Role
from croupier.table.machine import position
from support.office_matrix import Matrix, Persona
from support.served import MA_EZ, NJ, PUNTO_BANCO, served
from support.volume import spread, volume

EVERY = volume(149, 31)
"""One cell of so many: a prime, so that each office, command and start comes."""
POINTS = 8
"""So many points of the procedure are usual; what is asked at them is as much."""


@pytest.mark.parametrize("file", [NJ, PUNTO_BANCO, MA_EZ], ids=lambda path: path.stem)
def test_nobody_is_let_in_and_every_refusal_cites_what_says_who(file: Path, tmp_path: Path) -> None:
    store, points = Matrix.prepared(tmp_path / "pit.sqlite", [file])
    store.forgets = True
    with served(store) as house:
        matrix = Matrix(house, spread(points, POINTS))
        matrix.ask_all(EVERY)
        # What waits for a consent is rare, as the table must take it: one such act is always asked.
        opened = next(point for point in points if point.name.endswith(".open"))
        matrix.ask(opened, {"type": "CloseTable"}, Persona(Role.FLOORPERSON, "floorperson"))
        matrix.wire.close()
        house.end_grants()
    assert matrix.wrong == []
    assert len(points) > 30
    assert matrix.count["asked"] > 400
    # It is not all refused: whoever may is let in, or asked for the consent of another.
    assert min(matrix.count[one] for one in ("200", "202", "403", "409", "with a clause")) > 0


def test_a_service_that_asked_nobody_who_they_are_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(position, "may", lambda *_: None)
    store, points = Matrix.prepared(tmp_path / "pit.sqlite", [NJ])
    store.forgets = True
    with served(store) as house:
        matrix = Matrix(house, points[:6])
        matrix.ask_all(EVERY)
        matrix.wire.close()
        house.end_grants()
    assert any(": 200 " in one for one in matrix.wrong)
