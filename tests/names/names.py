# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of CUDA's public names (names.txt), and what a compiler finds of them behind a set of headers.

A name is a pair (kind, name). Its facts are a string: "" for a function or a macro without a number, the number of an
enumerator or a macro, and "size alignment member:offset ..." of a complete type."""

import pathlib
import re
import subprocess
import tempfile
import textwrap

LIST = pathlib.Path(__file__).with_name("names.txt")
# The additions of CUDA 13.1 to 13.5, with the types and numbers that exist here, and the changes of 13.5.
NEWER = pathlib.Path(__file__).with_name("newer_names.txt")
KINDS = ("function", "type", "enumerator", "macro")
# Options of clang: no code, all messages, one line for each.
CHECK_ONLY = ("-fsyntax-only", "-ferror-limit=0", "-fno-color-diagnostics", "-fno-caret-diagnostics")
IMPOSSIBLE = 77777777777  # no number of CUDA


def read(path=LIST):
    """{header: {(kind, name): facts}}"""
    headers, kind = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("["):
            names = headers.setdefault(line.strip("[]"), {})
        elif line.endswith(":") and line[:-1] in KINDS:
            kind = line[:-1]
        elif line and not line.startswith("#"):
            for word in [line] if kind == "type" else line.split():
                name, _, facts = word.partition(" " if kind == "type" else "=")
                names[kind, name] = facts
    return headers


def write(headers, path=LIST, version="13.0", maker="Made by `test_toolkit.py --write` from a toolkit."):
    lines = ["# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             f"# The public names of CUDA {version}'s headers: functions (those of cuda.h without the endings of their versions),",
             "# types with size, alignment and the offsets of their members, enumerators and macros with their numbers.",
             f"# {maker}"]
    for header, names in headers.items():
        lines += ["", f"[{header}]"]
        for kind in KINDS:
            found = sorted(name for name in names if name[0] == kind)
            words = [name + (f"{' ' if kind == 'type' else '='}{names[kind, name]}" if names[kind, name] else "")
                     for _, name in found]
            if words:
                lines += [f"{kind}:"]
                lines += words if kind == "type" else textwrap.wrap(" ".join(words), 120, break_long_words=False,
                                                                    break_on_hyphens=False)
    path.write_text("\n".join(lines) + "\n")


def expressions(kind, name, members):
    if kind == "type":
        return [f"sizeof({name})", f"alignof({name})", *(f"__builtin_offsetof({name}, {member})" for member in members)]
    return [f"(long long)({name})"]


def probe(command, includes, names, members):
    """Returns the facts of those of `names` that exist after `includes`. `members` is {type:
    [member]}, `command` the compiler's command line.

    One compilation serves all names: its assertions all fail, and clang prints the value of each.
    """
    lines, owners = includes.splitlines(), {}
    def add(line, *owner):
        lines.append(line)
        owners[len(lines)] = owner
    for index, (kind, name) in enumerate(names):
        if kind == "macro":
            lines += [f"#ifndef {name}"]
            add(f"#error {name}", (kind, name), "exists")
            lines += ["#endif"]
        elif kind != "enumerator":  # an enumerator exists where its number does
            add(f"namespace probe_{index} {{ using ::{name}; }}", (kind, name), "exists")
        if kind != "function":
            for at, expression in enumerate(expressions(kind, name, members.get(name, []))):
                add(f"static_assert({expression} == {IMPOSSIBLE});", (kind, name), at)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "probe.cu")
        source.write_text("\n".join(lines) + "\n")
        ran = subprocess.run([*command, source], capture_output=True, text=True)
    absent, values = set(), {}
    for line in ran.stderr.splitlines():
        found = re.match(r"\S*probe\.cu:(\d+):\d+: (error|note|fatal error): (.*)", line)
        if not found or int(found[1]) not in owners:
            continue
        name, what = owners[int(found[1])]
        value = re.match(rf"expression evaluates to '(-?\d+) == {IMPOSSIBLE}'", found[3])
        if what == "exists" and "error" in found[2]:
            absent.add(name)
        elif value:
            values.setdefault(name, {})[what] = value[1]
    facts = {}
    for kind, name in names:
        if (kind, name) in absent:
            continue
        numbers = values.get((kind, name), {})
        if kind == "enumerator" and 0 not in numbers:
            continue
        facts[kind, name] = numbers.get(0, "")
        if kind == "type" and 0 in numbers:
            places = [f"{member}:{numbers[at]}" for at, member in enumerate(members.get(name, []), 2) if at in numbers]
            facts[kind, name] = " ".join([numbers[0], numbers[1], *places])
    return facts


def members_of(names):
    return {name: re.findall(r"(\w+):", facts) for (kind, name), facts in names.items() if kind == "type"}
