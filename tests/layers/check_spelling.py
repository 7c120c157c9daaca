# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the spelling of all tracked files with codespell:  check_spelling.py ROOT

.codespellrc has the exceptions. Exit status 77 (skipped) where codespell or the repository is missing."""

import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    return SKIPPED


def misspelled(text):
    """Whether codespell finds an error in a text: a check that finds nothing must be able to find something."""
    return subprocess.run(["codespell", "-"], input=text, text=True, stdout=subprocess.DEVNULL, check=False).returncode != 0


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("codespell"):
        return skip("codespell is not installed")
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode != 0 or not listed.stdout:
        return skip("the sources are no git checkout")
    if not misspelled("receive\n".replace("ei", "ie")) or misspelled("receive\n"):
        print("codespell does not find a sample, so this check proves nothing")
        return 1
    files = [name for name in listed.stdout.split("\0") if name and (root / name).exists()]
    result = subprocess.run(["codespell", *files], cwd=root, check=False)
    print(f"{len(files)} files")
    return 1 if result.returncode else 0


sys.exit(main())
