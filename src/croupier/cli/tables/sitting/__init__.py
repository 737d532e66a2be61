"""A table at a terminal: the whole screen, or line by line for a screen reader and for a pipe.

It is drawn from what a view of a table says, and from the acts that the view lists. It knows no
rule and no command by itself. A ``Door`` is where both come from, and where commands go.
"""
