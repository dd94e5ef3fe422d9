"""The files for operators: they can be read, agree with each other, and name settings that exist."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.service.signals import ExitCode
from bot.settings import parse_settings
from engine88.compiler.kernel_cache import SHIPPED

ROOT = Path(__file__).parents[1]
USER = 1000


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return document


def manifests() -> dict[str, dict[str, Any]]:
    """The Kubernetes objects by their kind."""
    text = (ROOT / "docs" / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")
    return {document["kind"]: document for document in yaml.safe_load_all(text)}


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    parser.read_string((ROOT / "docs" / "deploy" / "bot88.service").read_text(encoding="utf-8"))
    return parser


def dockerfile() -> list[str]:
    """Its instructions, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [line for line in bare.replace("\\\n", " ").splitlines() if line.strip()]


CONFIGURATIONS = {
    "container.yml": (ROOT / "config" / "container.yml").read_text(encoding="utf-8"),
    "compose.yaml": compose()["configs"]["bot88"]["content"],
    "kubernetes.yaml": manifests()["ConfigMap"]["data"]["bot88.yml"],
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_configuration_keeps_everything_on_the_volume(name: str) -> None:
    without_token = re.sub(r"lichess:\n\s+token_file: .*\n", "", CONFIGURATIONS[name])
    settings = parse_settings(without_token, name)
    assert settings.store is not None
    assert settings.pgn_folder is not None
    assert {settings.store.parent, settings.pgn_folder.parent} == {Path("/data")}


def test_compose_locks_the_service_up_and_gives_it_time_to_end() -> None:
    service = compose()["services"]["bot88"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["init"] is True
    assert service["stop_grace_period"] == "10m"
    assert service["volumes"] == ["data:/data"]
    assert {"mem_limit", "cpus", "pids_limit", "restart"} <= set(service)


def test_compose_hands_the_token_over_as_a_secret_alone() -> None:
    document = compose()
    service = document["services"]["bot88"]
    (secret,) = service["secrets"]
    assert secret in document["secrets"]
    assert f"token_file: /run/secrets/{secret}" in document["configs"]["bot88"]["content"]
    assert "BOT88_TOKEN" not in service["environment"]


def test_kubernetes_never_runs_two_bots_at_once() -> None:
    spec = manifests()["Deployment"]["spec"]
    assert spec["replicas"] == 1
    assert spec["strategy"] == {"type": "Recreate"}


def test_every_volume_of_kubernetes_is_defined_and_filled() -> None:
    objects = manifests()
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert set(volumes) == set(mounts)
    assert volumes["data"]["persistentVolumeClaim"]["claimName"] == objects["PersistentVolumeClaim"]["metadata"]["name"]
    assert volumes["config"]["configMap"]["name"] == objects["ConfigMap"]["metadata"]["name"]
    assert f"token_file: {mounts['token']}/token" in CONFIGURATIONS["kubernetes.yaml"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert pod["securityContext"]["runAsUser"] == USER


def test_the_unit_does_not_start_again_what_cannot_mend_itself() -> None:
    service = unit()["Service"]
    codes = {int(code) for code in service["RestartPreventExitStatus"].split()}
    assert codes == {ExitCode.CONFIGURATION, ExitCode.ACCOUNT}
    assert service["Restart"] == "on-failure"
    assert service["KillSignal"] == "SIGTERM"


def test_the_unit_is_hardened_and_lets_the_engine_run_compiled_code() -> None:
    service = unit()["Service"]
    for key in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "LockPersonality", "DynamicUser"):
        assert service[key] == "yes", key
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert "MemoryDenyWriteExecute" not in service


def test_the_image_runs_unprivileged_with_its_state_on_one_volume() -> None:
    lines = dockerfile()
    final = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM")) :]
    assert "USER bot88" in final
    assert any(f"useradd --uid {USER}" in line for line in final)
    assert 'VOLUME ["/data"]' in final
    assert not any("pip" in line for line in final)


def test_the_image_asks_the_bot_itself_whether_it_is_well() -> None:
    (check,) = [line for line in dockerfile() if line.startswith("HEALTHCHECK")]
    command = json.loads(check[check.index("CMD ") + 4 :])
    assert command[-3:] == ["-m", "bot", "health"]
    assert "HEALTHCHECK NONE" not in check
    assert any("BOT88_DASHBOARD_DEFAULT=on" in line for line in dockerfile())


def test_the_images_kernels_are_portable_and_lie_outside_the_volume() -> None:
    text = "\n".join(dockerfile())
    (compiled,) = re.findall(r"ENGINE88_TARGET=portable ENGINE88_CACHE_DIR=(\S+)", text)
    assert f"COPY --from=kernels {compiled} /opt/bot88/program/engine88/{SHIPPED.name}" in text
    assert re.findall(r"ENGINE88_CACHE_DIR=(\S+)", text)[-1] == "/data/cache"


def test_bytecode_is_found_beside_the_program_and_not_stale() -> None:
    """Copying into a layer rounds a file's time, which bytecode names: the time is set to a whole second before."""
    text = "\n".join(dockerfile())
    (folder,) = re.findall(r"export PYTHONPYCACHEPREFIX=(\S+)", text)
    assert f"COPY --from=bytecode {folder} {folder}" in text
    assert re.findall(r" PYTHONPYCACHEPREFIX=(\S+)", text)[-1] == folder
    for copied in ("/opt/venv", "/opt/bot88/program"):
        assert re.search(rf"find {copied} (-type f )?-exec touch --date=@\d+ ", text), copied


def test_a_change_of_the_bot_leaves_the_compiled_kernels_alone() -> None:
    lines = dockerfile()
    begin = next(number for number, line in enumerate(lines) if line.endswith(" AS kernels"))
    stage = lines[begin : next(number for number in range(begin + 1, len(lines)) if lines[number].startswith("FROM"))]
    assert lines[begin].startswith("FROM dependencies ")
    assert [line for line in stage if line.startswith("COPY")] == ["COPY engine88 /build/engine88"]


def test_a_change_of_the_code_leaves_the_layer_of_the_dependencies_alone() -> None:
    lines = dockerfile()
    installs = next(number for number, line in enumerate(lines) if "-r requirements.txt" in line)
    begin = max(number for number, line in enumerate(lines[:installs]) if line.startswith("FROM"))
    copied = [line for line in lines[begin:installs] if line.startswith("COPY")]
    assert copied == ["COPY constraints.txt ./", "COPY --from=requirements /requirements.txt ./"]


def test_what_the_image_copies_is_in_its_context() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sources = [
        word.split("/")[0]
        for line in dockerfile()
        if line.startswith("COPY") and "--from" not in line
        for word in line.split()[1:-1]
    ]
    assert sources
    assert {f"!{source}" for source in sources} <= set(ignore)


def documented_metrics() -> set[str]:
    """The metrics in the table of docs/dashboard.md; tests of the dashboard compare it with what is served."""
    page = (ROOT / "docs" / "dashboard.md").read_text(encoding="utf-8")
    return {
        name for line in page.splitlines() if line.startswith("| `bot88_") for name in re.findall(r"`(bot88_\w+)", line)
    }


@pytest.mark.parametrize("name", ["prometheus-rules.yml", "grafana-dashboard.json"])
def test_alerts_and_panels_ask_for_metrics_that_exist(name: str) -> None:
    text = (ROOT / "docs" / "deploy" / name).read_text(encoding="utf-8")
    asked = {re.sub(r"_(bucket|sum|count)$", "", metric) for metric in re.findall(r"\bbot88_[a-z_]+", text)}
    assert asked
    assert asked - documented_metrics() == set()


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool (Debian package prometheus)")
def test_promtool_finds_the_rules_right() -> None:
    rules = str(ROOT / "docs" / "deploy" / "prometheus-rules.yml")
    done = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_alert_says_what_is_wrong() -> None:
    (group,) = yaml.safe_load((ROOT / "docs" / "deploy" / "prometheus-rules.yml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]:
        assert {"alert", "expr", "annotations"} <= set(rule)
        assert rule["annotations"]["summary"]


def test_the_panels_of_the_dashboard_have_places_of_their_own() -> None:
    board = json.loads((ROOT / "docs" / "deploy" / "grafana-dashboard.json").read_text(encoding="utf-8"))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(places) == len(set(places)) == len({panel["id"] for panel in board["panels"]})
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in board["panels"])


def test_the_dashboard_is_published_to_this_machine_alone_and_probed_where_it_listens() -> None:
    service = compose()["services"]["bot88"]
    assert service["ports"] == ["127.0.0.1:8088:8088"]
    (container,) = manifests()["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"] == {"path": "/healthz", "port": "dashboard"}
    assert "livenessProbe" not in container
    assert {"name": "BOT88__DASHBOARD__HOST", "value": "0.0.0.0"} in container["env"]


def test_the_index_names_the_page_about_deployment_and_it_names_every_file() -> None:
    assert "(deploy.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", page)
    assert {"../compose.yaml", "deploy/kubernetes.yaml", "deploy/bot88.service"} <= set(links)
    assert all((ROOT / "docs" / link).exists() for link in links)
