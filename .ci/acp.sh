#!/usr/bin/env bash
# Real clients of the Agent Client Protocol, and real agents behind the proxy. They are installed on
# first use, in a folder that is not kept with the sources.
set -euo pipefail

sdk=@agentclientprotocol/sdk@2.4.0
ajv=ajv@8.17.1
opencode=opencode-ai@1.18.33
python=agent-client-protocol==0.12.1

cache=$PWD/.cache/acp
here=$PWD/tests/clients/acp
ran=0
skipped=()

skip() {
  echo "skipped: $1"
  skipped+=("$1")
}

cargo build --quiet --features cli,acp
server=("$CARGO_TARGET_DIR/debug/skilldeck")
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
# Of whoever runs this nothing is read and nothing is written.
home=$frames/home
mkdir -p "$home"

# serve NAME ARGUMENTS: a script that is the agent, and keeps what goes through it.
serve() {
  local name=$1
  shift
  {
    echo '#!/usr/bin/env bash'
    printf 'export HOME=%q XDG_CONFIG_HOME=%q XDG_CACHE_HOME=%q XDG_STATE_HOME=%q XDG_DATA_HOME=%q\n' \
      "$home" "$home/config" "$home/cache" "$home/state" "$home/data"
    printf 'set -o pipefail\ntee %q | %s | tee %q\n' "$frames/$name.in" "$(printf '%q ' "$@")" \
      "$frames/$name.out"
  } >"$frames/$name"
  chmod +x "$frames/$name"
}

if command -v npm >/dev/null; then
  [[ -d $cache/node_modules/opencode-ai ]] ||
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$cache" "$sdk" "$ajv" "$opencode"
  # The scripts find packages beside themselves.
  scripts=$cache/scripts
  mkdir -p "$scripts"
  cp "$here"/*.mjs "$scripts"
  flags=(--trust serve acp --allow-shell)
  agent=(node "$scripts/agent.mjs")
  found=("$cache"/node_modules/opencode-linux-*/bin/opencode)
  serve nothing "${server[@]}" "${flags[@]}"
  serve agent "${server[@]}" "${flags[@]}" -- "${agent[@]}"
  serve second "${server[@]}" "${flags[@]}" -- \
    "${server[@]}" --no-default-roots --no-bundled serve acp
  serve opencode "${server[@]}" "${flags[@]}" -- "${found[0]}" acp
  for behind in nothing agent second opencode; do
    if [[ $behind == opencode && ! -x ${found[0]} ]]; then
      skip "opencode is not made for this system"
      continue
    fi
    echo "- $sdk, behind it: $behind"
    node "$scripts/client.mjs" "$behind" "$frames/$behind"
    ran=$((ran + 1))
  done
  node "$scripts/validate.mjs" "$frames/nothing.out" "$frames/nothing.in"
  node "$scripts/validate.mjs" "$frames/agent.out" "$frames/agent.in"
else
  skip "npm is not installed"
fi

if command -v python3 >/dev/null && python3 -c 'import venv, ensurepip' 2>/dev/null; then
  if [[ ! -x $cache/venv/bin/python ]]; then
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check "$python"
  fi
  serve python "${server[@]}" --trust serve acp --allow-shell
  echo "- $python"
  "$cache/venv/bin/python" "$here/client.py" "$frames/python"
  ran=$((ran + 1))
else
  skip "python3 has no venv"
fi

echo "$ran clients ran, ${#skipped[@]} skipped"
# Where everything must hold, a client that is not there is a failure.
[[ ${#skipped[@]} -eq 0 || ${CI:-} != true ]]
