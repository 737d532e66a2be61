"""Liveness, readiness, and metrics on a port of their own, under any host name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final

from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.server.certificates import Certificates
from croupier.server.http.calls import json_answer
from croupier.server.http.metrics import Metrics
from croupier.server.resources.read_calls import liveness, readiness
from croupier.server.service import Service

_READY: Final = "Whether requests are taken."


class ServiceFigures(Collector):
    def __init__(self, service: Service, certificates: Certificates | None = None) -> None:
        self._service: Final = service
        self._certificates: Final = certificates

    def describe(self) -> list[GaugeMetricFamily]:
        """Describe nothing: a registry would otherwise collect before the service starts."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if not self._service.is_ready:
            yield GaugeMetricFamily("croupier_ready", _READY, 0)
            return
        for name, (description, value) in self.figures().items():
            yield GaugeMetricFamily(f"croupier_{name}", description, value)

    def figures(self) -> dict[str, tuple[str, float]]:
        service = self._service
        desks = [*service.desks.values()]
        owned = [desk for desk in desks if not desk.lost]
        tables = [*service.tables.values()]
        hubs = [*service.pit_hubs.values(), *(table.hub for table in tables)]
        judged = [table for table in tables if not table.desk.lost]
        found = {
            "ready": (_READY, float(service.ready)),
            "tables": ("Tables served or followed.", len(tables)),
            "records_owned": ("Records that this process owns.", len(owned)),
            "records_followed": ("Records of other processes.", len(desks) - len(owned)),
            "queue_items": ("Requests that wait for a commit.", service.commits.queued),
            "long_queries": (
                "Verifications and other long queries that run or wait.",
                service.verifier.queries + service.calculator.queries,
            ),
            "follower_lag_entries": (
                "Most messages that wait for one stream of events.",
                max((hub.lag for hub in hubs), default=0),
            ),
            "alarms": (
                "Records that differ from what was decided.",
                sum(table.alarm.divergence is not None for table in tables)
                + sum(desk.differs and not desk.owner for desk in desks),
            ),
            "alarm_lag_entries": (
                "Most entries of a table that are not verified yet.",
                max((table.alarm.lag for table in judged), default=0),
            ),
            "tables_without_secret": (
                "Tables whose sealed shoe cannot be dealt.", len(service.without_secret)
            ),
            "grants": ("Grants in force.", len(service.grants.standing(service.now()))),
        }  # fmt: skip
        if service.leases is not None:
            found["lease_age_seconds"] = (
                "Time since the leases were renewed.", service.leases.age
            )  # fmt: skip
        if service.clock_jumped is not None:
            age = monotonic() - service.clock_jumped
            found["clock_jump_age_seconds"] = ("Time since the clock last jumped.", age)
        path = service.store.path
        if isinstance(path, Path):
            with suppress(OSError):
                free = os.statvfs(path.parent)
                found["store_free_bytes"] = (
                    "Free space of the store's file system.", free.f_bavail * free.f_frsize
                )  # fmt: skip
                found["store_bytes"] = ("Size of the store's file.", path.stat().st_size)
        if self._certificates is not None:
            # The certificate in use, which a new file that does not match its key is not.
            seconds_left = self._certificates.until - time()
            found["certificate_seconds"] = ("Time until the certificate expires.", seconds_left)
        return found


class Probes:
    def __init__(self, service: Service) -> None:
        self._service: Final = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            return Response(status_code=405, headers={"Allow": "GET, HEAD"})
        match scope["path"]:
            case "/healthz":
                return json_answer(liveness())
            case "/readyz":
                return json_answer(*readiness(self._service))
            case "/metrics":
                text = self._service.metrics.text()
                return Response(text, headers={"content-type": Metrics.content_type})
            case _:
                return Response(status_code=404)
