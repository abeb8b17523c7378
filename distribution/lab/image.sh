#!/usr/bin/env bash
# Builds what run.sh boots, unless it is there already, and prints where it is:
#   kernel    Debian's kernel as a plain ELF file
#   rootfs    an initramfs with all that the guest needs
#   emulator  starts QEMU
#
# Everything is taken from Debian packages. apt resolves and verifies them, but they
# are unpacked and not installed: the host's package database stays as it is. The
# result is kept in ${XDG_CACHE_HOME:-~/.cache}/shunt-lab. Needs root on Debian, amd64.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
store=${XDG_CACHE_HOME:-$HOME/.cache}/shunt-lab

# tiny-initramfs and usr-is-merged stand in for far larger packages that a kernel and
# a base system would bring along otherwise.
packages=(linux-image-amd64 tiny-initramfs usr-is-merged
  bash coreutils busybox-static kmod iproute2 libc-bin
  libibverbs1 ibverbs-providers ibverbs-utils perftest)
# Named by nobody, yet wanted: rdma_rxe computes its checksum with crc32.
modules=(virtio_pci virtio_console virtio_rng 9p 9pnet_virtio
  bridge veth rdma_rxe ib_uverbs crc32_generic)

fail() { echo "lab image: $*" >&2; exit 1; }

# download STATUS INTO PACKAGE...: the packages and what they depend on, less what the
# dpkg status file STATUS has. Tried again with fresh lists, since old ones name
# versions that are gone.
download() {
  local status=$1 into=$2
  shift 2
  local apt=(apt-get -qq -y -o "Dir::State::status=$status" -o "Dir::Cache=$into"
    -o APT::Sandbox::User=root -o Debug::NoLocking=1)
  mkdir -p "$into/archives/partial"
  if ! "${apt[@]}" --no-install-recommends --download-only install "$@" >"$into/log" 2>&1; then
    { apt-get -qq update && "${apt[@]}" --no-install-recommends --download-only install "$@"; } \
      >>"$into/log" 2>&1 || { cat "$into/log" >&2; fail "apt cannot download $*"; }
  fi
}

# extract FROM TO: all packages of one folder, without documentation.
extract() {
  local package
  for package in "$1"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -xC "$2" --keep-directory-symlink --exclude='./usr/share/*/?*'
  done
}

# plain_kernel BOOTABLE PLAIN: unpacks the payload of a bzImage, as its header
# describes it. QEMU starts the plain file much sooner than an emulated processor
# could unpack it.
plain_kernel() {
  local header sectors at size magic tool
  sectors=$(od -An -v -tu1 -j $((0x1f1)) -N 1 "$1")
  header=$(od -An -v -tu4 -j $((0x248)) -N 8 "$1")
  read -r at size <<<"$header"
  at=$((at + 512 * (sectors + 1)))
  magic=$(od -An -v -tx1 -j $at -N 4 "$1" | tr -d ' ')
  case $magic in
    fd377a58) tool=xz ;;
    28b52ffd) tool=zstd ;;
    *) fail "the kernel is packed in a way not known here (it begins with $magic)" ;;
  esac
  # Its last four bytes are its unpacked size, and no part of the archive.
  head -c $((at + size - 4)) "$1" | tail -c +$((at + 1)) | $tool -dc >"$2"
}

root_fs() { # BUILD: fills BUILD/root, and takes the kernel out of it
  local root=$1/root release applet folder
  mkdir -p "$root"/{dev,proc,sys,run,tmp,etc,root,usr,mnt/{jdk,job,share}}
  for folder in bin sbin lib lib64; do
    mkdir -p "$root/usr/$folder"
    ln -s "usr/$folder" "$root/$folder"
  done
  : >"$1/empty"
  download "$1/empty" "$1/guest" "${packages[@]}"
  extract "$1/guest" "$root"
  # busybox as sh would prefer its own small ip over iproute2's.
  ln -sf bash "$root/usr/bin/sh"
  for applet in $("$root/usr/bin/busybox" --list); do
    [[ -e $root/usr/bin/$applet || -e $root/usr/sbin/$applet ]] ||
      ln -s busybox "$root/usr/bin/$applet"
  done
  printf 'root:x:0:0::/root:/bin/bash\n' >"$root/etc/passwd"
  printf 'root:x:0:\n' >"$root/etc/group"
  printf '127.0.0.1 localhost lab\n' >"$root/etc/hosts"
  ldconfig -r "$root"
  cp "$here/guest/init" "$root/init"
  cp "$here/guest/rails" "$root/usr/bin/rails"
  chmod 755 "$root/init" "$root/usr/bin/rails"

  release=$(basename "$root"/usr/lib/modules/*)
  plain_kernel "$root/boot/vmlinuz-$release" "$1/kernel"
  rm -rf "$root/boot"
  few_modules "$root" "$release"
}

few_modules() { # ROOT RELEASE: leaves only the modules above and those below them
  local tree=$1/usr/lib/modules/$2 module
  depmod -b "$1" "$2"
  for module in "${modules[@]}"; do
    modprobe -d "$1" -S "$2" --show-depends "$module"
  done | sed -n 's,^insmod .*/kernel/\([^ ]*\).*,\1,p' | sort -u >"$1/../wanted"
  (cd "$tree/kernel" && find . -type f -printf '%P\n' | grep -vxFf "$1/../wanted" | xargs rm)
  depmod -b "$1" "$2"
}

emulator() { # BUILD PLACE: QEMU of the host, or one that is unpacked beside the image
  local qemu
  if ! qemu=$(command -v qemu-system-x86_64); then
    download /var/lib/dpkg/status "$1/host" qemu-system-x86
    mkdir -p "$1/qemu/usr/lib"
    ln -s usr/lib "$1/qemu/lib"
    extract_all "$1/host" "$1/qemu"
    qemu=$2/qemu/usr/bin/qemu-system-x86_64
  fi
  cat >"$1/emulator" <<SCRIPT
#!/bin/sh
LD_LIBRARY_PATH=$2/qemu/usr/lib/x86_64-linux-gnu exec $qemu "\$@"
SCRIPT
  chmod 755 "$1/emulator"
}

# Unlike the guest, QEMU keeps its data files under usr/share.
extract_all() {
  local package
  for package in "$1"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -xC "$2" --keep-directory-symlink --exclude='./usr/share/doc/?*' --exclude='./usr/share/man/?*'
  done
}

((EUID == 0)) || fail "must be root, to make device nodes' owners and modules' trees right"
for tool in apt-get dpkg-deb depmod cpio xz; do
  command -v "$tool" >/dev/null && continue
  # Small, and everywhere but on a bare container.
  apt-get -qq update >/dev/null && apt-get -qq -y install kmod cpio xz-utils zstd >/dev/null 2>&1 ||
    fail "needs $tool"
done
mkdir -p "$store"
exec 5>"$store/lock"
flock 5
name=image-$({ cat "$here/image.sh" "$here"/guest/*; command -v qemu-system-x86_64 || true; } |
  sha256sum | head -c 12)
if [[ ! -d $store/$name ]]; then
  echo "lab image: building, once" >&2
  rm -rf "$store"/image-* "$store/build"
  mkdir "$store/build"
  root_fs "$store/build"
  emulator "$store/build" "$store/$name"
  (cd "$store/build/root" && find . | cpio --quiet -H newc -o) >"$store/build/rootfs"
  rm -rf "$store/build"/{root,guest,host,empty,wanted}
  mv "$store/build" "$store/$name"
fi
echo "$store/$name"
