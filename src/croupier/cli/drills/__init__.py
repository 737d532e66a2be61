"""``croupier drill``."""
