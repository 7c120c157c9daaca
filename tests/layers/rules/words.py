# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the words of names, comments, messages and documents. tests/layers/words.txt is the list."""

import fnmatch
import functools
import pathlib
import posixpath
import re

from rules.files import SPDX
from sources import blank, comments, is_code, is_script, line_of, without_comments, without_strings

LIST = pathlib.Path(__file__).parent.parent / "words.txt"
EXEMPT = ("tests/layers/", "include/cudart/", "LICENSE")  # the list itself; CUDA's names


def read_list(path=LIST):
    """{section: {word: replacement}}"""
    sections, current = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], {})
        elif line.strip() and not line.startswith("#"):
            word, _, replacement = line.partition("  ")
            current[word] = replacement.strip()
    return sections


WORDS = read_list()
NAMES = [(re.compile(fnmatch.translate(name)), *re.match(r"([^(]*[^( ]) *(?:\((.*)\))?$", instead).groups())
         for name, instead in WORDS["identifiers"].items()]  # pattern, replacement, folders or None
PROSE = re.compile(r"(?<![A-Za-z])(" + "|".join(map(re.escape, WORDS["words"])) + r")(?![A-Za-z])", re.I)
BEGINNING = re.compile(r"(" + "|".join(map(re.escape, WORDS["beginnings"])) + r")\b")
FRAGMENT = re.compile(r"(" + "|".join(map(re.escape, WORDS["fragments"])) + r")\b")


@functools.cache
def instead_of(name):
    """The replacements of an identifier, each with its folders or None. The tree repeats most names many times."""
    return [row[1:] for row in NAMES if row[0].match(name.rstrip("_"))]


def names(tree):
    """An identifier of the list."""
    for path, text in tree.items():
        if not path.startswith(("include/", "src/", "bench/")) or not is_code(path) or path.startswith(EXEMPT):
            continue
        code = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", lambda m: blank(m[0]), without_strings(text), flags=re.M)
        for match in re.finditer(r"(?<![.>])\b[A-Za-z_]\w*\b", code):  # x.what() names a member of another library
            for instead, folders in instead_of(match[0]):
                if folders is None or path.startswith(tuple(folders.split())):
                    yield path, line_of(text, match.start()), f"`{match[0]}`: the project's word is {instead}"


def prose(tree):
    """A word of the list, wherever it stands."""
    for path, text in tree.items():
        if path.startswith(EXEMPT):
            continue
        for match in PROSE.finditer(text):
            instead = WORDS["words"][match[0].lower()]
            yield path, line_of(text, match.start()), f"'{match[0]}': the project's word is {instead}"


def comments_of(path, text):
    """(position, text without its marks) of each comment, and of each documentation string of Python."""
    if is_code(path):
        for position, comment in comments(text):
            yield _after_licence(position, comment, r"(?://[/!]?<?|/\*[*!]?)[ \t]*")
    elif is_script(path):
        for match in re.finditer(r"(?:^[ \t]*#(?!!)[^\n]*\n)+|[ \t]#[ \t][^\n]*", text, re.M):
            yield _after_licence(match.start(), match[0], r"\s*#+[ \t]*")
        if path.endswith(".py"):
            for match in re.finditer(r'"""(.*?)"""', text, re.S):
                yield match.start(), match[1]


def _after_licence(position, comment, mark):
    """Position and text of a comment, without its first mark and without the licence's line."""
    if SPDX in comment.split("\n", 1)[0]:
        first, _, comment = comment.partition("\n")
        position += len(first) + 1
    return position, re.sub("^" + mark, "", comment)


def comments_stand_alone(tree):
    """An editor shows one comment at a time, so each one has a subject and needs no other."""
    for path, text in tree.items():
        if path.startswith(EXEMPT[1:]):
            continue
        for position, comment in comments_of(path, text):
            has_noun_rule = is_code(path) and path.startswith(("include/", "src/"))
            match = BEGINNING.match(comment) or (has_noun_rule and FRAGMENT.match(comment))
            if match:
                yield path, line_of(text, position), f"a comment begins with '{match[1]}': name the thing it is about"


FUNCTION = re.compile(r"\b([A-Za-z_]\w{3,})\(\)")
QUOTED_NAME = re.compile(r"`((?:\w+(?:::|\.))*[A-Za-z_]\w{3,})(?:\(\))?`")
FILE = re.compile(r"(?<![\w/<.*-])((?:[\w-]+/)*[\w-]+\.(?:[ch]pp|h|cu|cuh|py|sh|md|def|inc|S))\b(?!\.)")
# Names and files of other systems, and a user's files. What the code includes, calls or writes needs no entry.
FOREIGN = {"byval", "combineLoad", "crt/host_config.h", "file.cpp", "file.cu", "nneg"}
NAMED_IN = ("docs/design/", "tests/README.md", "HACKING.md", "CONTRIBUTING.md")  # the pages about the code


