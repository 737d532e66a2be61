"""A table as each office may see it: ``entries`` and ``projection`` leave a service."""
