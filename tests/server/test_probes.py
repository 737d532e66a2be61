"""Probes and metrics on a port of their own, and names under which the service is asked for."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from croupier.server.run import Address, bind
from support.project import ROOT
from support.served import served
from support.tables import make_table
from support.volume import WHOLE


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def figures(text: str) -> Mapping[str, float]:
    return {
        sample.name + "".join(f" {one}" for one in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_probes_answer_under_any_host_and_leave_the_port_of_the_service(tmp_path: Path) -> None:
    port = free_port()
    address = Address(port=0, metrics=("127.0.0.1", port))
    with served(tmp_path / "pit.sqlite", address=address) as house:
        at, any_host = f"http://127.0.0.1:{port}", {"Host": "10.1.2.3:8750"}
        assert httpx.get(f"{at}/healthz", headers=any_host).json()["alive"] is True
        ready = httpx.get(f"{at}/readyz", headers=any_host)
        assert (ready.status_code, ready.json()) == (200, {"ready": True, "tables": 0})
        assert httpx.head(f"{at}/healthz").status_code == 200
        assert httpx.post(f"{at}/healthz").status_code == 405
        assert httpx.get(f"{at}/v1/tables").status_code == 404
        http = house.anybody()
        assert {http.get(one).status_code for one in ("/readyz", "/metrics")} == {404}
        assert http.get("/healthz").status_code == 200
        assert http.get("/healthz", headers=any_host).status_code == 421

        make_table(house)
        dealer = house.person("dealer", "Dana")
        assert dealer.does("MB-101", {"type": "CallNoMoreBets"}).status_code >= 400
        found = figures(httpx.get(f"{at}/metrics", headers=any_host).text)
        assert found["croupier_ready"] == found["croupier_tables"] == 1
        assert found["croupier_records_owned"] == 2
        assert found["croupier_queue_items"] == found["croupier_alarms"] == 0
        assert found["croupier_command_seconds_count CallNoMoreBets"] == 1
        assert found["croupier_request_seconds_count /v1/tables"] == 1
        assert found["croupier_commit_items_count"] >= 1
        assert found["croupier_store_free_bytes"] > 1 << 20
        assert found["croupier_grants"] == 2
        assert found["croupier_alarm_lag_entries"] <= 1
        assert found["process_resident_memory_bytes"] > 1 << 20
        text = httpx.get(f"{at}/metrics").text
        assert "Dana" not in text
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{at}/healthz")


def test_a_lost_store_is_alive_and_not_ready(tmp_path: Path) -> None:
    port, store = free_port(), tmp_path / "pit.sqlite"
    address = Address(port=0, metrics=("127.0.0.1", port))
    with served(store, address=address):
        for path in tmp_path.iterdir():
            path.unlink()
        at = f"http://127.0.0.1:{port}"
        for _ in range(100):
            ready = httpx.get(f"{at}/readyz")
            if ready.status_code == 503:
                break
        assert ready.json()["store"] == "lost"
        assert figures(httpx.get(f"{at}/metrics").text)["croupier_ready"] == 0
        assert httpx.get(f"{at}/healthz").status_code == 200


def test_an_ipv6_address_is_bound_and_asked_for(tmp_path: Path) -> None:
    try:
        bind("::1", 0).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with served(tmp_path / "pit.sqlite", address=Address("::1", 0)) as house:
        assert house.place.startswith("http://[::1]:")
        assert httpx.get(f"{house.place}/healthz").status_code == 200


@pytest.mark.parametrize("of", ["service", "metrics"])
def test_a_port_that_is_taken_ends_the_start_and_frees_the_store(of: str, tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        metrics = Address(port=0, metrics=("127.0.0.1", port))
        address = metrics if of == "metrics" else Address(port=port)
        with pytest.raises(OSError, match="in use"), served(store, address=address):
            pass
    with served(store):
        pass


# --- alert rules and the dashboard ---

OPERATIONS = ROOT / "docs" / "examples" / "operations"
OF_OTHER_KINDS = {
    "croupier_lease_age_seconds", "croupier_certificate_seconds", "croupier_clock_jump_age_seconds"
}  # fmt: skip
"""Metrics of a service on PostgreSQL, with TLS, or whose clock has jumped."""


def expressions() -> list[str]:
    dashboard = json.loads((OPERATIONS / "dashboard.json").read_text(encoding="utf-8"))
    shown = [one["expr"] for panel in dashboard["panels"] for one in panel["targets"]]
    rules = (OPERATIONS / "alerts.yml").read_text(encoding="utf-8")
    return [*shown, *re.findall(r"expr: (?:>-\n)?(.*)", rules)]


def test_alerts_and_dashboard_ask_for_metrics_that_exist(tmp_path: Path) -> None:
    asked = {
        re.sub(r"_bucket$", "", name)
        for text in expressions()
        for name in re.findall(r"\b(?:croupier|process)_\w+", text)
    }
    with served(tmp_path / "pit.sqlite") as house:
        text = house.anybody().get("/metrics").text
    known = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)) | OF_OTHER_KINDS
    known |= {f"{name}_{end}" for name in known for end in ("count", "sum")}
    assert len(asked) > 20
    assert asked <= known


def promtool() -> str:
    tool = shutil.which("promtool")
    if tool is None:
        if WHOLE:
            pytest.fail("promtool is missing: install prometheus")
        pytest.skip("promtool is not installed")
    return tool


SLOW = {'{le="0.1"}': "0x300", '{le="0.2"}': "0x300",
        '{le="0.5"}': "0+3x40 120x260", '{le="+Inf"}': "0+3x40 120x260"}  # fmt: skip
"""What takes 200 to 500 ms, once in five seconds for ten minutes."""
COURSES: Mapping[str, tuple[str, Mapping[str, str], str, str]] = {
    "CroupierDown": ("up", {'{job="croupier"}': "0x10 1x90"}, "1m", "5m"),
    "CroupierNotReady": ("croupier_ready", {"": "0x10 1x90"}, "1m", "5m"),
    "CroupierRecordDiffers": ("croupier_alarms", {"": "1x10 0x90"}, "1m", "5m"),
    "CroupierShoeWithoutSecret": ("croupier_tables_without_secret", {"": "1x10 0x90"}, "1m", "5m"),
    "CroupierDiskFull": ("croupier_store_free_bytes", {"": "999e6x10 1001e6x90"}, "2m", "5m"),
    "CroupierSlow": ("croupier_command_seconds_bucket", SLOW, "9m", "20m"),
    "CroupierCommitSlow": ("croupier_commit_seconds_bucket", SLOW, "9m", "20m"),
    # It jumps before Prometheus asks for the first time: a counter would not be seen to grow.
    "CroupierClockJumped": ("croupier_clock_jump_age_seconds", {"": "1+15x90"}, "1m", "11m"),
    "CroupierCertificateExpires": (
        "croupier_certificate_seconds", {"": "1209600-15x300 7776000-15x90"}, "70m", "80m"
    ),
    "CroupierLeaseOld": ("croupier_lease_age_seconds", {"": "4x10 0x90"}, "1m", "5m"),
    "CroupierRefusedAtTheDoor": (
        "croupier_requests_total", {'{status="401"}': "0+90x40 3600x90"}, "10m", "20m"
    ),
}  # fmt: skip
"""For each alert a metric, its values every 15 seconds, and when it is raised and has ended."""


def test_each_alert_is_raised_and_ends(tmp_path: Path) -> None:
    tool, rules = promtool(), OPERATIONS / "alerts.yml"
    assert [*COURSES] == re.findall(r"alert: (\w+)", rules.read_text(encoding="utf-8"))
    tests = [
        {
            "interval": "15s",
            "input_series": [
                {"series": f"{metric}{labels}", "values": course}
                for labels, course in courses.items()
            ],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})',
                    "eval_time": at, "exp_samples": found,
                }
                for at, found in ((raised, [{"labels": "{}", "value": 1}]), (ended, []))
            ],
        }
        for alert, (metric, courses, raised, ended) in COURSES.items()
    ]  # fmt: skip
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps({"rule_files": [str(rules)], "tests": tests}), encoding="utf-8")
    done = subprocess.run(  # noqa: S603  (a tool of the system)
        [tool, "test", "rules", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_alert_rules(tmp_path: Path) -> None:
    tool = promtool()
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"^```yaml\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    rules_here = settings.replace("/etc/prometheus/alerts.yml", str(OPERATIONS / "alerts.yml"))
    (tmp_path / "prometheus.yml").write_text(rules_here, encoding="utf-8")
    done = subprocess.run(  # noqa: S603  (a tool of the system)
        [tool, "check", "config", tmp_path / "prometheus.yml"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    rules = re.findall(r"alert: (\w+)", (OPERATIONS / "alerts.yml").read_text(encoding="utf-8"))
    assert f"{len(rules)} rules found" in done.stdout
