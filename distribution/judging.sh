# shellcheck shell=bash
# Read by the scripts that break a link under a transfer: what is seen meanwhile, and how it is judged.
# They set, before they call what needs it:
#   figures  judged, told or none
#   dir      a folder for logs and samples
#   keep     empty, or that folder if it is to be left

# shellcheck disable=SC2034
failed=0
judge() {
  if (($1)); then
    echo "PASS  $2"
  else
    echo "FAIL  $2"
    failed=1
  fi
}
# A judgement of a time or a rate.
judge_figure() {
  if [[ $figures == judged ]]; then
    judge "$1" "$2"
  elif ((!$1)); then
    echo "miss  $2"
  fi
}
figure() {
  printf 'seen  %s\n' "$*"
}

await() {
  local what=$1 seconds=$2
  shift 2
  local end=$((SECONDS + seconds))
  until "$@"; do
    ((SECONDS < end)) || die "no $what within $seconds s; the logs: $dir"
    sleep 0.05
  done
}
finished() { ! kill -0 "$1" 2>/dev/null; }
now() { echo "$EPOCHREALTIME"; }

# Ends what the script has started. Only what still runs: the number of one that has ended may be
# another's by now.
end_jobs() {
  local running
  running=$(jobs -rp)
  # shellcheck disable=SC2086
  [[ -z $running ]] || kill $running 2>/dev/null || true
  local end=$((SECONDS + 15))
  while [[ -n $(jobs -rp) ]] && ((SECONDS < end)); do
    sleep 0.1
  done
  running=$(jobs -rp)
  # shellcheck disable=SC2086
  [[ -z $running ]] || kill -9 $running 2>/dev/null || true
}

# ---- what is seen: bytes and links every few milliseconds, and what a node says of its rails

# bash -c "$sampler" sampler EVERY FILE FILE FILE: lines of a time and the three files' contents, two
# counters and the state of a link.
# shellcheck disable=SC2016,SC2034
sampler='
  exec {never}<> <(:)
  while :; do
    read -r c1 <"$2"
    read -r c2 <"$3"
    read -r link <"$4"
    echo "$EPOCHREALTIME $c1 $c2 $link"
    read -rt "$1" -u $never || :
  done'
# bash -c "$poller" poller EVERY PORT NAME RAIL RAIL: lines of a time, the states of the two rails of the
# node whose administration listens there, whether it has paused a path, and when it was asked. Its last
# answer is left in NAME.last.
# shellcheck disable=SC2016,SC2034
poller='
  exec {never}<> <(:)
  ask() {
    local asked=$EPOCHREALTIME
    exec {web}<>/dev/tcp/127.0.0.1/$2 || return 0
    printf "GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" >&$web
    local line text=
    while IFS= read -r -t 1 -u $web line || [[ -n $line ]]; do
      text=$line
      [[ $line != *"\"transports\""* ]] || break
    done
    exec {web}>&-
    local rail rest states=
    for rail in "$4" "$5"; do
      rest=${text#*"\"name\":\"$rail\",\"state\":\""}
      [[ $rest != "$text" ]] || return 0
      states+=" ${rest%%\"*}"
    done
    local paused=0
    [[ $text != *"\"paused\":true"* && $text != *PAUSED* ]] || paused=1
    echo "$EPOCHREALTIME$states $paused $asked"
    printf "%s\n" "$text" >"$3.last"
  }
  while :; do
    ask "$@" 2>/dev/null
    read -rt "$1" -u $never || :
  done'

# The first time from which on a node said a state of a rail, 1 or 2; empty if it never did.
# state_at NODE RAIL STATE FROM
state_at() {
  awk -v rail="$2" -v state="$3" -v from="$4" \
    '$1 >= from && $(rail + 1) ~ state { print $1; exit }' "$pass.$1.states"
}
# When it was last asked, before some time, with the answer that a rail is out of use; if it never was,
# that of the fourth argument. What it answers late on a busy machine was so when it was asked.
out_until() {
  awk -v rail="$2" -v before="$3" -v none="$4" '
    $1 < before && $(rail + 1) != "ACTIVE" && $5 > none { none = $5 } END { print none }' "$pass.$1.states"
}
# How many samples show a rail out of use.
times_out() {
  awk -v rail="$2" '$(rail + 1) != "ACTIVE"' "$pass.$1.states" | wc -l
}
ms() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f", (b - a) * 1000 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", b ? a / b : 0 }'; }
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { print (a >= b) ? 1 : 0 }'; }
mib() { awk -v b="$1" 'BEGIN { printf "%.1f MiB/s", b / 1048576 }'; }
plus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a + b }'; }

# How many bytes a second a rail carried between two times. What passed while the sampler itself got no
# processor counts for nothing: the link was not the limit then.
rate_between() {
  awk -v rail="$2" -v from="$3" -v to="$4" '
    NF == 4 && $1 >= from && $1 <= to {
      if (last && $1 - last < 0.02) { time += $1 - last; bytes += $(rail + 1) - before }
      last = $1; before = $(rail + 1)
    }
    END { rate = 0
      if (time > 0) rate = bytes / time
      printf "%.0f\n", rate
    }' "$1"
}
