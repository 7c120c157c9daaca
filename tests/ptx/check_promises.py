# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the PTX of small kernels against the promises beside them:  check_promises.py SOURCE COMPILER [options...]

Exit status 1 and a line for each promise that does not hold."""

import re
import subprocess
import sys


def kernels(ptx):
    """{name: body} of the kernels of a PTX file"""
    return {m.group(1): m.group(2) for m in re.finditer(r"\.entry (\w+)\(.*?\)[^{]*\{\n(.*?)^\}", ptx, re.S | re.M)}


def has_loop(body):
    """A branch to a label above it."""
    seen = set()
    for line in body.splitlines():
        label = re.match(r"\s*(\$\w+):", line)
        if label:
            seen.add(label.group(1))
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+)", line)
        if branch and branch.group(1) in seen:
            return True
    return False


def broken(promise, body):
    sign, times, word = re.fullmatch(r"([+-])(?:(\d+)\*)?(\S+)", promise).groups()
    if word == "loop":
        found = 1 if has_loop(body) else 0
    elif word == "bra":
        found = len(re.findall(r"\bbra\b", body))
    elif word.startswith("/"):
        found = len(re.findall(word[1:-1], body))
    else:
        found = body.count(word)
    holds = found == 0 if sign == "-" else found == int(times) if times else found > 0
    return None if holds else f"{promise} does not hold: {word} is there {found} times"


def main():
    source, command = sys.argv[1], sys.argv[2:]
    built = subprocess.run([*command, "-ptx", source, "-o", "-"], capture_output=True, text=True)
    if built.returncode != 0:
        print(built.stderr)
        return 1
    bodies = kernels(built.stdout)
    with open(source, encoding="utf-8") as file:
        promises = re.findall(r"^// PTX (\w+): (.*)$", file.read(), re.M)
    findings = []
    for name, words in promises:
        if name not in bodies:
            findings.append(f"{name}: there is no such kernel")
            continue
        findings += [f"{name}: {found}" for found in (broken(word, bodies[name]) for word in words.split()) if found]
    if not promises:
        findings.append(f"{source} promises nothing")
    for finding in findings:
        print(finding)
    print(f"{len(promises)} kernels, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
