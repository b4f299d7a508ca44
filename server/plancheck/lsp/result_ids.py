"""Result ids: the key of everything that a set of diagnostics was made from. As long as it stays, so do they."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING

from plancheck.frozen import fields_of

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings


def _plain(value: object) -> object:
    if isinstance(value, set | frozenset):
        return sorted(value)
    return repr(value)


_encode = json.JSONEncoder(sort_keys=True, default=_plain).encode


def result_id(*inputs: object) -> str:
    """Names some inputs: others have another name."""
    return blake2b(_encode(inputs).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def settings_inputs(settings: Settings) -> list[object]:
    """Every setting, whatever settings there are; the policy and the catalogue by their digests, which they keep."""
    policy, catalogue = settings.policy, settings.catalogue
    named: dict[int, object] = {}
    if policy is not None:
        named[id(policy)] = [policy.digest, *(files.paths for files in policy.rego)]
    if catalogue is not None:
        named[id(catalogue)] = catalogue.digest
    return [named.get(id(value), value) for value in fields_of(settings)]
