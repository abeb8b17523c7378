#!/usr/bin/env bash
# Runs a command in a virtual machine that can have RDMA devices (soft-RoCE), and
# which is gone when the command has ended.
#
#   lab/run.sh [--share DIR] [--jdk DIR] [--mem SIZE] [--cpus N] [--timeout SECONDS] [--log]
#              -- COMMAND [ARGUMENT...]
#
#   --share    a folder of the host, at /mnt/share in the guest, writable; the command
#              starts in it (the current folder)
#   --jdk      a JDK or a runtime image, at /mnt/jdk, first in the guest's PATH
#              ($JAVA_HOME)
#   --mem      the guest's memory (3G)
#   --cpus     its processors (2)
#   --timeout  for everything together (300)
#   --log      shows the kernel's messages too
#
# The command's output, error output and exit code become those of this script. It
# has no input and no network, and is root. Codes of this script's own: 124, time ran
# out; 125, the machine could not be built or broke down, with its last messages.
#
# In the guest, `rails N` makes N devices rxe0, rxe1, ... that reach one another.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
share=$PWD jdk=${JAVA_HOME:-} mem=3G cpus=2 limit=300 log=

broken() { echo "lab: $*" >&2; exit 125; }

while [[ ${1:-} != -- ]]; do
  case ${1:-} in
    --log) log=1; shift; continue ;;
    --share | --jdk | --mem | --cpus | --timeout) [[ $# -gt 1 ]] || broken "$1 needs a value" ;;
    '') broken "no command; say: run.sh [option...] -- command" ;;
    *) broken "unknown option $1; options end with --" ;;
  esac
  case $1 in
    --share) share=$2 ;;
    --jdk) jdk=$2 ;;
    --mem) mem=$2 ;;
    --cpus) cpus=$2 ;;
    --timeout) limit=$2 ;;
  esac
  shift 2
done
shift
(($#)) || broken "no command after --"
[[ -d $share ]] || broken "there is no folder $share to share"
image=$("$here/image.sh") || broken "there is no image"

job=$(mktemp -d)
qemu=
finish() {
  [[ -z $qemu ]] || kill "$qemu" 2>/dev/null || true
  rm -rf "$job"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$job/mnt"
printf '%q ' "$@" >"$job/mnt/command"

# A guest on a busy host mistakes the rate of its clock, by a factor of three at worst,
# if it has to measure it. Under emulation it is the host's own.
khz=$(awk -F: 'tolower($1) ~ /bogomips/ { print int($2 * 500); exit }' /proc/cpuinfo)
kernel_line=(console=ttyS0 quiet panic=-1 tsc=reliable "tsc_early_khz=$khz"
  no_timer_check nowatchdog rcupdate.rcu_cpu_stall_suppress=1
  mitigations=off cryptomgr.notests audit=0)
machine=(
  # Emulation throughout. Without erms and fsrm the guest copies memory by other means
  # than string instructions, which are dear to emulate.
  -accel tcg,thread=multi -cpu max,la57=off,erms=off,fsrm=off -smp "$cpus" -m "$mem"
  -kernel "$image/kernel" -initrd "$image/rootfs" -append "${kernel_line[*]}"
  -nodefaults -no-user-config -display none -no-reboot
  -serial "file:$job/console"
  -device virtio-serial-pci -device virtio-rng-pci
)
port() { # NAME FILE: a serial port of the guest that ends in a file of ours
  machine+=(-chardev "file,id=$1,path=$2,append=on" -device "virtserialport,chardev=$1,name=lab.$1")
}
show() { # NAME FOLDER [OPTION]: a folder for the guest
  machine+=(-virtfs "local,mount_tag=$1,path=${2//,/,,},security_model=none,multidevs=remap${3:-}")
}
port out /dev/stdout
port err /dev/stderr
show job "$job/mnt"
show share "$share"
if [[ -d $jdk ]]; then show jdk "$jdk" ,readonly=on; fi

# By way of pipes: QEMU opens its output anew, which in a plain file would begin at an
# offset of its own.
exec 3> >(exec cat) 4> >(exec cat >&2)
timeout -k 5 "$limit" "$image/emulator" "${machine[@]}" </dev/null >&3 2>&4 3>&- 4>&- &
qemu=$!
ended=0
wait "$qemu" || ended=$?
qemu=
exec 3>&- 4>&-
wait

[[ -z $log || ! -f $job/console ]] || cat "$job/console" >&2
if [[ -s $job/mnt/code ]]; then
  exit "$(<"$job/mnt/code")"
fi
[[ -n $log || ! -f $job/console ]] || tail -n 30 "$job/console" >&2
if ((ended == 124)); then
  echo "lab: time ran out, after $limit s" >&2
  exit 124
fi
broken "the guest ended without a word (QEMU: $ended)"
