"""Starts the language server with the libraries that come with the extension, whatever else is installed."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent / "libs"))
    from plancheck.__main__ import main

    sys.argv = ["plancheck", "lsp", *sys.argv[1:]]
    sys.exit(main())
