#!/usr/bin/env bash
# Installs Debian's Emacs with its two clients of language servers, eglot and lsp-mode, for tests/lsp/test_editor_snippets.py.
# Safe to run again: it only looks whether they are there.
set -euo pipefail
ELISP=/usr/share/emacs/site-lisp/elpa-src

missing=()
command -v emacs >/dev/null || missing+=(emacs-nox)
compgen -G "$ELISP/eglot-*" >/dev/null || missing+=(elpa-eglot)
compgen -G "$ELISP/lsp-mode-*" >/dev/null || missing+=(elpa-lsp-mode)
((${#missing[@]})) || exit 0

sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
