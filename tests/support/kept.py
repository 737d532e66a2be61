"""What the program makes and the tree keeps: compared line by line, with the command to make it again."""

from __future__ import annotations

from difflib import unified_diff

_SHOWN = 40


def assert_as_made(kept: str, made: str, name: str) -> None:
    """Fail unless what is kept is what the program makes; show where it differs, and what to run."""
    differing = list(
        unified_diff(kept.splitlines(), made.splitlines(), "kept", "made now", lineterm="", n=1)
    )
    if kept != made and not differing:
        differing = ["only the ends of its lines"]
    more = [f"... and {len(differing) - _SHOWN} more lines"] if len(differing) > _SHOWN else []
    assert not differing, "\n".join(
        [
            f"{name} is not what the program makes now. If the change is meant, run this and review:",
            "    .venv/bin/python tests/regolden.py && git diff",
            *differing[:_SHOWN],
            *more,
        ]
    )
