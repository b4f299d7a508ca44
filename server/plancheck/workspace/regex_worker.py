"""The process in which patterns are run that could take forever. It is a script of its own and imports nothing of ours.

The first line that goes out is `cpu` where the process can be ended by its own use of the processor, else `wall`. Each
line that comes in is `[pattern, value, most, seconds]` in JSON. Each line that goes out is `[places, seconds]`: the
places of the first `most` matches, or null for a pattern that cannot be compiled, and what that took of the processor.
An empty match is about the whole value, as in `policy.regexes.search`. A pattern that takes more than it may ends the
process.
"""

import json
import re
import signal
import sys
import time
import warnings

HAS_TIMER = hasattr(signal, "setitimer")


def answer(pattern: str, value: str, most: int) -> "list[tuple[int, int]] | None":
    found = []
    try:
        for match in re.finditer(pattern, value):
            if match.end() > match.start():
                found.append(match.span())
                if len(found) == most:
                    break
            elif re.search(pattern, "") is None:
                return [(0, len(value))]
    except (re.error, OverflowError, RecursionError):
        return None
    return found


def timed(pattern: str, value: str, most: int, seconds: float) -> "tuple[list[tuple[int, int]] | None, float]":
    started = time.process_time()
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    found = answer(pattern, value, most)
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found, time.process_time() - started


def main() -> None:
    warnings.simplefilter("ignore")
    if HAS_TIMER:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process, also in the midst of a match
    print("cpu" if HAS_TIMER else "wall", flush=True)
    for line in sys.stdin:
        print(json.dumps(timed(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
