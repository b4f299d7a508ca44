"""Commands that run what they have just fetched, whatever that is today."""

from __future__ import annotations

from plancheck.lazy_regex import regex

SIGNS = (
    *("curl", "wget", "iwr", "irm", "invoke-", "downloadstring", "npx", "npm exec", "bunx", "uvx", "pipx", "dlx"),
    *("git+", "@latest"),
)
"""One of these is in every such command."""
LONGEST = 20_000
_FETCH = r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b"
_SHELL = r"(?:(?:ba|z|da|k|a|fi)?sh|iex|invoke-expression|pwsh)\b"
_INTERPRETER = r"(?:python[\d.]*|node|perl|ruby|php)\s*-?\s*(?:$|(?=[;|&\n\"')]))"
"""One that is given no script reads what it is fed."""
_RUNNER = rf"(?:\S{{0,50}}/)?(?:{_SHELL}|{_INTERPRETER})"
_PIPED = regex(
    rf"(?i){_FETCH}(?:[^|;&\n]|&(?!&)){{0,2000}}\|\s*(?:tee\s[^|]{{0,200}}\|\s*)?(?:(?:sudo|env|exec|nohup)\s+(?:-\S+\s+)*)?{_RUNNER}"
)
_SUBSTITUTED = regex(
    rf"(?i)(?:\b(?:ba|z|da|k)?sh\b[^;|\n]{{0,100}}|\beval\b[^;|\n]{{0,50}}|\bsource\b\s*|(?:^|[;&|\s])\.\s+|\biex\b\s*)"
    rf"(?:<\(|\$\(|`|\()\s*{_FETCH}"
    rf"|\b(?:python[\d.]*|node|perl|ruby|php)\s+-[cer]\s*[\"']?(?:\$\(|`)\s*{_FETCH}"
)
_DOWNLOADED = regex(r"(?i)\b(?:iex|invoke-expression)\b.{0,200}downloadstring")
_RUN_BY_NAME = regex(
    r"(?i)(?:^|[\s;&|(/])(?:(?:npx|npm\s+exec)\s+(?:--?\S+\s+)*(?:-y|--yes)\b|bunx\b|uvx\b|(?:pnpm|yarn)\s+dlx\b|pipx\s+run\b)"
    r"(?P<options>(?:\s+-{1,2}[\w=.-]+){0,10})\s+(?P<package>[^\s;|&<>)\"']{1,200})"
)
_LATEST = regex(r"(?<![\w@])@?[A-Za-z][\w./-]{0,200}@latest(?![\w.-])")
_GIT = regex(r"\bgit\+(?:https?|ssh|git)://[^\s;|&\"']{1,500}")
_MOVING = frozenset({"main", "master", "head", "develop", "dev", "trunk", "latest"})
_PACKAGE_OPTIONS = ("--from", "-p", "--package", "--spec")


def unpinned_in(command: str) -> str | None:
    """What in a command is fetched and run without a version, in words, if something is."""
    lower = command[:LONGEST].lower()
    if not any(sign in lower for sign in SIGNS):
        return None
    text = command[:LONGEST].replace("\\\n", " ")
    if any(pattern.search(text) is not None for pattern in (_PIPED, _SUBSTITUTED, _DOWNLOADED)):
        return "what it downloads"
    if not all(_has_version(match[0]) for match in _GIT.finditer(text)):
        return "a repository in any state"
    if (match := _LATEST.search(text)) is not None:
        return f"`{match[0]}`"
    for match in _RUN_BY_NAME.finditer(text):
        package = match["package"]
        if not _is_pinned(package) and not any(option in match["options"] for option in _PACKAGE_OPTIONS):
            return f"`{package}` without a version"
    return None


def _has_version(repository: str) -> bool:
    _, _, path = repository.partition("://")[2].partition("/")
    _, sign, version = path.partition("#")[0].rpartition("@")
    return bool(sign) and version.lower() not in _MOVING


def _is_pinned(package: str) -> bool:
    """Whether a package is named with a version, or is a file or a value of the run."""
    name = package[1:] if package.startswith("@") else package
    if "@" in name or "==" in name:
        return name.rpartition("@")[2].lower() not in _MOVING
    return package.startswith((".", "/", "-", "$", "{")) or "://" in package
