# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a checkout into a tree {path: text} and C++ text into parts: comments, code, includes, declarations."""

import os
import posixpath
import re

CODE = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".S", ".inc")
SCRIPTS = (".py", ".sh", ".cmake", ".cmake.in")
# Folders from which includes are named. The compiler's programs share no code with the libraries, which include each
# other.
ROOTS = ("src/compiler/driver/", "src/compiler/plugin/", "src/")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def read_tree(root):
    """The texts of all files of a checkout, without hidden folders other than .ci and .github, and without build folders."""
    tree = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not _is_skipped(root, folder, name)]
        for name in files:
            if name == ".git":  # of a linked work tree
                continue
            path = os.path.join(folder, name)
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            except UnicodeDecodeError:
                text = ""  # a picture
            tree[os.path.relpath(path, root).replace(os.sep, "/")] = text
    return tree


def _is_skipped(root, folder, name):
    hidden = name.startswith(".") and name not in (".ci", ".github")
    built = name.startswith("build") and (folder == root or os.path.exists(os.path.join(folder, name, "CMakeCache.txt")))
    return hidden or built or name == "__pycache__"


def is_code(path):
    return path.endswith(CODE) or (path.startswith("include/") and "." not in posixpath.basename(path))


def is_script(path):
    return path.endswith(SCRIPTS) or posixpath.basename(path) == "CMakeLists.txt"


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(text):
    """Spaces in the place of everything but line breaks, so that positions and lines stay."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    return TOKEN.sub(lambda m: blank(m[0]) if m[0].startswith("/") else m[0], text)


def without_strings(text):
    """Code alone: comments and the contents of strings are blanks."""
    def replaced(match):
        found = match[0]
        if found.startswith("/"):
            return blank(found)
        return found[0] + blank(found[1:-1]) + found[-1] if found[0] in "\"'" else blank(found)
    return TOKEN.sub(replaced, text)


def comments(text):
    """(position, text) of each comment; consecutive lines of // are one comment."""
    found = [(m.start(), m.end(), m[0]) for m in TOKEN.finditer(text) if m[0].startswith("/")]
    joined = []
    for start, end, comment in found:
        own_line = not text[text.rfind("\n", 0, start) + 1:start].strip()
        if joined and comment.startswith("//") and own_line and joined[-1][3] and not text[joined[-1][1]:start].strip() \
                and text.count("\n", joined[-1][1], start) == 1:
            joined[-1] = (joined[-1][0], end, joined[-1][2] + "\n" + comment, True)
        else:
            joined.append((start, end, comment, own_line and comment.startswith("//")))
    return [(start, comment) for start, end, comment, _ in joined]


def code_lines(text):
    """The number of lines that hold code: neither blank nor only a comment."""
    return sum(1 for line in without_comments(text).split("\n") if line.strip())


def root_of(path):
    """The folder from which a file of src/ names the files that it includes, or None for other files."""
    return next((root for root in ROOTS if path.startswith(root)), None)


def includes(tree, path):
    """(line, path of the included file or None for a system header, as written) of each #include of a file."""
    for match in INCLUDE.finditer(tree[path]):
        quoted, name = match.group(1) == '"', match.group(2)
        target = None
        if name.startswith(("cohort/", "cohort.")):
            target = "include/" + name
        elif quoted:
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            root = None if name.startswith("../") else root_of(path)
            target = beside if root is None or beside in tree else root + name
        yield line_of(tree[path], match.start()), target, name
