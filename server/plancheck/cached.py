"""Values that are worked out when they are first asked for: `functools.cached_property` without its lock.

Up to Python 3.11 that takes a lock around each value, which is a tenth of the time of an edit. Two threads that ask at
once may both work it out here; what they get is equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801 - it stands in for the one of that name
        def __init__(self, work_out):
            self._work_out = work_out
            self._name = work_out.__name__
            self.__doc__ = work_out.__doc__

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._work_out(instance)
            return value


__all__ = ["cached_property"]
