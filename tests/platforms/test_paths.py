"""Paths as Windows has them, given to the functions that must cope with them. Only `os.path` is exchanged."""

from __future__ import annotations

import ntpath
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from plancheck.lsp import identity
from plancheck.lsp.identity import File, FileKey, Spellings
from plancheck.workspace import files, gate_policy
from plancheck.workspace.reading import ReadError, printable, read_text

WINDOWS = SimpleNamespace(path=ntpath, sep="\\", pardir="..", name="nt")


@pytest.mark.parametrize(
    ("path", "folder", "seen"),
    [
        (r"C:\work\plans\a.plan.json", r"C:\work", "plans/a.plan.json"),
        (r"c:\WORK\plans\a.plan.json", r"C:\work", "plans/a.plan.json"),
        (r"C:\other\a.plan.json", r"C:\work", "../other/a.plan.json"),
        (r"D:\plans\a.plan.json", r"C:\work", "../D/plans/a.plan.json"),
        (r"\\server\share\a.plan.json", r"C:\work", "//server/share/a.plan.json"),
        (r"C:\a.plan.json", "C:\\", "a.plan.json"),
    ],
)
def test_a_path_as_seen_from_a_folder(path: str, folder: str, seen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "os", WINDOWS)
    assert files.relative(path, folder) == seen


def test_windows_does_not_tell_cases_apart_in_whose_policy_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not gate_policy._is_inside("/Work/policy.yaml", "/work")
    monkeypatch.setattr(gate_policy, "os", WINDOWS)
    assert gate_policy._is_inside(r"c:\work\sub", r"C:\Work")
    assert not gate_policy._is_inside(r"C:\workshop", r"C:\Work")


@pytest.mark.parametrize(
    ("folder", "spelled", "path", "uri"),
    [
        ("C:\\", "file:///c%3A/", r"C:\plans\a.plan.json", "file:///c%3A/plans/a.plan.json"),
        (r"C:\w", "file:///c%3A/w", r"C:\w\a b.plan.json", "file:///c%3A/w/a%20b.plan.json"),
        (r"C:\w", "file:///c%3A/w", r"D:\w\a.plan.json", "file:///D:/w/a.plan.json"),
    ],
)
def test_files_below_a_folder_have_uris_in_the_clients_spelling(
    folder: str, spelled: str, path: str, uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "os", WINDOWS)
    monkeypatch.setattr(identity, "Path", PureWindowsPath)
    spellings = Spellings()
    spellings.learn_folder(folder, spelled)
    assert spellings.uri(File(FileKey(path.lower()), path)) == uri


def test_half_a_character_in_a_name_can_be_shown() -> None:
    assert printable("a\ud83d.plan.json") == r"a\ud83d.plan.json"
    assert printable("a\udcff.plan.json") == r"a\xff.plan.json"
    assert printable("a\ud83d\udcff.plan.json").isascii()


def test_a_folder_that_the_system_refuses_to_open_is_called_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("plancheck.workspace.reading.os.open", refuse)
    found = read_text(str(tmp_path))
    assert isinstance(found, ReadError)
    assert found.message == "this is a folder, not a file."
