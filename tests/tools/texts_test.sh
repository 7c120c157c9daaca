#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# texts_test.sh SOURCE PYTHON: checks the messages of the Makefile and of tools/ for cases in which they cannot work.
set -uo pipefail
source=$1 python=$2
failed=0

work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
chmod 755 "$work"

# expect NAME STATUS TEXT COMMAND...: the command returns the status, and its output contains the text.
expect() {
  local name=$1 status=$2 text=$3 found=0
  shift 3
  "$@" >"$work/out" 2>&1 </dev/null || found=$?
  if [[ $found -ne $status ]] || ! grep -qF -- "$text" "$work/out"; then
    echo "FAILED: $name: exit status $found, expected $status with the text '$text':"
    cat "$work/out"
    failed=1
  fi
}

if command -v make >/dev/null; then
  mkdir "$work/elsewhere"
  expect "make -f in another folder" 2 "this folder is no checkout of Cohort" make -C "$work/elsewhere" -f "$source/Makefile" demo
fi

# Without a GPU the exit status is 77, and no folder is made.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
expect "gpu without a GPU" 77 "no NVIDIA GPU" env PATH="$work/bin:$PATH" BUILD="$work/build-gpu" "$source/tools/gpu.sh"
[[ ! -e $work/build-gpu ]] || { echo "FAILED: gpu made its folder before it refused" && failed=1; }

# `make install` builds all that the install rules copy.
demo=$(tr '\n' ' ' <"$source/tools/build.sh" | sed -n 's/.* demo=(\([^)]*\)).*/\1/p')
product=" $demo $(tr '\n' ' ' <"$source/tools/build.sh" | sed -n 's/.* product=(\([^)]*\)).*/\1/p') "
all_installed=$(sed -nE 's/^ *install\(TARGETS (.*) (EXPORT|RUNTIME|LIBRARY) .*/\1/p' "$source/cmake/cohort_install.cmake" |
                  sed 's/ EXPORT.*//')
installed=$(grep -v '{' <<<"$all_installed")
of_library=$(grep '{library}' <<<"$all_installed")
libraries=$(sed -nE 's/^cohort_add_cuda_library\((\w+) .*/\1/p' "$source/src/libraries/CMakeLists.txt")
# shellcheck disable=SC2016  # a name in the text of CMake
for library in $libraries; do installed+=" ${of_library//'${library}'/$library}"; done
for target in $installed; do
  if [[ $product != *" $target "* ]] && ! grep -rqF --include=CMakeLists.txt --include='*.cmake' \
      "add_library($target INTERFACE" "$source/src" "$source/cmake" "$source/CMakeLists.txt"; then
    echo "FAILED: tools/build.sh: the target 'product' leaves out $target, which is installed"
    failed=1
  fi
done

# A read-only checkout. Root ignores permissions, so another user runs the command.
as_user=()
[[ $EUID -ne 0 ]] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
mkdir -p "$work/read only/tools"
cp "$source/tools/build.sh" "$work/read only/tools/"
chmod -R a+rX,a-w "$work/read only"
expect "build in a read-only checkout" 1 "cannot be written. In a read-only checkout build elsewhere:" \
  "${as_user[@]}" "$work/read only/tools/build.sh" release

expect "lint of an unknown part" 2 "there is no part 'nonsense'; there are: rules format" "$source/tools/lint.sh" nonsense
if command -v git >/dev/null; then
  mkdir -p "$work/checkout/tools" "$work/few"
  cp "$source/tools/lint.sh" "$work/checkout/tools/"
  git -C "$work/checkout" init -q
  git -C "$work/checkout" add . && git -C "$work/checkout" -c user.name=a -c user.email=a commit -q -m a
  for tool in bash dirname git xargs; do ln -s "$(command -v "$tool")" "$work/few/$tool"; done
  expect "lint without its tools" 0 "lint: 3 parts skipped: spelling scripts workflows" \
    env PATH="$work/few" "$work/checkout/tools/lint.sh" spelling scripts workflows
fi

cat >"$work/results.xml" <<'XML'
<testsuite><testcase name="a" status="run"><system-out>skipped: no such line</system-out></testcase>
<testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>text
skipped: no GPU
</system-out></testcase>
<testcase name="c" status="notrun"><skipped message=""/><system-out>[ RUN      ] A.B
a_test.cpp:7: Skipped
sanitizers have
shadow memory

[  SKIPPED ] A.B (0 ms)</system-out></testcase></testsuite>
XML
expect "reason that a test prints" 0 "skipped: b: no GPU" "$python" "$source/tools/skipped_tests.py" "$work/results.xml"
expect "reason of GoogleTest" 0 "skipped: c: sanitizers have shadow memory" \
  "$python" "$source/tools/skipped_tests.py" "$work/results.xml"

[[ $failed -eq 0 ]] && echo "texts: right"
exit $failed
