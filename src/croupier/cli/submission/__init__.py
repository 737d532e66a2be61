"""``croupier submission``, and the parts of ``croupier new`` and ``croupier check --report``."""
