"""What ``import croupier`` offers: the small surface that programs may rely on.

Everything else in the package is private to the project and may change. Use the names as
``croupier.load_rules``; a module of this package is imported when one of its names is first used.
"""
