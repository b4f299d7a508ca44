#!/bin/sh
# What plancheck does, on a few of the examples, in one screen. The argument is the folder of the command.
set -eu
cd "$(dirname "$0")/.."
PATH="$1:$PATH"
show() { printf '\n$ plancheck %s\n' "$*"; plancheck "$@" || true; }

echo "1. A plan with mistakes, as the editor shows it while it is typed:"
show check examples/tools/refund-calls-faulty.plan.json

echo
echo "2. What a safe fix would change:"
show check --diff --quiet examples/tools/refund-calls-faulty.plan.json

echo
echo "3. May this plan run? Not without the verification that the policy asks for:"
show gate --policy examples/gate/plan-policy.yaml examples/gate/refund-unverified-faulty.plan.json

echo
echo "4. All examples, many of which are faulty by design:"
printf '\n$ plancheck check examples\n…\n'
plancheck check --no-cache --fail-on never examples | tail -n 2

cat <<'END'

Next:
  plancheck check YOUR.json                  your own plan or trace of tool calls; `-` reads standard input
  plancheck explain missing_verification     what a rule looks for, what it cannot know, its fixes
  plancheck report examples/declared/refund.plan.json
  make vsix                                  the extension for VS Code, with the server in it
  README.md                                  install, formats, exit codes, policies, CI
END
printf '`plancheck` is here: %s\n' "$1/plancheck"
