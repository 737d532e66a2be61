"""Irregularities, corrections of the record, and rulings of a supervisor."""
