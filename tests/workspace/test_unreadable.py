"""What is no file, or has no name that could be shown, blocks nobody and hides nothing else."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from plancheck.analysis.settings import Settings
from plancheck.workspace.files import Configurations, ReadError, find_plans, read_text
from plancheck.workspace.policies import Policies, PolicyEntry
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, read_bytes
from workspace.folders import git, plant

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    return path


def listed(folder: Path) -> list[str | ReadError]:
    """What is found, by names relative to the folder."""
    prefix = f"{folder}{os.sep}"
    return [
        ReadError(found.path.removeprefix(prefix), found.message)
        if isinstance(found, ReadError)
        else found.removeprefix(prefix)
        for found in find_plans(str(folder), Configurations())
    ]


# ---- what is no file -------------------------------------------------------------------------------------------------


def test_a_pipe_is_not_waited_for(pipe: str) -> None:
    refused = ReadError(pipe, "this is a pipe, not a file.")
    assert read_text(pipe) == refused
    assert Configurations().load(pipe) == refused
    assert Policies(Configurations()).load(PolicyEntry(pipe)) == refused


def test_a_pipe_that_was_named_is_read(pipe: str) -> None:
    writer = threading.Thread(target=Path(pipe).write_text, args=("{}",))
    writer.start()
    assert read_text(pipe, may_wait=True) == "{}"
    writer.join()


def next_descriptor() -> int:
    """The lowest number that no open file has."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor


@pytest.mark.parametrize("may_wait", [True, False])
def test_a_folder_is_no_file_and_is_not_kept_open(tmp_path: Path, may_wait: bool) -> None:
    before = next_descriptor()
    assert read_text(str(tmp_path), may_wait=may_wait) == ReadError(str(tmp_path), "this is a folder, not a file.")
    assert next_descriptor() == before


def test_devices_and_sockets_are_no_files(tmp_path: Path) -> None:
    assert read_text("/dev/zero") == ReadError("/dev/zero", "this is a device, not a file.")
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        assert read_text(path) == ReadError(path, "this is a socket, not a file.")


def test_what_has_no_end_is_not_read_to_its_end() -> None:
    endless = read_bytes("/dev/zero", most=3_000_000, may_wait=True)
    assert endless == ReadError("/dev/zero", "it is too large: at most 3 MB are read.")


def test_the_limit_is_inclusive(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("abc")
    assert read_bytes(str(path), most=3) == b"abc"
    assert isinstance(read_bytes(str(path), most=2), ReadError)


@pytest.mark.parametrize("name", ["plancheck.toml", "plan-policy.yaml"])
def test_settings_that_are_too_large_are_not_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(MOST_BYTES_OF_SETTINGS + 1)
    too_large = ReadError(str(path), "it is too large: at most 16 MB are read.")
    assert Configurations().load(str(path)) == too_large
    assert Policies(Configurations()).load(PolicyEntry(str(path))) == too_large


def test_a_name_that_no_file_can_have() -> None:
    assert read_text("a\0b") == ReadError("a\0b", "no file can have this name.")


PIPE = "this is a pipe, not a file."


def test_a_search_waits_for_no_pipe(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": "{}"})
    git(tmp_path, "init", "-q")
    for name in (".gitignore", "x.plan.json"):
        os.mkfifo(tmp_path / name)
    assert listed(tmp_path) == ["a.plan.json", ReadError("x.plan.json", PIPE)]


def test_a_link_to_nowhere_is_a_plan_that_cannot_be_read(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": "{}", "folder/x": ""})
    (tmp_path / "b.plan.json").symlink_to("nowhere")
    (tmp_path / "c.plan.json").symlink_to("folder")
    (tmp_path / ".#a.plan.json").symlink_to("somebody@host.123")  # the mark of Emacs on a file that is being edited
    assert listed(tmp_path) == ["a.plan.json", ReadError("b.plan.json", "there is no such file or folder.")]


def put_in_its_place(path: Path, what: str) -> str:
    """Something in the place of a file, and why it cannot be read."""
    if what == "pipe":
        os.mkfifo(path)
        return PIPE
    if what == "folder":
        path.mkdir()
        return "this is a folder, not a file."
    if what == "bytes":
        path.write_bytes(b"\xff")
        return "byte 0 (0xff) is not UTF-8: save the file as UTF-8."
    if what == "link to nowhere":
        path.symlink_to("nowhere")
        return "there is no such file or folder."
    path.symlink_to(path)
    return "this symbolic link leads back to itself."


@pytest.mark.parametrize("what", ["pipe", "folder", "bytes", "link to nowhere", "link to itself"])
@pytest.mark.parametrize("name", ["plan-policy.yaml", "plan-policy.yml", "plan-policy.rego"])
def test_what_stands_in_the_place_of_a_policy_is_not_taken_for_none(tmp_path: Path, name: str, what: str) -> None:
    why = put_in_its_place(tmp_path / name, what)
    plan = str(tmp_path / "folder" / "a.plan.json")
    policies = Policies(Configurations())
    assert policies.paths_for(plan) == (str(tmp_path / name),)
    (fault,) = policies.over(Settings(), plan).policy_faults
    assert fault == f"The policy {name} cannot be read, so nothing was checked against it: {why}"


@pytest.mark.parametrize("what", ["pipe", "folder", "bytes", "link to nowhere", "link to itself"])
@pytest.mark.parametrize("name", ["plancheck.toml", "pyproject.toml"])
def test_what_stands_in_the_place_of_a_configuration_is_not_taken_for_none(
    tmp_path: Path, name: str, what: str
) -> None:
    why = put_in_its_place(tmp_path / name, what)
    configurations = Configurations()
    assert configurations.above(str(tmp_path)).config is None
    assert configurations.errors == [ReadError(str(tmp_path / name), why)]


# ---- names and links -------------------------------------------------------------------------------------------------

NOT_UTF8 = "its name is not UTF-8, so it was not checked: rename it."


def test_a_name_that_is_not_utf8_hides_no_other_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": "", "z/c.plan.json": ""})
    (tmp_path / os.fsdecode(b"b\xff.plan.json")).touch()
    inner = tmp_path / os.fsdecode(b"d\xfe")
    plant(inner, {"e.plan.json": "", "plancheck.toml": 'include = ["*"]', "notes.txt": ""})
    assert listed(tmp_path) == [
        "a.plan.json",
        ReadError("b\\xff.plan.json", NOT_UTF8),
        ReadError("d\\xfe/e.plan.json", NOT_UTF8),
        "z/c.plan.json",
    ]


def test_a_link_in_a_circle_hides_no_other_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": "", "c.plan.json": ""})
    (tmp_path / "b.plan.json").symlink_to(tmp_path / "b.plan.json")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert listed(tmp_path) == [
        "a.plan.json",
        ReadError("b.plan.json", "this symbolic link leads back to itself."),
        "c.plan.json",
    ]
    (tmp_path / "c.plan.json").unlink()
    loop = str(tmp_path / "b.plan.json")
    assert read_text(loop) == ReadError(loop, "this symbolic link leads back to itself.")
