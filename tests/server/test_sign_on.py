"""Single sign-on by headers of a trusted proxy, which is nginx if it is installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from ipaddress import ip_network
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from croupier.records.codec import from_json
from croupier.server.http.limits import Limits
from croupier.server.resources.page_calls import PAGES
from croupier.server.run import Address
from croupier.server.sign_on import Group, SignOn, read_sign_on
from support.served import Served, problem, served
from support.tables import make_table
from support.volume import WHOLE

GROUPS = (
    Group("dealers", "dealer", "1", ("MB-101",)),
    Group("more dealers", "dealer", "1", ("MB-102",)),
    Group("floor", "floorperson"),
    Group("floor", "surveillance", "2"),
)
HERE = "127.0.0.1/32"


def sign_on(*proxies: str) -> SignOn:
    networks = tuple(ip_network(one) for one in proxies)
    return SignOn(networks, "X-Forwarded-User", "X-Forwarded-Groups", GROUPS)


def is_person(name: str, groups: str) -> dict[str, str]:
    return {"X-Forwarded-User": name, "X-Forwarded-Groups": groups}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with _served(tmp_path, HERE) as one:
        yield one


def _served(
    folder: Path, proxy: str, port: int = 0, origin: str = ""
) -> AbstractContextManager[Served]:
    address = Address(port=port, origin=origin, sign_on=sign_on(proxy))
    return served(folder / "pit.sqlite", more=PAGES, address=address)


def enters(http: httpx.Client, office: str) -> httpx.Response:
    return http.post("/enter", data={"office": office})


def record(house: Served) -> list[tuple[str, str]]:
    entries = [from_json(line) for line in [*house.service.store.lines("pit:1")][1:]]
    return [(one["command"]["type"], one["by"][0]["person"]) for one in entries if one["by"]]


def test_a_person_enters_in_an_office_of_the_groups(house: Served) -> None:
    make_table(house)
    headers = {**is_person("Dana", "staff,dealers"), "Origin": house.place}
    with httpx.Client(base_url=house.place, headers=headers) as http:
        assert http.get("/tables").headers["location"] == "/enter"
        page = http.get("/enter").text
        assert ("Dana" in page, "dealer of pit 1" in page, "floorperson" in page) == (
            True,
            True,
            False,
        )
        assert enters(http, "floorperson@1").status_code == 403
        assert enters(http, "dealer@1").status_code == 303
        mine = http.get("/v1/tokens/mine").json()
        assert (mine["person"], mine["office"], mine["tables"]) == ("Dana", "dealer", ["MB-101"])
        assert record(house)[-2:] == [("GrantOffice", "sign-on"), ("SignIn", "Dana")]

        # Another person at the same desk is not Dana, and a group that was left opens nothing.
        problem(http.get("/v1/tokens/mine", headers=is_person("Flo", "dealers")), 401, "no_token")
        problem(http.get("/v1/tokens/mine", headers=is_person("Dana", "staff")), 401, "no_token")
        # Without the proxy the session is worth nothing.
        token = http.cookies["croupier"]
        bearer = {"Authorization": f"Bearer {token}"}
        problem(httpx.get(f"{house.place}/v1/tokens/mine", headers=bearer), 401, "no_token")
        # Signing in again uses the same grant.
        assert enters(http, "dealer@1").status_code == 303
        assert http.get("/v1/tokens/mine").json()["id"] == mine["id"]


def test_a_program_gets_a_token_and_a_person_changes_office(house: Served) -> None:
    make_table(house)
    with httpx.Client(base_url=house.place, headers=is_person("Flo", "floor,dealers")) as http:
        first = http.post("/v1/tokens", json={"office": "floorperson", "pit": "1"})
        assert first.status_code == 201
        bearer = {"Authorization": f"Bearer {first.json()['token']}"}
        assert http.get("/v1/tokens/mine", headers=bearer).json()["office"] == "floorperson"
        second = http.post("/v1/tokens", json={"office": "dealer", "pit": "1"})
        assert second.status_code == 201
        problem(http.get("/v1/tokens/mine", headers=bearer), 401, "no_token")
        assert ("RevokeGrants", "sign-on") in record(house)


def test_headers_of_any_other_peer_are_refused(tmp_path: Path) -> None:
    with _served(tmp_path, "10.9.8.0/24") as house:
        for path in ("/healthz", "/enter", "/v1/tables"):
            problem(
                httpx.get(f"{house.place}{path}", headers=is_person("Lou", "floor")),
                403, "not_trusted",
            )  # fmt: skip
        told = httpx.post(
            f"{house.place}/v1/tokens", json={"office": "floorperson", "pit": "1"},
            headers=is_person("Lou", "floor"),
        )  # fmt: skip
        problem(told, 403, "not_trusted")
        # Others sign in by links, and a forged address is not believed.
        link = house.link("dealer", "Dana")
        assert httpx.post(f"{house.place}/v1/tokens", json={"link": link}).status_code == 201


def test_a_repeated_or_empty_header_is_refused(house: Served) -> None:
    forged = [("X-Forwarded-User", "Lou"), ("X-Forwarded-User", "Eve"), ("X-Forwarded-Groups", "x")]
    # Some proxies put their value behind that of the client.
    joined = [[*is_person("Eve, Lou", "x").items()], [*is_person("Lou", "floor, staff").items()]]
    for headers in (
        forged, [("X-Forwarded-Groups", "floor")], [("X-Forwarded-User", "")], *joined,
    ):  # fmt: skip
        problem(httpx.get(f"{house.place}/enter", headers=headers), 422, "malformed")


def test_a_stream_through_the_proxy_ends_and_is_resumed_through_it(tmp_path: Path) -> None:
    address = Address(port=0, sign_on=sign_on(HERE))
    limits = Limits(beat_seconds=0.1, stream_seconds=0.3)
    with served(tmp_path / "pit.sqlite", limits, address=address) as house:
        make_table(house)
        with httpx.Client(base_url=house.place, headers=is_person("Dana", "dealers")) as http:
            told = http.post("/v1/tokens", json={"office": "dealer", "pit": "1"}).json()
            http.headers["Authorization"] = f"Bearer {told['token']}"
            heard = http.get("/v1/tables/MB-101/events?after=0", timeout=5).text
            end = 'id: 0\nretry: 1\nevent: resync\ndata: {"seq":0}\n\n'
            assert heard.endswith(f": beat\n\n{end}")
            # The group was left meanwhile.
            left = http.get("/v1/tables/MB-101/events", headers=is_person("Dana", "staff"))
            problem(left, 401, "no_token")
        # Who came by a link, without a proxy, goes on.
        with house.person("board").http.stream("GET", "/v1/tables/MB-101/events") as stream:
            begun = monotonic()
            for _ in stream.iter_lines():
                if monotonic() > begun + 1:
                    return
        raise AssertionError


def test_a_person_is_one_name_in_every_form(house: Served) -> None:
    make_table(house)
    composed, taken_apart = "Jos\u00e9", "Jose\u0301"
    body = {"office": "dealer", "pit": "1"}
    for name in (composed, taken_apart):
        sent = {b"X-Forwarded-User": name.encode(), b"X-Forwarded-Groups": b"dealers"}
        with httpx.Client(base_url=house.place, headers=sent) as http:
            told = http.post("/v1/tokens", json=body)
            assert told.status_code == 201, told.text
            bearer = {"Authorization": f"Bearer {told.json()['token']}"}
            assert http.get("/v1/tokens/mine", headers=bearer).json()["person"] == composed
    # Names that are not UTF-8 would all be read as one.
    for raw in (b"Jos\xe9", b"x" * 41, b"a\xe2\x80\xaeb"):
        answer = httpx.get(f"{house.place}/enter", headers={b"X-Forwarded-User": raw})
        problem(answer, 422, "malformed")


def test_groups_of_one_office_are_one_office(house: Served) -> None:
    make_table(house)
    headers = is_person("Dana", "more dealers,dealers,")
    with httpx.Client(base_url=house.place, headers=headers) as http:
        assert http.get("/enter").text.count("dealer of pit 1") == 1
        told = http.post("/v1/tokens", json={"office": "dealer", "pit": "1"}).json()
        assert told["tables"] == ["MB-101", "MB-102"]


def test_a_refused_change_of_office_ends_nothing(house: Served) -> None:
    make_table(house)
    house.token("floorperson", "Flo")
    with httpx.Client(base_url=house.place, headers=is_person("Flo", "floor,dealers")) as http:
        first = http.post("/v1/tokens", json={"office": "floorperson", "pit": "1"}).json()
        bearer = {"Authorization": f"Bearer {first['token']}"}
        told = http.post("/v1/tokens", json={"office": "dealer", "pit": "1"})
        problem(told, 409, "two_offices")
        assert http.get("/v1/tokens/mine", headers=bearer).status_code == 200
        assert ("RevokeGrants", "sign-on") not in record(house)


def test_a_link_of_another_person_is_not_used_up(house: Served) -> None:
    make_table(house)
    link = house.link("surveillance", "Sue")
    url = f"{house.place}/v1/tokens"
    told = httpx.post(url, json={"link": link}, headers=is_person("Flo", "floor"))
    problem(told, 403, "two_persons")
    told = httpx.post(url, json={"link": link}, headers=is_person("Sue", "staff"))
    assert told.status_code == 201


def test_a_page_of_another_origin_signs_nobody_on(house: Served) -> None:
    make_table(house)
    headers = {**is_person("Flo", "floor"), "Origin": "https://evil.example"}
    before = record(house)
    body = {"office": "floorperson", "pit": "1"}
    told = httpx.post(f"{house.place}/v1/tokens", json=body, headers=headers)
    problem(told, 403, "wrong_origin")
    assert record(house) == before


def test_settings_of_sign_on_are_read_with_every_fault() -> None:
    group = {"group": "floor", "office": "floorperson"}
    found, faults = read_sign_on(["127.0.0.1", "::1/128"], "X-User", "X-Groups", [group])
    assert found is not None
    assert (faults, found.groups) == ([], (Group("floor", "floorperson"),))
    assert found.trusts("::1")
    assert not found.trusts("127.0.0.2")
    _, faults = read_sign_on(
        ["nowhere"], "a", "b", [{"group": "x", "office": "king"}, {"group": "x"}, group]
    )
    assert [one.partition(":")[0] for one in faults] == [
        "--trusted-proxy nowhere", "serve.groups[1]", "serve.groups[2]",
    ]  # fmt: skip
    # A person without groups would be a member of the group without a name.
    for name in ("", " floor", "a,b"):
        faults = read_sign_on(["127.0.0.1"], "a", "b", [{**group, "group": name}])[1]
        (fault,) = faults
        assert fault.startswith(f"serve.groups[1]: group: {name!r} is not the name of a group")
    for person, groups in (("X-User", "x-user"), ("", "b"), ("a", "X Groups"), ("a:", "b")):
        assert "two names of headers" in read_sign_on(["::1"], person, groups, [group])[1][0]
    for proxies, table in ((["127.0.0.1"], None), ([], [group]), (["127.0.0.1"], {"a": 1})):
        assert read_sign_on(proxies, "a", "b", table)[1] == [
            "single sign-on takes --trusted-proxy and the tables [[serve.groups]]"
        ]


# --- a real proxy ---


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


NGINX = """
user root; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $remote_user $groups {{ default ""; dana dealers; flo "floor,dealers"; }}
  server {{
    listen 127.0.0.1:{front};
    auth_basic "pit"; auth_basic_user_file {folder}/users;
    location / {{
      proxy_pass http://127.0.0.1:{back};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-User $remote_user;
      proxy_set_header X-Forwarded-Groups $groups;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header Authorization "";
    }}
  }}
}}
"""


def test_a_real_proxy_signs_people_in(tmp_path: Path) -> None:
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        assert not WHOLE, "nginx is missing"
        pytest.skip("nginx is not installed")
    front, back = free_port(), free_port()
    made = subprocess.run(
        ["openssl", "passwd", "-apr1", "word"],  # noqa: S607  (a tool of the system)
        capture_output=True,
        text=True,
        check=True,
    )
    users = "".join(f"{one}:{made.stdout.strip()}\n" for one in ("dana", "flo"))
    (tmp_path / "users").write_text(users, encoding="utf-8")
    config = tmp_path / "nginx.conf"
    config.write_text(NGINX.format(folder=tmp_path, front=front, back=back), encoding="utf-8")
    origin = f"127.0.0.1:{front}"
    with (
        _served(tmp_path, HERE, back, origin),
        subprocess.Popen([nginx, "-c", config, "-e", tmp_path / "error.log"]) as proxy,  # noqa: S603
    ):
        try:
            _await(front)
            _through(f"http://{origin}")
        finally:
            proxy.terminate()


def _await(port: int) -> None:
    end = monotonic() + 10
    while True:
        with socket.socket() as one:
            if not one.connect_ex(("127.0.0.1", port)):
                return
        assert monotonic() < end
        sleep(0.05)


def _through(place: str) -> None:
    # The proxy of a test speaks no TLS, as the service supposes: cookies are passed on by hand.
    def asks(method: str, path: str, who: str, headers: Mapping[str, str] = {}) -> httpx.Response:
        more = {"Origin": place.replace("http", "https"), **headers}
        return httpx.request(method, f"{place}{path}", auth=(who, "word"), headers=more)

    assert httpx.get(f"{place}/enter").status_code == 401
    forged = asks("GET", "/enter", "dana", is_person("flo", "floor"))
    assert ("dana" in forged.text, "floorperson" in forged.text) == (True, False), forged.text
    body = {"office": "dealer", "pit": "1"}
    told = httpx.post(f"{place}/v1/tokens", json=body, auth=("dana", "word"))
    assert told.status_code == 201, told.text
    cookie = {"Cookie": f"__Host-croupier={told.json()['token']}"}
    mine = asks("GET", "/v1/tokens/mine", "dana", cookie)
    assert (mine.status_code, mine.json()["person"]) == (200, "dana")
    assert asks("GET", "/v1/tokens/mine", "flo", cookie).status_code == 401
    body = {"office": "floorperson", "pit": "1"}
    assert httpx.post(f"{place}/v1/tokens", json=body, auth=("dana", "word")).status_code == 403
    assert httpx.post(f"{place}/v1/tokens", json=body, auth=("flo", "word")).status_code == 201
