"""HTTPS for clients with built-in host names, signed by an authority whose certificate is written."""

from __future__ import annotations

import socket
import ssl
import sys
from pathlib import Path

import pytest
import requests

from bot.fake_lichess import FakeLichess, FaultPlan, FaultRule
from bot.fake_lichess.cli import main
from tests.fake_lichess.conftest import MakeFake


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    pytest.importorskip("trustme", reason="needs the extra fake-lichess[tls]")
    return tmp_path / "ca.pem"


def test_a_client_that_trusts_the_authority_plays_and_others_refuse(make_fake: MakeFake, authority: Path) -> None:
    fake = make_fake(tls=str(authority))
    assert fake.url.startswith("https://127.0.0.1:")
    headers = {"Authorization": f"Bearer {fake.token('bot88')}"}
    address = f"{fake.url}/api/account"
    assert requests.get(address, headers=headers, verify=str(authority), timeout=60).json()["id"] == "bot88"
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(address, headers=headers, timeout=60)
    fake.set_faults(FaultPlan(rules=(FaultRule(fault="reset", times=1),)))
    with pytest.raises(requests.ConnectionError):
        requests.get(address, headers=headers, verify=str(authority), timeout=60)
    fake.restart(0.0)
    assert requests.get(address, headers=headers, verify=str(authority), timeout=60).status_code == 200


@pytest.mark.parametrize("name", ["lichess.org", "explorer.lichess.org", "tablebase.lichess.org", "lichess.test"])
def test_the_certificate_is_for_the_names_of_lichess(make_fake: MakeFake, authority: Path, name: str) -> None:
    fake: FakeLichess = make_fake(tls=str(authority), tls_names=("lichess.test",))
    context = ssl.create_default_context(cafile=str(authority))
    with (
        socket.create_connection(("127.0.0.1", int(fake.url.rpartition(":")[2])), 60) as plain,
        context.wrap_socket(plain, server_hostname=name) as secure,
    ):
        assert secure.version() is not None


def test_what_is_missing_for_https_is_reported(
    authority: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--tls", str(authority.parent / "nowhere" / "ca.pem")]) == 2
    assert "name a file in an existing folder" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "trustme", None)
    assert main(["--tls", str(authority)]) == 2
    assert "install fake-lichess[tls]" in capsys.readouterr().err
