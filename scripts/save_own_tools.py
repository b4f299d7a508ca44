"""Save the tools of `plancheck mcp`, as a client sees them, as the catalogue in examples/mcp. With `--check`, say
whether it is up to date, and change nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from plancheck.mcp_server.judge import read_judge
from plancheck.mcp_server.server import described
from plancheck.mcp_server.tools import TOOLS

CATALOGUE = Path(__file__).parent.parent / "examples/mcp/plancheck.tools.json"


def catalogue() -> dict[str, Any]:
    """The result of `tools/list`, as MCP has it on the wire."""
    judge = read_judge("/", None, None)
    tools = (described(tool, judge) for tool in TOOLS.values())
    return {"tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]}


def main() -> int:
    text = json.dumps(catalogue(), indent=2) + "\n"
    if "--check" in sys.argv[1:]:
        return int(CATALOGUE.read_text(encoding="utf-8") != text)
    CATALOGUE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
