# shellcheck shell=bash
# Read by the scripts in distribution/: finds a JDK 25, since the default Java may be another.

# is_jdk25 FOLDER: a whole JDK of that version, and not only a runtime of it.
is_jdk25() {
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/jlink" ] &&
    grep -q '^JAVA_VERSION="25[."]' "$1/release" 2>/dev/null
}

# find_jdk25: prints the first one of JAVA_HOME, the javac in PATH and the usual places.
find_jdk25() {
  local javac found
  javac=$(command -v javac 2>/dev/null) && javac=$(readlink -f "$javac")
  for found in "${JAVA_HOME:-}" "${JAVA_HOME_25_X64:-}" "${javac%/bin/javac}" \
    /usr/lib/jvm/*25* /opt/*25* "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25*; do
    if [ -n "$found" ] && is_jdk25 "$found"; then
      printf '%s\n' "$found"
      return 0
    fi
  done
  return 1
}

# require_jdk25 WHO: sets JAVA_HOME to one, or ends with what to do.
require_jdk25() {
  if ! JAVA_HOME=$(find_jdk25); then
    cat >&2 <<EOF
$1: no JDK 25 found (looked at JAVA_HOME, javac in PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks).
Install one with jlink (Debian 12 has no package of it; Eclipse Temurin 25 is one that serves),
and set JAVA_HOME if it lies elsewhere.
EOF
    exit 1
  fi
  export JAVA_HOME
}

# require_mvn WHO
require_mvn() {
  if ! command -v mvn >/dev/null; then
    echo "$1: no mvn in PATH; install Maven 3.8.6 or newer (Debian: apt-get install maven)" >&2
    exit 1
  fi
}

# maven_options: for MAVEN_OPTS. Maven ends by resetting the terminal's colours, also where it was told
# to use none and nobody looks.
maven_options() {
  printf '%s\n' "-Djansi.noreset=true ${MAVEN_OPTS:-}"
}
