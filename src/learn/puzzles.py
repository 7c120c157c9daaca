# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The puzzles of the installation, and the reader's copies in the folder cohort-learn."""

import contextlib
import hashlib
import json
import os
import pathlib
import re

from problem import Problem

COPIES = pathlib.Path("cohort-learn")
LINK = re.compile(r"\[([^\]]*)\]\((?:\.\./)*([^)]*)\)")
# A string is matched whole, so that one with // in it begins no comment.
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Puzzle:
    def __init__(self, folder):
        self.source = folder
        self.number = int(folder.name[:2])
        self.short_name = folder.name[3:]
        facts = json.loads((folder / "puzzle.json").read_text(encoding="utf-8"))
        self.title, self.explain = facts["title"], facts["explain"]
        # {pattern: sentence}: what the reader is told if the kernel matches a pattern of `avoid`, or none of `needs`.
        self.avoid, self.needs = facts.get("avoid", {}), facts.get("needs", {})
        self.copy = COPIES / folder.name
        self.kernel = self.copy / "kernel.cu"

    def text(self):
        """The description of the puzzle. Its links lead to Cohort's sources, because the reader's copy lies elsewhere.
        """
        return LINK.sub(r"\1 (\2)", (self.source / "README.md").read_text(encoding="utf-8"))

    def hint(self):
        return (self.source / "hint.md").read_text(encoding="utf-8")

    def solution(self):
        return (self.source / "solution" / "kernel.cu").read_text(encoding="utf-8")

    def check_files(self):
        return {"check.cu": (self.source / "check.cu").read_text(encoding="utf-8"),
                "puzzle.hpp": (self.source.parent / "support" / "puzzle.hpp").read_text(encoding="utf-8")}

    def changed_check_files(self):
        """Copies that differ from the installation: changed by the reader, or of another version."""
        return [self.copy / name for name, content in self.check_files().items()
                if (self.copy / name).read_text(encoding="utf-8", errors="replace") != content]

    def copy_missing_files(self):
        """Copies each file that the reader does not have. Returns true if the kernel was one of them."""
        is_new = not self.kernel.exists()
        files = {"README.md": self.text(), "kernel.cu": (self.source / "kernel.cu").read_text(encoding="utf-8"),
                 **self.check_files()}
        try:
            self.copy.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                if not (self.copy / name).exists():
                    write_file(self.copy / name, content)
        except OSError as error:
            raise Problem(f"{error.filename} cannot be written: {error.strerror}. Change to a folder of your own; the puzzles "
                          f"go to {COPIES}/ in it") from error
        return is_new

    def has_empty_hole(self):
        """Whether the kernel has only comments and blanks where the original has them, and nothing else was changed."""
        original = (self.source / "kernel.cu").read_text(encoding="utf-8")
        return code_of(original) == code_of(self.kernel.read_text(encoding="utf-8", errors="replace"))

    def has_markers(self):
        """Whether the kernel still has the comments around the hole."""
        return "Your code ends" in self.kernel.read_text(encoding="utf-8", errors="replace")

    def broken_rules(self):
        """The sentences about what the kernel must not contain, and what it must."""
        code = without_comments(self.kernel.read_text(encoding="utf-8", errors="replace"), keeps_strings=False)
        return [sentence for pattern, sentence in self.avoid.items() if re.search(pattern, code)] + \
               [sentence for pattern, sentence in self.needs.items() if not re.search(pattern, code)]

    def remember(self, is_solved):
        """Notes which text of the kernel was solved, so that a later change shows in the list."""
        mark = self.copy / ".solved"
        if is_solved:
            write_file(mark, self.digest() + "\n")
        else:
            mark.unlink(missing_ok=True)

    def digest(self):
        return hashlib.sha256(self.kernel.read_bytes()).hexdigest()

    def state(self):
        mark = self.copy / ".solved"
        if not self.kernel.exists():
            return ""
        if not mark.exists():
            return "begun"
        return "solved" if mark.read_text(encoding="utf-8").strip() == self.digest() else "changed since it was solved"


def without_comments(text, keeps_strings=True):
    return STRING_OR_COMMENT.sub(lambda match: match[0] if keeps_strings and match[0][0] == '"' else " ", text)


def write_file(path, text):
    """Writes the whole file or, on a full disk, nothing."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error


def code_of(text):
    return without_comments(text).split()


def read_all(folder):
    """All puzzles, in their order."""
    found = [Puzzle(path) for path in sorted(folder.glob("[0-9][0-9]-*"))]
    if not found:
        raise Problem(f"{folder} has no puzzles: install Cohort completely (make install)")
    return found
