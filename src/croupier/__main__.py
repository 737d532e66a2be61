"""``python -m croupier`` is ``croupier``."""

from croupier.cli import main

if __name__ == "__main__":
    main(prog_name="croupier")
