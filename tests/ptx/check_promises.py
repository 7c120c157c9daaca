# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the PTX of small kernels against the promises beside them:  check_promises.py SOURCE COMPILER [options...]

A promise of `file` is about the whole PTX. Exit status 1 and a line for each promise that does not hold."""

import re
import subprocess
import sys


def kernels(ptx):
    """Returns {name: body} for the kernels of a PTX file."""
    return {m.group(1): m.group(2) for m in re.finditer(r"\.entry (\w+)\(.*?\)[^{]*\{\n(.*?)^\}", ptx, re.S | re.M)}


def loops(body):
    """The loops: the lines from each label to each backward branch to it."""
    lines, found, labels = body.splitlines(), [], {}
    for number, line in enumerate(lines):
        label = re.match(r"\s*(\$\w+):", line)
        if label:
            labels[label.group(1)] = number
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+)", line)
        if branch and branch.group(1) in labels:
            found.append(lines[labels[branch.group(1)]:number])
    return found


def is_copy_loop(lines, times, size):
    """Whether a loop accesses memory by exactly `times` cp.async of `size` bytes without a predicate."""
    accesses = [line for line in lines if re.search(r"\b(cp|ld|st|atom|red)\.", line)]
    copy = re.compile(rf"\s*cp\.async\S* \[\S+\], \[\S+\], {size};")
    return len(accesses) == int(times) and all(map(copy.match, accesses))


def broken(promise, body):
    sign, times, word = re.fullmatch(r"([+-])(?:(\d+)\*)?(\S+)", promise).groups()
    copy_loop = re.fullmatch(r"copy_loop_(\d+)x(\d+)", word)
    if word == "loop":
        found = len(loops(body))
    elif copy_loop:
        found = sum(is_copy_loop(lines, *copy_loop.groups()) for lines in loops(body))
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
    bodies = {**kernels(built.stdout), "file": built.stdout}
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
