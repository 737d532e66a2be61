"""A table as each office may see it: entries, position, available acts, and refusals.

``fields`` classifies every field of commands, events, and the state, and ``sight`` defines who may
see it. ``closed`` finds face-down cards. Only ``entries`` and ``projection`` make documents that
leave a service.
"""
