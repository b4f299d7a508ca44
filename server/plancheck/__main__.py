"""`python -m plancheck` and the `plancheck` command."""

from __future__ import annotations

import sys


def main() -> int:
    try:
        from plancheck.cli.main import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130  # as a shell reports a program ended by Ctrl-C


if __name__ == "__main__":
    sys.exit(main())
