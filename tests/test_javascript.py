"""The pages' own JavaScript, linted: `npm install --no-save --legacy-peer-deps eslint@9` in the root, or $ESLINT."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / ".ci" / "eslint.config.mjs"


def lint(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the linter; skips the test where it is not installed."""
    program = Path(os.environ.get("ESLINT", ROOT / "node_modules" / ".bin" / "eslint"))
    if not program.is_file():
        pytest.skip("needs eslint: npm install --no-save --legacy-peer-deps eslint@9")
    command = [str(program), "--config", str(CONFIG), *arguments]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False, timeout=300)


def test_the_pages_are_clean() -> None:
    found = lint("--max-warnings", "0", "bot")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("unknown();", "no-undef"),
        ("const unused = 1;", "no-unused-vars"),
        ("export const same = (a) => a == 1;", "eqeqeq"),
        ("export function big() {\n" + "  location.reload();\n" * 40 + "}", "max-lines-per-function"),
    ],
)
def test_the_linter_finds_faults(text: str, rule: str) -> None:
    found = lint("--stdin", "--stdin-filename", "bot/some.js", text=text)
    assert found.returncode == 1
    assert rule in found.stdout
