"""The process in which regopy evaluates policies. It is a script of its own and imports nothing of ours.

The first line that goes out is the version of regopy, or empty where there is none. Each line that comes in is
`[modules, refs, inputs]` in JSON. Each line that goes out is `{"answers": [[[value] or [], …], …]}`, `{"error": …}`
with what regopy says, or `{"limit": true}`. What its library writes to standard output and error goes nowhere.
"""

import json
import os
import sys
import threading
import time
from typing import Any

MOST_BYTES = 32_000_000
TOO_MUCH_MEMORY = 77
"""The exit status of a process that took too much memory."""
WATCH = 0.02
"""Seconds between two looks at the memory."""


def memory_used() -> int:
    """Bytes that the process has in memory; what cannot be found out is nothing."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # only Linux has this
        return 0


def watch_memory(most: int) -> None:
    """End the process when it takes too much. A limit of the system would not do: the library reserves hundreds of
    gigabytes of addresses when it is loaded, and takes memory from these."""
    while memory_used() < most:
        time.sleep(WATCH)
    os._exit(TOO_MUCH_MEMORY)


def own_output() -> int:
    """Where the answers go: what was standard output, which is nowhere from now on."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


class Evaluator:
    """Answers questions; the policy of the last one stays compiled."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.key: Any = None
        self.interpreter: Any = None
        self.bundle: Any = None

    def answer(self, modules: "dict[str, str]", refs: "list[str]", inputs: "list[Any]") -> "dict[str, Any]":
        try:
            self.compile(modules, refs)
            found: list[Any] = []
            size = 0
            for document in inputs:
                values, length = self.evaluate(document)
                found.append(values)
                size += length
                if size > MOST_BYTES:
                    return {"limit": True}
        except self.library.RegoError as error:
            self.key = None
            return {"error": str(error)}
        except MemoryError:
            self.key = None
            return {"limit": True}
        return {"answers": found}

    def compile(self, modules: "dict[str, str]", refs: "list[str]") -> None:
        if self.key == (modules, refs):
            return
        self.interpreter = self.library.Interpreter()
        for name, text in modules.items():
            self.interpreter.add_module(name, text)
        values = ", ".join(f"[value | value := {ref}]" for ref in refs)
        self.bundle = self.interpreter.build(f"answers = [{values}]")
        if not self.bundle.ok():
            raise self.library.RegoError("the policy cannot be compiled", 1)
        self.key = (modules, refs)

    def evaluate(self, document: Any) -> "tuple[Any, int]":
        shared = self.library.rego_shared
        self.interpreter.set_input_term(json.dumps(document, ensure_ascii=False))
        output = shared.rego_bundle_query(self.interpreter._impl, self.bundle._impl)
        try:
            text = shared.rego_output_string(output)
            if not shared.rego_output_ok(output) or not text.startswith("{"):
                raise self.library.RegoError(text, 1)
            return json.loads(text)["bindings"]["answers"], len(text)
        except ValueError:
            raise self.library.RegoError("an answer that is not JSON", 1) from None
        finally:
            shared.rego_free_output(output)


def main() -> None:
    out = own_output()
    threading.Thread(target=watch_memory, args=(int(sys.argv[1]),), daemon=True).start()
    sys.path += sys.argv[2:]
    try:
        from importlib.metadata import version

        import regopy

        greeting = version("regopy")
    except (ImportError, OSError):
        os.write(out, b"\n")
        return
    evaluator = Evaluator(regopy)
    os.write(out, f"{greeting}\n".encode())
    with os.fdopen(out, "wb") as stream:
        for line in sys.stdin.buffer:
            stream.write(json.dumps(evaluator.answer(*json.loads(line))).encode() + b"\n")
            stream.flush()


if __name__ == "__main__":
    main()
