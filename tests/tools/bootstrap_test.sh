#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bootstrap_test.sh BOOTSTRAP: runs tools/bootstrap.sh on a simulated machine. Stubs of dpkg-query, apt-get, apt-cache and
# sudo come first in PATH. A file lists the installed packages, and the stub of apt-get records its calls in another.
set -uo pipefail
failed=0

work=$(mktemp -d)  # not in the build folder, which another user may be unable to read
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/bin" "$work/tools" "$work/build/pocketfft"
bootstrap=$work/tools/bootstrap.sh
cp "$1" "$bootstrap"
touch "$work/build/pocketfft/pocketfft.hpp"
cat >"$work/bin/dpkg-query" <<'STUB'
#!/bin/bash
while read -r package; do echo "installed $package:amd64"; done <"$MACHINE/installed"
echo "config-files ninja-build:amd64"
STUB
cat >"$work/bin/dpkg-deb" <<'STUB'
#!/bin/bash
mkdir -p usr/lib/python3/dist-packages/pythran/pythonic/numpy/fft
echo "unpacked" >usr/lib/python3/dist-packages/pythran/pythonic/numpy/fft/pocketfft.hpp
STUB
cat >"$work/bin/apt-get" <<'STUB'
#!/bin/bash
echo "apt-get $*" >>"$MACHINE/calls"
[[ ! -e $MACHINE/offline ]]
STUB
cat >"$work/bin/apt-cache" <<'STUB'
#!/bin/bash
[[ -e $MACHINE/has_lists ]]
STUB
cat >"$work/bin/sudo" <<'STUB'
#!/bin/bash
[[ $1 == -n ]] && exit 1  # sudo would ask for a password
exec "$@"
STUB
chmod +x "$work"/bin/*
export MACHINE=$work PATH=$work/bin:$PATH

# expect NAME TEXT FILE: the file contains the text.
expect() {
  grep -qF -- "$2" "$3" || {
    echo "FAILED: $1: '$2' is not in:"
    cat "$3"
    failed=1
  }
}
expect_nothing() {
  [[ ! -s $2 ]] || {
    echo "FAILED: $1, but there is:"
    cat "$2"
    failed=1
  }
}
fresh() { rm -f "$work/calls" "$work/has_lists" "$work/offline" && touch "$work/calls"; }

demo="g++ cmake ninja-build python3 clang-19 llvm-19-dev libclang-19-dev libomp-19-dev libsleef3"

fresh
tr ' ' '\n' <<<"$demo" >"$work/installed"
"$bootstrap" demo >"$work/out" 2>&1 </dev/null || { echo "FAILED: nothing is missing, but the exit status is $?" && failed=1; }
expect_nothing "nothing missing: apt-get is not asked" "$work/calls"
expect_nothing "nothing missing: nothing is said" "$work/out"

# pocketfft's header comes from a package that is missing here: the build continues without it.
if [[ ! -d /usr/lib/python3/dist-packages/pythran ]]; then
  fresh
  rm "$work/build/pocketfft/pocketfft.hpp"
  touch "$work/offline"
  "$bootstrap" demo >"$work/out" 2>&1 </dev/null || { echo "FAILED: without the header the exit status is $?" && failed=1; }
  expect "no header, offline" "cuFFT is built without transforms" "$work/out"
  fresh
  "$bootstrap" demo >"$work/out" 2>&1 </dev/null || { echo "FAILED: with the header the exit status is $?" && failed=1; }
  expect "the header's package" "apt-get -q download python3-pythran" "$work/calls"
  expect "the header" "unpacked" "$work/build/pocketfft/pocketfft.hpp"
fi

"$bootstrap" nonsense >"$work/out" 2>&1 </dev/null && { echo "FAILED: an unknown set was accepted" && failed=1; }
expect "unknown set" "'nonsense' is no set of packages; there are: library, demo, test, bench, docs, lint" "$work/out"

# The library alone needs neither clang nor LLVM.
fresh
printf '%s\n' g++ cmake ninja-build python3 >"$work/installed"
"$bootstrap" library >"$work/out" 2>&1 </dev/null || { echo "FAILED: the library needs more than it should: $?" && failed=1; }
expect_nothing "library: apt-get is not called" "$work/calls"

# A removed package whose configuration remains counts as missing.
printf '%s\n' g++ cmake python3 clang-19 libclang-19-dev >"$work/installed"
if [[ $EUID -eq 0 ]]; then
  fresh
  "$bootstrap" demo >"$work/out" 2>&1 </dev/null || { echo "FAILED: the installation ended with $?" && failed=1; }
  expect "no lists yet" " update" "$work/calls"
  expect "missing packages" "install -y --no-install-recommends ninja-build llvm-19-dev libomp-19-dev libsleef3" "$work/calls"
  fresh
  touch "$work/has_lists"
  "$bootstrap" demo >"$work/out" 2>&1 </dev/null
  expect "lists are there" "install -y --no-install-recommends ninja-build llvm-19-dev libomp-19-dev libsleef3" "$work/calls"
  if grep -q " update" "$work/calls"; then echo "FAILED: asked for lists that were there" && failed=1; fi
  fresh
  touch "$work/offline"
  "$bootstrap" demo >"$work/out" 2>&1 </dev/null && { echo "FAILED: no package was installed, but the exit status is 0" && failed=1; }
  expect "offline" "The first run needs a Debian mirror; later runs need no network." "$work/out"
  expect "offline" "missing: ninja-build llvm-19-dev libomp-19-dev libsleef3" "$work/out"
  chmod 777 "$work"
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
  as_user=()
fi

fresh
chmod 666 "$work/calls"
if "${as_user[@]}" "$bootstrap" demo >"$work/out" 2>&1 </dev/null; then
  echo "FAILED: a user who cannot install was told that all is well" && failed=1
fi
expect "user without rights" "apt-get install -y --no-install-recommends ninja-build llvm-19-dev libomp-19-dev libsleef3" "$work/out"
expect_nothing "user without rights: apt-get is not asked" "$work/calls"

[[ $failed -eq 0 ]] && echo "bootstrap: right"
exit $failed
