"""What each office may see of a table: its entries, its position, what may be done, and refusals.

``fields`` declares what every field of a command, an event, and the state is, and ``sight`` who may
see it. ``closed`` finds the cards that lie face down. ``entries`` and ``projection`` make the
documents that leave a service; nothing else does.
"""
