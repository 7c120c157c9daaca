# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows a tutorial as a reader does, from an empty folder:  tutorial_test.py PAGE BUILD FOLDER

PAGE has blocks of four kinds:
  - A block after a text that ends with "`NAME`:" is the file NAME. In the language `diff` it changes that file: the
    lines without a plus stand in it once, and those without a minus replace them.
  - A block in the language `sh` has commands, which one shell runs in order. Commands that begin with `make` or `git`
    are left out: BUILD has their result, that of an installation in $HOME/cohort too. Commands must succeed, unless
    the page shows their output.
  - A block without a language is the output of the commands before it, without regard to the breaks of lines.
    Addresses and times may differ, and a line `...` stands for any lines.
  - Other blocks are not used."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

from page_blocks import blocks

LEFT_OUT = ("make ", "git ")
MARK = "--- end of block"
TIME_LIMIT_S = 240


def without_variable_parts(text):
    text = re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", text)
    text = re.sub(r"\b\d+\.\d+ (sec|s|ms)\b", "TIME", text)
    return " ".join(text.split())


def is_shown(expected, output):
    """Whether the output is the expected one, where a line `...` stands for any lines."""
    parts = [re.escape(without_variable_parts(part)) for part in re.split(r"^\.\.\.$", expected, flags=re.MULTILINE)]
    return re.fullmatch(r"\s*" + r"\s*(?:.*\s)?".join(parts) + r"\s*", without_variable_parts(output) + " ") is not None


def changed_file(block):
    """A shell command that applies a block in the language `diff`."""
    lines = block.body.splitlines()
    old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    new = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    script = f"text = open({block.file!r}).read(); assert text.count({old!r}) == 1, 'the lines are not there once'; " \
             f"open({block.file!r}, 'w').write(text.replace({old!r}, {new!r}))"
    return f"{sys.executable} - <<'END_OF_CHANGE'\n{script}\nEND_OF_CHANGE"


def command(block):
    if block.file and block.language == "diff":
        return changed_file(block)
    if block.file:
        folder = os.path.dirname(block.file) or "."
        return f"mkdir -p {folder}\ncat >{block.file} <<'END_OF_FILE'\n{block.body}END_OF_FILE"
    if block.language == "sh":
        return "\n".join(line for line in block.body.splitlines() if not line.startswith(LEFT_OUT))
    return ":"


def follow(page_blocks, build, folder):
    """Runs the blocks and returns [(failed, output)]. The folder looks like a checkout with its
    build, and like a home directory with an installation in cohort/."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("build", "cohort"):
        (folder / name).symlink_to(build)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COHORT_", "CUDA", "MAKE"))}
    environment["HOME"] = str(folder)
    script = "exec 2>&1\ntrap 'failed=1' ERR\n"
    script += "".join(f"failed=0\n{command(block)}\necho; echo '{MARK}' $failed\n" for block in page_blocks)
    result = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, timeout=TIME_LIMIT_S, check=False)
    parts = re.split(rf"\n{MARK} (\d)\n", result.stdout)
    return list(zip(parts[1::2], parts[0::2]))


def findings(page_blocks, results):
    if len(results) != len(page_blocks):
        yield f"only {len(results)} of {len(page_blocks)} blocks ran"
    output, is_output_shown = "", [following.language == "" for following in page_blocks[1:]] + [False]
    for block, shown, (failed, text) in zip(page_blocks, is_output_shown, results):
        if block.language == "sh" and not block.file:
            output = text
        if block.language == "" and not is_shown(block.body, output):
            yield f"line {block.line}: the commands before print:\n{output}"
        if failed == "1" and not (block.language == "sh" and shown):
            yield f"line {block.line}: a command fails:\n{text}"


def main():
    page, build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    page_blocks = blocks(page.read_text())
    shown = sum(block.language == "" for block in page_blocks)
    found = list(findings(page_blocks, follow(page_blocks, build, folder)))
    if shown == 0:
        found.append("the page shows no output")
    print("\n".join(f"{page.name}: {finding}" for finding in found)
          or f"{page.name}: {len(page_blocks)} blocks, {shown} outputs as shown")
    return 1 if found else 0


sys.exit(main())
