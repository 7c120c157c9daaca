#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The changes of a version:  tools/changes.py ROOT [--check | --release VERSION]

Each change has a file of its own, changes/TOPIC.md, with the sections Added, Changed or Fixed:

    # Fixed
    - `cohortcc -g` keeps the optimization level of device code.

Without an option the tool prints the sections of the next version. --check prints what is wrong with the files and with
CHANGES.md, and fails if something is. --release puts the sections into CHANGES.md under the heading of the version and
removes the files. The first version, while it has no tag, takes what is added, and the tool prints the rest: it
changes a version without users."""

import argparse
import pathlib
import re
import subprocess
import sys

SECTIONS = ("Added", "Changed", "Fixed")
MOST_LINES = 80  # lines of the sections of one version
SHINGLE = 8  # words: a repeated sequence of this length means that a paragraph stands in two versions
SPDX = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->"


def items_by_section(text, heading, name):
    """({section: [item]}, [finding]) of the lines under headings such as "# Added". An item keeps its lines."""
    sections, findings, section, open_item = {}, [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("<!--"):
            continue
        if line.startswith(heading + " "):
            section, open_item = line[len(heading) + 1 :], False
            if section not in SECTIONS:
                findings.append(f"{name}:{number}: '{section}' is no section; there are: {', '.join(SECTIONS)}")
            elif section in sections:
                findings.append(f"{name}:{number}: the section '{section}' stands twice")
            sections.setdefault(section, [])
        elif not line.strip():
            open_item = False
        elif section is None:
            findings.append(f"{name}:{number}: the line stands in no section")
        elif line.startswith("- "):
            sections[section].append(line)
            open_item = True
        elif line.startswith("  ") and open_item:
            sections[section][-1] += "\n" + line
        else:
            findings.append(f"{name}:{number}: the line continues no item of a list")
    findings += [f"{name}: the section '{section}' is empty" for section, items in sections.items() if not items]
    return sections, findings


def repeated_words(items):
    """Findings for words in a row that stand in two items, or twice in one. `items`: (place, text)."""
    seen, findings = {}, []
    for place, text in items:
        words = re.findall(r"[\w.:<>-]+", text)
        for i in range(len(words) - SHINGLE + 1):
            shingle = " ".join(words[i : i + SHINGLE])
            if shingle in seen:
                findings.append(f"{place}: '{shingle}' stands in {seen[shingle]} too")
                break
            seen[shingle] = place
    return findings


def read_fragments(root):
    sections, findings = {}, []
    for path in sorted((root / "changes").glob("*.md")):
        name = path.relative_to(root)
        found, wrong = items_by_section(path.read_text(), "#", name)
        findings += wrong
        if not found and not wrong:
            findings.append(f"{name}: the file has no section")
        for section, items in found.items():
            sections.setdefault(section, []).extend((str(name), item) for item in items)
    return sections, findings


def versions(text):
    """[(version, number of its heading's line, text of its part)] of CHANGES.md."""
    headings = [*re.finditer(r"^## (.+)\n", text, flags=re.M)]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return [(h[1], text.count("\n", 0, h.end()), text[h.end() : end]) for h, end in zip(headings, ends)]


def assembled(sections):
    parts = []
    for section in SECTIONS:
        if section in sections:
            parts.append(f"### {section}\n\n" + "\n".join(text for _, text in sections[section]) + "\n")
    return "\n".join(parts)


def is_tagged(root, version):
    result = subprocess.run(["git", "-C", root, "tag", "--list", f"v{version}"], capture_output=True, text=True, check=False)
    return result.returncode != 0 or bool(result.stdout)


def with_release(root, version, sections):
    """(CHANGES.md with the sections under the heading of the version, the sections that it leaves out, [finding])"""
    text = (root / "CHANGES.md").read_text()
    known = [each for each, _, _ in versions(text)]
    start = re.search(r"^## ", text, flags=re.M).start()
    if known == [version] and not is_tagged(root, version):
        _, _, first = versions(text)[0]
        introduction, heading, rest = first.partition("### Added\n")
        if not heading or "\n### " in rest:
            return "", {}, [f"CHANGES.md: {version} needs one section, Added, to which a release can add"]
        added = "".join(f"{item}\n" for _, item in sections.get("Added", []))
        left_out = {section: items for section, items in sections.items() if section != "Added"}
        text = f"{text[:start]}## {version}\n{introduction}{heading}{rest.rstrip()}\n{added}"
        return text, left_out, []
    if version in known:
        return "", {}, [f"CHANGES.md has a version {version} already"]
    return f"{text[:start]}## {version}\n\n{assembled(sections)}\n{text[start:]}", {}, []


def next_version(root):
    """The first version while it has no tag, else a name for the version after the newest one."""
    known = [each for each, _, _ in versions((root / "CHANGES.md").read_text())]
    return known[0] if len(known) == 1 and not is_tagged(root, known[0]) else "the next version"


def check(root):
    fragments, findings = read_fragments(root)
    items = [item for section in fragments.values() for item in section]
    for version, line, text in versions((root / "CHANGES.md").read_text()):
        if len(text.splitlines()) > MOST_LINES:
            findings.append(f"CHANGES.md:{line}: {version} has {len(text.splitlines())} lines, of at most {MOST_LINES}")
        introduction = re.match(r"\n*((?!###|- ).+\n)*", text)[0]
        lists = "\n" * (line + introduction.count("\n")) + text[len(introduction) :]
        found, wrong = items_by_section(lists, "###", "CHANGES.md")
        findings += wrong
        items += [(f"CHANGES.md, {version}", item) for section in found.values() for item in section]
    findings += repeated_words(items)
    if not findings:
        version = next_version(root)
        text, _, findings = with_release(root, version, fragments)
        lines = len(versions(text)[0][2].splitlines()) if text else 0
        if lines > MOST_LINES:
            findings.append(f"{version} would have {lines} lines, of at most {MOST_LINES}; shorten changes/")
    return findings


def release(root, version):
    sections, _ = read_fragments(root)
    if not sections:
        return ["changes/ has no change to release"]
    text, left_out, findings = with_release(root, version, sections)
    if findings:
        return findings
    (root / "CHANGES.md").write_text(text)
    if left_out:
        print(f"left out, because {version} is the first version:\n\n{assembled(left_out)}", end="")
    for fragment in (root / "changes").glob("*.md"):
        fragment.unlink()
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true")
    modes.add_argument("--release", metavar="VERSION")
    options = parser.parse_args()
    findings = check(options.root)
    if options.release and not findings:
        findings = release(options.root, options.release)
    elif not options.check and not findings:
        print(assembled(read_fragments(options.root)[0]), end="")
    for finding in findings:
        print(f"changes: {finding}", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