def code_of(path, text):
    """The text of a source or script without comments and documentation strings."""
    if is_code(path):
        return without_comments(text)
    if path.endswith(".py"):
        text = re.sub(r'^[ \t]*""".*?"""', "", text, flags=re.M | re.S)
    return re.sub(r"(^|[ \t])#[ \t!][^\n]*", "", text, flags=re.M)


def texts_about_code(path, text):
    """(position, text) of each comment of a source or script, and of a page about the code."""
    if path.endswith(".md") and path.startswith(NAMED_IN):
        return [(0, text)]
    return comments_of(path, text)


def comments_name_what_exists(tree):
    """A comment, or a page about the code, that names a function, `name()`, a `name` or a file names one that is there."""
    codes = {path: code_of(path, text) for path, text in tree.items()
             if (is_code(path) or is_script(path)) and not path.startswith(EXEMPT[0])}
    known, called = set(), set()
    for path, code in codes.items():
        found = re.findall(r"[A-Za-z_]\w*", code)
        known.update(found)
        called.update(found if path.endswith(".inc") else re.findall(r"([A-Za-z_]\w*)\s*[(<]", code))
    known |= FOREIGN | {posixpath.basename(path).split(".")[0] for path in tree}
    called |= FOREIGN
    files = FOREIGN | {path.split("/", start)[-1] for path in tree for start in range(path.count("/") + 1)}
    for path, text in tree.items():
        if path.startswith(EXEMPT[0]):
            continue
        for position, comment in texts_about_code(path, text):
            found = [(match, match[0]) for match in FUNCTION.finditer(comment) if match[1] not in called]
            if not path.endswith(".md"):  # a page also has names of programs and of other systems
                found += [(match, match[0]) for match in QUOTED_NAME.finditer(comment) if not _is_known(match[1], known)]
            # Names of files that a test writes, and words in capitals, which stand for any name, need not exist.
            found += [(match, match[1]) for match in FILE.finditer(comment) if match[1] not in files
                      and match[1] not in codes.get(path, "") and not re.search(r"\b[A-Z]{4,}\b", match[1])]
            for match, name in found:
                yield path, line_of(text, position + match.start()), f"names {name}, which does not exist"


def _is_known(name, known):
    """Whether each part of a qualified name is in code; `cohort_check_` and `_nan` are the ends of names."""
    for part in re.split(r"::|\.", name):
        if part not in known and not (part.endswith("_") and any(other.startswith(part) for other in known)) \
                and not (part.startswith("_") and any(other.endswith(part) for other in known)):
            return False
    return True


_CODE = "// " + SPDX + "\n"

RULES = {
    names: [
        ("src/engine/state/block.cpp", _CODE + "int pieces;\n"),
        ("src/engine/state/block.cpp", _CODE + "struct block { int pieces_; void sync_cut(); };\n"),
    ],
    prose: [
        ("src/engine/state/block.cpp", _CODE + "// Each octet of warps.\n"),
        ("src/engine/state/block.cpp", _CODE + "int write_octet;\n"),
        ("docs/notes.md", "The lane that speaks.\n"),
    ],
    comments_stand_alone: [
        ("src/engine/state/block.cpp", _CODE + "/// The same for two lanes.\nint x;\n"),
        ("src/engine/state/block.cpp", _CODE + "int bits;  // of the result\n"),
        ("tests/x.py", "# " + SPDX + "\n\n# Who waits\n"),
        ("tests/CMakeLists.txt", "# " + SPDX + "\n# As above, with nvcc.\n"),
    ],
    comments_name_what_exists: [
        ("src/engine/state/block.cpp", _CODE + "// The opposite of leave_warp().\n"),
        ("src/engine/state/block.cpp", _CODE + "int arrivals;  // those of arrivals()\n"),
        ("src/engine/state/block.cpp", _CODE + "// `block::leave` is later.\n"),
        ("src/engine/state/block.cpp", _CODE + "int x;  // see state/wrap.hpp\n"),
        ("tools/x.py", "# " + SPDX + "\n\n# see state/wrap.hpp\n"),
        ("tools/x.py", "# " + SPDX + '\n\n"""Calls leave_warp()."""\n'),
        ("docs/design/notes.md", "`leave_warp()` is in the file `state/warp.hpp`.\n"),
        ("docs/design/notes.md", "`state/wrap.hpp` has it.\n"),
    ],
}
