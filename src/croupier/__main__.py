"""``python -m croupier`` and the installed command."""

import signal


def program() -> None:
    """Run ``croupier``, and exit with its status."""
    # An interrupt while modules are imported ends it without a traceback; an ignored one does not.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from croupier.cli import main  # noqa: PLC0415  (after that)

    main(prog_name="croupier")


if __name__ == "__main__":
    program()
