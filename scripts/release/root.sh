#!/bin/sh
# Puts an executable of daybook and the system libraries that it needs into an empty folder, which is all that an image has.
# Usage: scripts/release/root.sh EXECUTABLE FOLDER
set -eu
executable=$1
root=$2

install -D -m 0755 "$executable" "$root/usr/local/bin/daybook"
# Those that it names, and one that only a native library inside it names.
libraries=$(ldd "$executable" | grep -o '/[^ ]*')
libraries="$libraries $(ldconfig -p | grep -F librt.so.1 | grep -o '/.*' | head -n 1)"
for library in $libraries; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

mkdir -p "$root/data" "$root/tmp"
chmod 1777 "$root/tmp"
# A number, so that Kubernetes too can see that it is not root.
chown 10001:10001 "$root/data"
chmod 0700 "$root/data"
