"""Regulated table games by the book: cited law, a table that follows it, and a record."""

__version__ = "0.1.0"
