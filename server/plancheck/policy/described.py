"""What the keys of a file that people write by hand mean: the one description that its reader, hover and completion are
made of. Policies (`policy.keys`) and configurations (`workspace.config_keys`) have a table of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from plancheck.text import Span
from plancheck.tuples import NamedTuple

EntryPath: TypeAlias = "tuple[str | int, ...]"
FormId: TypeAlias = "Enum | str"


class Named(Enum):
    """What a name in such a file is the name of."""

    TOOL = "tool"
    ARGUMENT = "argument"
    """`tool.argument`"""
    RULE = "rule"


class SingleValue(NamedTuple):
    """A single value."""

    kind: type[str] | type[int] | type[float] | type[bool]
    """`int` is a whole number, `float` any."""
    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    """What a text must match somewhere, as a regular expression of JSON Schema."""


NAME = SingleValue(str, pattern=r"\S")
"""A text that is not blank."""


class DescribedKey(NamedTuple):
    """A key, and the form that its value has. A reader goes by the form, and so do hover and completion."""

    name: str
    form: FormId
    summary: str
    """In Markdown, a sentence without a full stop."""
    without: str = ""
    """What holds without the key, likewise."""
    is_required: bool = False


class ValueForm(NamedTuple):
    """What values of a form look like. Several may be allowed: a word, or a table instead of it."""

    written: str
    """In words, as in `It is …`."""
    words: Mapping[str, str] = {}
    """The words to choose from, with what they mean."""
    named: Named | None = None
    """What a text of this form is the name of."""
    keys: tuple[DescribedKey, ...] = ()
    """The keys of a table."""
    key_names: Named | None = None
    """What the author's own keys of a table are names of; see `members`."""
    key_words: Mapping[str, str] = {}
    """Or the words to choose them from."""
    members: FormId | None = None
    """The form of what is under keys of the author's own."""
    particular: Mapping[str, FormId] = {}
    """The forms of what is under some of these, where they differ."""
    items: FormId | None = None
    """The form of the elements of a list."""
    scalar: SingleValue | None = None
    """What a single value of this form is, where it is none of `words`."""
    least_items: int = 0
    most_items: int | None = None
    """How long a list may be."""
    one_of_keys: tuple[str, ...] = ()
    """Keys of which a table must have one at least."""
    sample: str = ""
    """What to begin a value with, as an editor's snippet; by default what follows from the rest."""

    @property
    def is_table(self) -> bool:
        return bool(self.keys) or self.members is not None

    @property
    def is_list(self) -> bool:
        return self.items is not None


class KeyTable(NamedTuple):
    """All keys of a kind of file."""

    root: FormId
    forms: Mapping[FormId, ValueForm]

    def form(self, path: EntryPath) -> ValueForm | None:
        """What may stand at a path; None where nothing is known."""
        found = self._form(path)
        return self.forms[found] if found is not None else None

    def key(self, path: EntryPath) -> DescribedKey | None:
        """The key that a path ends with; None for a key of the author's own."""
        around = self.form(path[:-1]) if path else None
        return next((key for key in around.keys if key.name == path[-1]), None) if around is not None else None

    def _form(self, path: EntryPath) -> FormId | None:
        found: FormId | None = self.root
        for part in path:
            if found is None:
                return None
            form = self.forms[found]
            if isinstance(part, int):
                found = form.items
            else:
                usual = form.particular.get(part, form.members)
                found = next((key.form for key in form.keys if key.name == part), usual)
        return found


class PlacedEntry(NamedTuple):
    """A key with its value, or an element of a list, and where it stands in the text."""

    path: EntryPath
    key: Span | None
    """None for an element of a list."""
    value: Span
    scalar: str | int | float | bool | None = None
    """The value; None for a list, a table or nothing."""
