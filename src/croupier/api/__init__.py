"""Public API of ``croupier``.

Everything else in the package is private and may change. Use the names as ``croupier.load_rules``;
modules are imported at the first use of their names.
"""
