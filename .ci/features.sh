#!/usr/bin/env bash
# Checks the feature sets that people build: each alone, since cargo joins features of one build.
set -euo pipefail

check() {
  local name=$1
  shift
  echo "- $name"
  cargo check --quiet "$@"
}

check "core, bare" -p skilldeck-core --no-default-features
check "run time with config and process, without limits" -p skilldeck-runtime --no-default-features --features config,process
check "run time with all but watch" -p skilldeck-runtime --no-default-features --features config,process,rate-limit,schema,stream,tracing
check "library, default: with watch" -p skilldeck
check "library with a bridge" -p skilldeck --features acp
check "command line, bare" -p skilldeck --no-default-features --features cli
