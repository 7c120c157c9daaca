# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of options in docs/nvrtc.md, made from the rows of src/nvrtc/options.inc.

options_table.py ROOT [--write]: compares the page with the rows; --write changes the page"""

import pathlib
import re
import sys

ROW = re.compile(r'^COHORT_NVRTC_OPTION\("([^"]+)", "([^"]+)", (\w+), (\w+), "([^"]+)"\)$', re.MULTILINE)
MARKS = "<!-- made by tests/nvrtc/options_table.py -->\n", "<!-- end of the table -->\n"
EFFECTS = {"pass": "yes", "own": "yes", "drop": "no", "refuse": "refused"}


def table(rows):
    lines = ["| option | effect | |\n", "| --- | --- | --- |\n"]
    for long_name, short_name, _, does, why in sorted(rows, key=lambda row: (list(EFFECTS).index(row[3]) // 2, row[0])):
        lines.append(f"| `--{long_name}`, `-{short_name}` | {EFFECTS[does]} | {why} |\n")
    return "".join(lines)


def main(root, write):
    page = root / "docs/nvrtc.md"
    rows = ROW.findall((root / "src/nvrtc/options.inc").read_text())
    text = page.read_text()
    begin, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    if write:
        page.write_text(text[:begin] + table(rows) + text[end:])
    elif text[begin:end] != table(rows) or len(rows) < 50:
        print("the table of docs/nvrtc.md is not that of src/nvrtc/options.inc: "
              "python3 tests/nvrtc/options_table.py . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:] == ["--write"]))
