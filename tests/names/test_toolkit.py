# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares names.txt with the headers of CUDA 13.0, or with --write renews it.

test_toolkit.py CLANG INCLUDE-FOLDER ROOT [--write]"""

import pathlib
import sys

import names
import toolkit


def of_toolkit(clang, include):
    source = toolkit.toolkit(clang, include)
    found, members = source.names()
    facts = {}
    for device in (True, False):  # a fact that host and device share is recorded as the host's
        command = [*source.command, *source.flags(device), *names.CHECK_ONLY]
        facts.update(names.probe(command, source.includes[device], list(found), members))
    headers = {}
    for (kind, name), header in sorted(found.items(), key=lambda item: (list(toolkit.HEADERS).index(item[1]), item[0])):
        if (kind, name) in facts:
            headers.setdefault(header, {})[kind, name] = facts[kind, name]
    return headers


def main(clang, include, _, *options):
    if not toolkit.is_there(clang, include):
        return 77
    headers = of_toolkit(clang, pathlib.Path(include))
    if "--write" in options:
        names.write(headers)
        return 0
    listed = names.read()
    wrong = 0
    for header in {**listed, **headers}:
        theirs, ours = headers.get(header, {}), listed.get(header, {})
        for kind, name in {**theirs, **ours}:
            if theirs.get((kind, name)) != ours.get((kind, name)):
                print(f"{header}: {kind} {name}: the toolkit has {theirs.get((kind, name))!r}, "
                      f"names.txt {ours.get((kind, name))!r}")
                wrong += 1
    return 0 if wrong == 0 and sum(map(len, headers.values())) > 4000 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
