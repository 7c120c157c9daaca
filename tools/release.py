#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes and checks a release:

    tools/release.py ROOT --prepare VERSION   sets the version and moves changes/ into CHANGES.md
    tools/release.py ROOT --publish [--owner OWNER] [--wheel FILE]
                                              sets the owner of the repository and the wheel's hash
    tools/release.py ROOT --check             checks all, measures the printed times, prints the command that tags

tools/published.json is the one place of the owner, the version and the hash. The tool writes them into action.yml and the
pages of docs/, and the version into include/cohort/base/version.hpp. CHANGES.md is where the build reads the version."""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys

HEADER = "include/cohort/base/version.hpp"
PAGE = "docs/ci-without-a-gpu.md"
VERSION = r"\d+\.\d+\.\d+"
# (file, the pattern of a text, the value in it). The groups around the value stay.
PLACES = [
    (PAGE, r"(uses: )[\w-]+(/cohort@)", "owner"),
    (PAGE, r"(# Cohort )" + VERSION + r"()", "version"),
    (PAGE, r"(cohortcc_)" + VERSION + r"(_amd64)", "version"),
    (PAGE, r"(cohortcc-)" + VERSION + r"(-py3)", "version"),
    ("action.yml", r"(The version of the package cohortcc\n    default: ')[^']*(')", "version"),
    ("action.yml", r"(The SHA-256 of its wheel\n    default: ')[^']*(')", "sha256"),
]


def run(root, *command):
    return subprocess.run([str(word) for word in command], cwd=root, capture_output=True, text=True, check=False)


def published(root):
    return json.loads((root / "tools/published.json").read_text())


def write_published(root, values):
    (root / "tools/published.json").write_text(json.dumps(values, indent=2) + "\n")
    for name, pattern, key in PLACES:
        path = root / name
        path.write_text(re.sub(pattern, lambda match, key=key: match[1] + values[key] + match[2], path.read_text()))


def number_of(version):
    major, minor, patch = map(int, version.split("."))
    return 10000 * major + 100 * minor + patch


def prepare(root, version):
    """Sets the version. Returns findings; with any, nothing was set."""
    if not re.fullmatch(VERSION, version):
        return [f"'{version}' is no version of the form 1.2.3"]
    result = run(root, sys.executable, "-B", root / "tools/changes.py", root, "--release", version)
    if result.returncode != 0:
        return [line.removeprefix("changes: ") for line in result.stderr.splitlines()]
    print(result.stdout, end="")
    header = root / HEADER
    header.write_text(re.sub(r"(?m)^#define COHORT_VERSION \d+$", f"#define COHORT_VERSION {number_of(version)}", header.read_text()))
    values = published(root)
    if values["version"] != version:
        values.update(version=version, sha256="HASH")  # the known hash is that of another version
    write_published(root, values)
    return []


def publish(root, owner, wheel):
    values = published(root)
    if owner:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*", owner):
            return [f"'{owner}' is no owner of a repository"]
        values["owner"] = owner
    if wheel:
        if not wheel.name.startswith(f"cohortcc-{values['version']}-"):
            return [f"{wheel.name} is no wheel of version {values['version']}"]
        values["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
    write_published(root, values)
    return []


def check_values(root):
    """Findings about the version in all its places, and about values that were never set."""
    values, findings = published(root), []
    version = values["version"]
    heading = re.search(rf"^## ({VERSION})", (root / "CHANGES.md").read_text(), flags=re.M)
    if not heading or heading[1] != version:
        findings.append(f"CHANGES.md begins with version {heading[1] if heading else 'none'}, tools/published.json has {version}")
    if f"#define COHORT_VERSION {number_of(version)}\n" not in (root / HEADER).read_text():
        findings.append(f"{HEADER} has another version than tools/published.json, which has {version}")
    for name, pattern, key in PLACES:
        found = [re.sub(pattern, lambda match: match[0][len(match[1]) : len(match[0]) - len(match[2])], match[0])
                 for match in re.finditer(pattern, (root / name).read_text())]
        if not found:
            findings.append(f"{name} has no {key} where tools/release.py writes it: {pattern}")
        findings += [f"{name} has the {key} {value}, tools/published.json has {values[key]}" for value in found if value != values[key]]
    return findings


def check_release(root):
    """Findings about what a tag needs beside equal values."""
    values, findings = published(root), []
    if values["owner"] == "OWNER":
        findings.append("tools/published.json has no owner; set it with --publish --owner")
    if not re.fullmatch(r"[0-9a-f]{64}", values["sha256"]):
        findings.append("tools/published.json has no hash of the wheel; run `make package`, then --publish --wheel")
    if run(root, "git", "status", "--porcelain").stdout:
        findings.append("the tree has changes that are not committed")
    if run(root, "git", "tag", "--list", f"v{values['version']}").stdout:
        findings.append(f"the tag v{values['version']} exists")
    findings += [f"{path.relative_to(root)} is in no version; run --prepare" for path in sorted((root / "changes").glob("*.md"))]
    result = run(root, sys.executable, "-B", root / "tools/changes.py", root, "--check")
    findings += [line.removeprefix("changes: ") for line in result.stderr.splitlines()]
    return findings


def measured_times(root):
    """Findings about times that the README prints, each measured in a fresh clone."""
    findings = []
    for line in (root / "tools/printed_times.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            result = run(root, sys.executable, "-B", root / "tools/printed_times.py", root, line.split()[0], "--measure")
            if result.returncode != 0:
                findings.append((result.stderr.strip().splitlines() or ["the times could not be measured"])[-1])
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument("--prepare", metavar="VERSION")
    modes.add_argument("--publish", action="store_true")
    modes.add_argument("--check", action="store_true")
    modes.add_argument("--check-values", action="store_true", help="checks only that all places have the values of published.json")
    parser.add_argument("--owner")
    parser.add_argument("--wheel", type=pathlib.Path)
    options = parser.parse_args()
    root = options.root.resolve()
    if options.prepare:
        findings = prepare(root, options.prepare)
    elif options.publish:
        findings = publish(root, options.owner, options.wheel)
    else:
        findings = check_values(root)
        if options.check:
            findings += check_release(root)
            findings = findings or measured_times(root)  # half an hour, so only where all else is right
    for finding in findings:
        print(f"release: {finding}", file=sys.stderr)
    if options.check and not findings:
        version = published(root)["version"]
        print(f"git tag -a v{version} -m 'Cohort {version}'")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
