# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects with Cohort's groups and objects with NVIDIA's in one program:  mixed_objects.py SOURCES COMPAT WORK NVCC [options...]

If one object passes groups to the other, the program must not link, because the layouts differ. Otherwise it must link.
Exit status 1 and a line for each program that does not behave so."""

import os
import re
import subprocess
import sys

CALLED = ["in_block", "in_tile", "in_group", "in_coalesced", "in_grid"]


def main():
    sources, compat, work, nvcc = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(work, exist_ok=True)
    findings = []

    def run(command):
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def compiled(name, whose, *macros):
        result = os.path.join(work, f"{name}_{whose}{len(macros)}.o")
        path = [f"-I{compat}"] if whose == "cohort" else []
        source = os.path.join(sources, f"{name}.cu")
        status, text = run([*nvcc, "-rdc=true", *path, *macros, "-c", source, "-o", result])
        if status != 0:
            sys.exit(f"{source} with the groups of {whose} does not compile\n{text}")
        return result

    def linked(name, *objects):
        return run([*nvcc, *objects, "-o", os.path.join(work, name)])

    callee = {whose: compiled("callee", whose) for whose in ["cohort", "nvidia"]}
    for ours, theirs in [("cohort", "nvidia"), ("nvidia", "cohort")]:
        status, text = linked(f"{ours}_beside_{theirs}", compiled("caller", ours), callee[theirs])
        if status != 0:
            findings.append(f"{ours} beside {theirs}, without an exchange: does not link\n{text}")
    caller = compiled("caller", "cohort", "-DGIVES_GROUPS")
    status, text = linked("exchange", caller, callee["cohort"])
    if status != 0:
        findings.append(f"both with Cohort's groups: does not link\n{text}")
    status, text = linked("mixed", caller, callee["nvidia"])
    if status == 0:
        findings.append("Cohort's groups go to NVIDIA's: links")
    for name in CALLED:
        if not re.search(rf"[Uu]ndefined reference to '\w*\d{name}", text):
            findings.append(f"{name}: the linker finds NVIDIA's function for Cohort's group\n{text}")
    print("\n".join(findings))
    print(f"4 programs, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
