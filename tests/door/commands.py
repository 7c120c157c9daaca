# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the shell commands that a README shows, as they are written.

  commands.py print SOURCE DOCUMENT                 prints them as a script for bash
  commands.py built SOURCE DOCUMENT BUILD FOLDER    runs them in FOLDER, which looks like a checkout built in BUILD;
                                                    commands that install or build are left out
  commands.py clone SOURCE FOLDER                   runs those of README.md and of the examples in a clone of SOURCE

SOURCE is a checkout and DOCUMENT a path in it. The script writes a ```cpp block that has a main function to kernel.cu,
the file that README.md compiles. A comment behind a printf in such a block is expected in the output."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
BUILDERS = {"apt-get", "cmake", "ctest", "git", "make"}  # first words of the commands that `built` leaves out
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXPECTED = re.compile(r"printf\(.*\);\s*// (.+)$", re.MULTILINE)


def blocks(text, language):
    return [body for name, body in BLOCK.findall(text) if name == language]


def programs(text):
    return [body for body in blocks(text, "cpp") if re.search(r"\bint main\(", body)]


def commands(text):
    """Returns the commands of all ```sh blocks, one string each; a backslash continues a line."""
    lines = "\n".join(blocks(text, "sh")).replace("\\\n", " ").split("\n")
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def script(text, leave_out=frozenset()):
    parts = ["set -euxo pipefail"]
    parts += [f"cat >kernel.cu <<'END_OF_KERNEL'\n{body}END_OF_KERNEL" for body in programs(text)]
    parts += [command for command in commands(text) if command.split()[0] not in leave_out]
    return "\n".join(parts) + "\n"


def expectations(document, text):
    found = [match.strip() for body in programs(text) for match in EXPECTED.findall(body)]
    return found + (["verified: "] if document.startswith("examples/") else [])


def run(document, text, folder, leave_out=frozenset()):
    print(f"== {document}", flush=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "COHORT_"))}
    process = subprocess.Popen(["bash", "-c", script(text, leave_out)], cwd=folder, env=environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = []
    for line in process.stdout:
        print(line, end="", flush=True)
        output.append(line)
    if process.wait() != 0:
        sys.exit(f"FAILED: {document}: exit status {process.returncode}")
    for expected in expectations(document, text):
        if not any(expected in line and not line.startswith("+") for line in output):
            sys.exit(f"FAILED: {document}: the output lacks '{expected}'")


def built(source, document, build, folder):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "build").mkdir(parents=True)
    for name in ("examples", "include"):
        (folder / name).symlink_to(source / name)
    for name in ("bin", "lib", "include"):
        if (build / name).exists():
            (folder / "build" / name).symlink_to(build / name)
    text = (source / document).read_text(encoding="utf-8")
    if not any(command.split()[0] not in BUILDERS for command in commands(text)):
        sys.exit(f"FAILED: {document} shows no command that uses the build")
    run(document, text, folder, BUILDERS)


def clone(source, folder):
    shutil.rmtree(folder, ignore_errors=True)
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        sys.exit(SKIPPED)
    if subprocess.run(["git", "clone", "-q", str(source), str(folder)], check=False).returncode != 0:
        print(f"skipped: {source} cannot be cloned: it is no git checkout, or it belongs to another user")
        sys.exit(SKIPPED)
    leave_out = set() if os.geteuid() == 0 else {"apt-get"}
    for path in [folder / "README.md", *sorted(folder.glob("examples/*/README.md"))]:
        document = path.relative_to(folder).as_posix()
        run(document, path.read_text(encoding="utf-8"), folder, leave_out)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True, check=True).stdout
    foreign = [line for line in status.splitlines() if line.split()[-1] not in ("kernel", "kernel.cu")]
    if foreign:
        sys.exit("FAILED: the commands left files in the source:\n" + "\n".join(foreign))
    shutil.rmtree(folder)


def main():
    action, source, rest = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    if action == "print":
        print(script((source / rest[0]).read_text(encoding="utf-8")), end="")
    elif action == "built":
        built(source, rest[0], pathlib.Path(rest[1]).resolve(), pathlib.Path(rest[2]).resolve())
    elif action == "clone":
        clone(source, pathlib.Path(rest[0]).resolve())
    else:
        sys.exit(__doc__)


main()
