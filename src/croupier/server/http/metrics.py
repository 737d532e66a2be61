"""Prometheus metrics, without names, seats, or cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.registry import Collector

from croupier.table.pit import MeterLink

_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)
_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Metrics:
    content_type: Final = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        counter, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        timer = partial(Histogram, buckets=_SECONDS, registry=registry)
        # A child is looked up in a dictionary; ``labels`` takes a lock and longer than counting.
        self._requests: Final = cache(
            counter("croupier_requests", "Requests answered.", ["route", "status"]).labels
        )
        self._times: Final = cache(
            timer("croupier_request_seconds", "Time of a request.", ["route"]).labels
        )
        help_ = "Time of a request of one command, or of a batch."
        self._commands: Final = cache(timer("croupier_command_seconds", help_, ["command"]).labels)
        self.sign_ins = counter("croupier_sign_ins", "Links and sign-ons exchanged for tokens.")
        self.clock_jumps = counter("croupier_clock_jumps", "Jumps of the machine's clock.")
        self.entries = counter("croupier_entries", "Entries stored.")
        self.refusals = counter("croupier_refusals", "Commands refused.", ["code"])
        self.listeners = gauge("croupier_listeners", "Open streams of events.")
        self.dropped = counter("croupier_listeners_dropped", "Streams that were too slow.")
        help_ = "What a meter shows that tables of a pit share."
        self._meters = gauge("croupier_linked_meter_cents", help_, ["pit", "link", "meter"])
        self._commit = timer("croupier_commit_seconds", "Time of a commit.")
        self._group = Histogram(
            "croupier_commit_items", "Requests in a commit.", buckets=_SIZES, registry=registry
        )

    def also(self, figures: Collector) -> None:
        self._registry.register(figures)

    def linked(self, pit: str, links: Mapping[str, MeterLink]) -> None:
        for name, link in links.items():
            for meter, cents in link.shown.items():
                self._meters.labels(pit, name, meter).set(cents)

    def answered(
        self, route: str, status: int, seconds: float | None = None, command: object = None
    ) -> None:
        """Count a response and its time, also by command; ``None`` for a stream."""
        if seconds is not None:
            self._times(route).observe(seconds)
        if seconds is not None and command is not None:
            self._commands(command).observe(seconds)
        self._requests(route, status).inc()

    def committed(self, items: int, seconds: float) -> None:
        self._commit.observe(seconds)
        self._group.observe(items)

    def value(self, name: str) -> float:
        return self._registry.get_sample_value(name) or 0.0

    def text(self) -> bytes:
        return generate_latest(self._registry)
