"""Pages read and forms sent as a browser without scripts does it, over HTTP alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx

from support.served import Served


def browser_of(house: Served, office: str, person: str = "", **more: Any) -> httpx.Client:
    """Return somebody's browser, without scripts."""
    one = house.anybody()
    one.cookies.set("croupier", house.token(office, person, **more))
    return one


def part_of(text: str, part: str) -> str:
    """Return a part of a page, as it is written."""
    found = re.search(rf'<section id="{part}".*?</section>', text, re.DOTALL)
    assert found is not None, part
    return found[0]


def rows_of(text: str, part: str) -> list[list[str]]:
    """Return the rows of the tables of a part, as plain text."""
    return [
        [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t", row)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", part_of(text, part), re.DOTALL)
    ]


def form_of(text: str, name: str) -> dict[str, str]:
    """Return what a form of a page carries: inputs but for boxes, and what each list has chosen."""
    found = re.search(rf'<form[^>]*id="{name}".*?</form>', text, re.DOTALL)
    assert found is not None, name
    inputs = re.findall(r"<input(?![^>]*checkbox)[^>]*>", found[0])
    named = (dict(re.findall(r'(name|value)="([^"]*)"', one)) for one in inputs)
    lists = re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', found[0])
    chosen = {
        one: unescape(re.findall(r'value="([^"]*)"', picked[0] if picked else options)[0])
        for one, options in lists
        for picked in (re.search(r'value="[^"]*" selected', options),)
    }
    return {**{one["name"]: unescape(one.get("value", "")) for one in named}, **chosen}


def sent(
    house: Served,
    browser: httpx.Client,
    path: str,
    form: Mapping[str, str | list[str]],
    origin: str = "",
) -> httpx.Response:
    """Send a form from a page of the service, or from another origin."""
    kind = "application/x-www-form-urlencoded"
    headers = {"Content-Type": kind, "Origin": origin or house.place}
    return browser.post(path, content=urlencode(form, doseq=True), headers=headers)
