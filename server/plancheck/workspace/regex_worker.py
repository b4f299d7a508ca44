"""The process in which patterns are run that could take forever. It is a script of its own and imports nothing of ours.

Each line that comes in is `[pattern, value, most]` in JSON, each line that goes out the places of the first `most`
matches that are not empty, or null for a pattern that cannot be compiled.
"""

import json
import re
import sys
import warnings


def answer(pattern: str, value: str, most: int) -> "list[tuple[int, int]] | None":
    found = []
    try:
        for match in re.finditer(pattern, value):
            if match.end() > match.start():
                found.append(match.span())
                if len(found) == most:
                    break
    except (re.error, OverflowError, RecursionError):
        return None
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
