"""Verification of records: whether a record conforms to the rules, and where it does not."""

from croupier.verify.log import LogDivergence, Verdict, verify_log

__all__ = ["LogDivergence", "Verdict", "verify_log"]
