"""The source distribution has all that building the package needs, the page included."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tarfile

import pytest

import noregret as nr
from conftest import ROOT


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    maturin = pathlib.Path(sys.executable).with_name("maturin")
    manifest = ROOT / "python/Cargo.toml"
    subprocess.run([maturin, "sdist", "--manifest-path", manifest, "--out", folder], check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / f"noregret-{nr.__version__}"


def test_the_source_distribution_builds_without_the_repository(unpacked: pathlib.Path) -> None:
    # Cargo reads every manifest of the workspace, finds every target's file, and changes nothing in the lock file.
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--manifest-path"]
    found = subprocess.run([*command, unpacked / "python/Cargo.toml"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    ours = [package for package in json.loads(found.stdout)["packages"] if package["name"].startswith("noregret")]
    assert {"noregret-python", "noregret", "noregret-serve", "noregret-holdem", "noregret-dominoes"} <= {
        package["name"] for package in ours
    }
    for package in ours:
        assert package["version"] == nr.__version__
        for target in package["targets"]:
            if target["kind"] not in (["test"], ["bench"], ["example"]):
                assert pathlib.Path(target["src_path"]).is_file(), target["src_path"]


def test_the_source_distribution_has_the_page_and_the_licences(unpacked: pathlib.Path) -> None:
    page = (unpacked / "crates/serve/page.pack").read_bytes()
    names = [line.split()[1] for line in page.split(b"\n\n")[0].splitlines() if line.startswith(b"file ")]
    assert b"index.html" in names and any(name.endswith(b".js") for name in names)
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "noregret/py.typed", "noregret/_noregret.pyi", "pyproject.toml"]:
        assert (unpacked / name).is_file(), name
    assert f"Version: {nr.__version__}\n" in (unpacked / "PKG-INFO").read_text()


def test_the_installed_package_has_the_licences_and_the_version_of_the_workspace() -> None:
    from importlib.metadata import distribution

    package = distribution("noregret")
    names = {pathlib.PurePath(str(file)).name for file in package.files or []}
    assert {"LICENSE-APACHE", "LICENSE-MIT", "py.typed"} <= names
    assert package.version == nr.__version__ and package.metadata["License-Expression"] == "MIT OR Apache-2.0"
    needed = [name for name in package.requires or [] if "extra ==" not in name]
    assert needed == ["numpy>=1.23"], "Ray is for those who ask for noregret[cluster]"
