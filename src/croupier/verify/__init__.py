"""Judging records: does the record keep the book, and if not, where and by which clause."""

from croupier.verify.log import LogDivergence, Verdict, verify_log

__all__ = ["LogDivergence", "Verdict", "verify_log"]
