"""The program's commands, run in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from croupier.cli import main


def croupier(*words: object, columns: int = 100, text: str | None = None) -> Result:
    """Run ``croupier WORDS`` in a terminal of so many columns, with ``text`` on standard input.

    Whatever it is given, it may refuse, and may not break down.
    """
    result = CliRunner().invoke(
        main, [str(word) for word in words], input=text, env={"COLUMNS": str(columns)}
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert "Traceback" not in result.output
    return result


def told_with(status: int, *words: object, text: str | None = None) -> Result:
    """Run ``croupier WORDS``, which must exit with that status."""
    result = croupier(*words, text=text)
    assert result.exit_code == status, result.output
    return result
