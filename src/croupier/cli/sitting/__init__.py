"""A terminal interface to a table: full screen, or line by line for screen readers and pipes.

It shows a table's view and the acts that the view lists. Views come from, and commands go to, a
``Door``: a log or a service.
"""
