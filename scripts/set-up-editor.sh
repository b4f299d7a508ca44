#!/usr/bin/env bash
# Installs real editors for the tests. For tests/editor a VS Code: code-server from npm (workbench, extension host and
# the built-in JSON server), driven through Debian's Chromium by playwright-core. For tests/lsp Debian's Neovim.
#
# Repeated runs cost nothing: everything lands in .cache/editor, stamped with the checksum of this script.
set -euo pipefail
cd "$(dirname "$0")/.."

CODE_SERVER=4.100.3    # the newest one that runs on Node 20; it is VS Code 1.100
PLAYWRIGHT=1.52.0
HOME_DIR=.cache/editor
STAMP=$HOME_DIR/.ready
WANTED=$(sha256sum "$0" | cut -d' ' -f1)

npm_quiet() { npm --no-audit --no-fund --loglevel=error "$@"; }

install_debian_packages() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  command -v rg >/dev/null || missing+=(ripgrep)
  command -v nvim >/dev/null || missing+=(neovim)
  ((${#missing[@]})) || return 0
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# Install scripts are off: one of them downloads ripgrep from a server of its own. The native modules that the
# workbench cannot do without are then built by name.
install_code_server() {
  mkdir -p "$HOME_DIR"
  cat >"$HOME_DIR/package.json" <<JSON
{"name": "plancheck-editor", "private": true, "dependencies": {"code-server": "$CODE_SERVER", "playwright-core": "$PLAYWRIGHT"}}
JSON
  cd "$HOME_DIR"
  npm_quiet install --ignore-scripts
  npm_quiet rebuild argon2
  cd node_modules/code-server/lib/vscode
  npm_quiet install --omit=dev --ignore-scripts
  # node-pty's last step fails after its module has been built, which is all that is needed.
  npm_quiet rebuild @vscode/spdlog native-watchdog node-pty &>rebuild.log \
    || test -e node_modules/node-pty/build/Release/pty.node || { cat rebuild.log; return 1; }
  ln -sfn node_modules node_modules.asar
  mkdir -p node_modules/@vscode/ripgrep/bin
  ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  cd extensions
  npm_quiet install --omit=dev --ignore-scripts
}

main() {
  install_debian_packages
  if [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$WANTED" ]; then
    return
  fi
  (install_code_server)
  echo "$WANTED" >"$STAMP"
}

main
