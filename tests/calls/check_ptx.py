#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of kernels with and without checked calls:  check_ptx.py NVCC INCLUDE MISUSE SOURCE... -- OPTION...

Each kernel of MISUSE, compiled with -DCOHORT_GPU_CHECK, begins and ends a checked call. No call names a line of a
header. Without that macro the PTX of each SOURCE equals, byte for byte, the PTX over headers from which the checks are
removed. INCLUDE is the folder of the headers. Exit status 1: a line for each kernel, header or source that differs."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BEGIN, END = re.compile(r"call\.uni.*?\n?.*?call_check\w*5begin"), re.compile(r"call\.uni.*?\n?.*?call_check\w*3end")


def compile_ptx(nvcc, source, options):
    built = subprocess.run([nvcc, *options, "-ptx", source, "-o", "-"], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(f"check_ptx.py: {source}:\n{built.stderr}")
    return built.stdout


def without_calls(text, name):
    """The text without the statements name(...);"""
    for match in reversed(list(re.finditer(rf"\n[ \t]*{name}\(", text))):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:match.start()] + text[end + 1:]
    return text


def without_checks(text):
    """The text of a header without its checks of calls."""
    text = re.sub(r'\n#include "check_calls.inc"', "", text)
    text = re.sub(r" \|\| COHORT_CHECKS_CALLS", "", text)
    text = re.sub(r"\n#if COHORT_CHECKS_CALLS\n(?:(?!#if).)*?\n#else(\n.*?)\n#endif", r"\1", text, flags=re.S)
    text = re.sub(r"\n#if COHORT_CHECKS_CALLS\n(?:(?!#if|#else).)*?#endif", "", text, flags=re.S)
    text = re.sub(r"\s*\bCOHORT_(AND_CALLED_AT|CALLED_AT|AND_HAND_ON|HAND_ON)\b(?! ,)", "", text)
    text = without_calls(without_calls(text, "COHORT_CHECKED_CALL"), "COHORT_CHECKED_CALL_OF")
    return text


def copy_without_checks(include, folder):
    copy = pathlib.Path(folder) / "include"
    shutil.copytree(include, copy)
    shutil.rmtree(copy / "cohort/machine/ptx/check")
    for name in ("cohort/machine/check_calls.inc", "cohort/machine/ptx/grid/block_calls.hpp"):
        (copy / name).unlink()
    changed = 0
    for path in copy.glob("cohort/**/*.hpp"):
        text = path.read_text(encoding="utf-8")
        stripped = without_checks(text)
        changed += stripped != text
        if path.name != "config.hpp" and re.search(r"COHORT_(CHECKED_CALL(_OF)?|CHECKS_CALLS|(AND_)?(CALLED_AT|HAND_ON))\b", stripped):
            sys.exit(f"check_ptx.py: a check remains in {path.relative_to(copy)}")
        path.write_text(stripped, encoding="utf-8")
    if changed == 0:
        sys.exit("check_ptx.py: no header has checks")
    return copy


def unchecked_kernels(ptx):
    kernels = re.findall(r"\.entry (\w+)\(.*?\)[^{]*\{\n(.*?)^\}", ptx, re.S | re.M)
    bad = [name for name, body in kernels if not BEGIN.search(body) or not END.search(body)]
    return bad if kernels else ["no kernel at all"]


def headers_in_reports(ptx):
    """The headers among the strings of the PTX. Checked code has no string of a file but those of its calls."""
    strings = re.findall(r"^\.global .*?\.b8 \S+\[\d+\] = \{([^}]*)\}", ptx, re.M)
    texts = [bytes(int(byte) for byte in string.split(",")).rstrip(b"\0").decode() for string in strings]
    files = [text for text in texts if re.search(r"\.(cu|hpp)$", text)]
    return [file for file in files if file.endswith(".hpp")] if files else ["no file at all"]


def main():
    nvcc, include, misuse = sys.argv[1:4]
    split = sys.argv.index("--")
    sources, options = sys.argv[4:split], sys.argv[split + 1:]
    folders = ["-I" + str(pathlib.Path(include) / "compat"), "-I" + include]
    checked = compile_ptx(nvcc, misuse, [*options, "-DCOHORT_GPU_CHECK", *folders])
    found = [f"{name} has no checked call" for name in unchecked_kernels(checked)]
    found += [f"a call names a line of {name}" for name in headers_in_reports(checked)]
    with tempfile.TemporaryDirectory() as temporary:
        copy = str(copy_without_checks(include, temporary))
        for source in sources:
            now = compile_ptx(nvcc, source, [*options, *folders]).replace(include, "")
            never = compile_ptx(nvcc, source, [*options, f"-I{copy}/compat", f"-I{copy}"]).replace(copy, "")
            if now != never:
                found.append(f"{source}: the checks change the PTX though they are off")
    print("\n".join(found + [f"{len(sources)} sources, {len(found)} findings"]))
    return 1 if found else 0


sys.exit(main())
