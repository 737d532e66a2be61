"""Commands for rules submissions: ``new``, ``check``, ``submission``, ``layout``, ``rules``."""
