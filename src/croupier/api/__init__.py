"""Public API of ``croupier``."""
