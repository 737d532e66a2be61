"""Verification of table logs, pit logs and round records."""

from croupier.verify.log import LogDivergence, Verdict, verify_log

__all__ = ["LogDivergence", "Verdict", "verify_log"]
