"""The people of a table: patrons in their seats, and staff in their offices."""
