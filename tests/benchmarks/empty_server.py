"""pygls with nothing on it: the floor that our own start is compared with."""

from pygls.lsp.server import LanguageServer

LanguageServer("empty", "1").start_io()
