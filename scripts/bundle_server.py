"""Put the server and the libraries it needs into the extension: vscode-extension/bundled/libs.

One bundle serves every platform and every Python from 3.10 on, so only pure Python may be in it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUNDLED = ROOT / "vscode-extension" / "bundled"
LIBS = BUNDLED / "libs"
CACHE = ROOT / ".cache" / "bundle"
REQUIREMENTS = BUNDLED / "requirements.txt"
LEFT_OUT = ("__pycache__", "tests", "testing", "bin", "*.pyi", "conftest.py", "RECORD", "INSTALLER", "REQUESTED")


PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
YAML = "pyyaml==6.0.3"
"""Its wheels hold compiled code besides the Python that does the same, and does it alone where the other is missing."""


def install(target: Path) -> None:
    """Install the libraries for the oldest Python, from wheels that contain no compiled code."""
    oldest_python = ["--python-version", "3.10", "--implementation", "py", "--abi", "none", "--platform", "any"]
    where = ["--only-binary", ":all:", "--target", str(target), "--requirement", str(REQUIREMENTS)]
    subprocess.run([*PIP, *oldest_python, *where], check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*PIP, "--only-binary", ":all:", "--target", folder, YAML], check=True)
        for found in (Path(folder) / "yaml", *Path(folder).glob("*.dist-info")):
            shutil.copytree(found, target / found.name, ignore=shutil.ignore_patterns("_yaml*", "__pycache__"))


def libraries() -> Path:
    """The installed libraries, taken from the cache if nothing about them has changed."""
    stamp = hashlib.sha256(REQUIREMENTS.read_bytes() + Path(__file__).read_bytes()).hexdigest()[:16]
    target = CACHE / stamp
    if not target.exists():
        shutil.rmtree(CACHE, ignore_errors=True)
        fresh = CACHE / "unfinished"
        install(fresh)
        fresh.rename(target)
    return target


def main() -> None:
    shutil.rmtree(LIBS, ignore_errors=True)
    shutil.copytree(libraries(), LIBS, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copytree(ROOT / "server" / "plancheck", LIBS / "plancheck", ignore=shutil.ignore_patterns("__pycache__"))
    compiled = [path for path in LIBS.rglob("*") if path.suffix in {".so", ".pyd", ".dylib", ".pyc"}]
    if compiled:
        sys.exit(f"The bundle must be pure Python, and holds {compiled[0].relative_to(LIBS)}.")


if __name__ == "__main__":
    main()
