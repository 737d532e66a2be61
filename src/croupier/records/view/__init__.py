"""A table as each office may see it.

Only ``entries`` and ``projection`` make documents that leave a service.
"""
