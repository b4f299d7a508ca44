"""`python -m plancheck` and the `plancheck` command."""

from __future__ import annotations

import sys


def main() -> int:
    argv = sys.argv[1:]
    try:
        if argv[:1] == ["lsp"]:  # here and not in `cli`: the command line and the server know nothing of each other
            from plancheck.lsp.server import main as serve

            return serve(argv[1:])
        from plancheck.cli.main import run

        return run(argv)
    except KeyboardInterrupt:
        return 130  # as a shell reports a program ended by Ctrl-C


if __name__ == "__main__":
    sys.exit(main())
