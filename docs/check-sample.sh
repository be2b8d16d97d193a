#!/usr/bin/env bash
# Runs the commands of the section "Two replicas" in docs/sample.md as they stand there, prints what they print, and
# fails unless the second replica is refused, takes over within the lease time, and leaves no Redis behind. Needs the
# packaged sample, curl, and the ports 8080, 8081 and 6390.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
mkdir -p "$work/locket-sample-app/target"
cp "$root/locket-sample-app/target/locket-sample-app.jar" "$work/locket-sample-app/target/"
cd "$work"

# The code blocks of the section, each under the name that its first line gives it.
awk '/^## /{inside = /^## Two replicas/} inside && /^```$/{block = 0} inside && block{print} inside && /^```bash$/{block = 1}' \
	"$root/docs/sample.md" >commands.sh

fail() {
	echo "FAILED: $1" >&2
	exit 1
}

cleanup() {
	kill -9 "${replica1:-}" "${replica2:-}" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

step=0
run() {
	step=$((step + 1))
	printf '\n### %s\n' "$1"
	awk -v name="# $1" '/^# /{inside = ($0 == name)} inside' commands.sh >step.sh
	[[ -s step.sh ]] || fail "docs/sample.md has no commands to $1"
	# Sourced, not piped: the replicas are children of this shell.
	{ source ./step.sh; } >"output-$step" 2>&1 || true
	cat "output-$step"
	output=$(cat "output-$step")
}

run "start the first replica"
run "start the second replica"
[[ $output == *"another one runs"* ]] || fail "the second replica did not say that another scan runs"
run "ask the second replica for a scan"
[[ $output == *"409"* && $output == *"/$replica1/"* ]] || fail "no 409 that names the first replica as the holder"
run "kill the holder, and ask again"
[[ $output == *'"status":409'* ]] || fail "no 409 while the lease of the dead replica lasts"
killed=$SECONDS
run "ask until the lease has expired"
echo "(the last scan ended $((SECONDS - killed)) s after the kill)"
[[ $output == *'"overlapped":0,"failed":0'* ]] || fail "the second replica did not scan in peace"
run "stop the second replica"
[[ $output == *"Ended Redis"* ]] || fail "Redis was left behind"
if (exec 3<>/dev/tcp/127.0.0.1/6390) 2>/dev/null; then
	fail "something still listens on port 6390"
fi
printf '\nAll as docs/sample.md says.\n'
