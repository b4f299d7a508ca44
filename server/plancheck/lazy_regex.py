"""Regular expressions that are compiled when they are first used: most of them are for texts that few plans have, and
compiling all takes a tenth of the time of `plancheck check`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


class _LazyPattern:
    """Becomes the compiled pattern, method by method, as it is used."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._source), name)  # `re` keeps what it has compiled
        setattr(self, name, found)
        return found


if TYPE_CHECKING:

    def regex(pattern: str, flags: int = 0) -> re.Pattern[str]: ...

else:
    regex = _LazyPattern
