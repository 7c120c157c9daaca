# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests on small trees that the tools for pictures report additions and removals:  pictures_test.py ROOT"""

import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

TOOLS = pathlib.Path(sys.argv[1]) / "tools"
sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True

import headline

PAGE = "# Architecture\n\n<!-- made by tools/architecture.py -->\n<!-- end of the table -->\n"
TREE = {
    "include/cohort/base/words.hpp": "#pragma once\n",
    "include/cohort/group/tile.hpp": '#include "../base/words.hpp"\n',
    "src/engine/state/block.hpp": "#include <cohort/base/words.hpp>\n",
    "src/engine/port.cpp": '#include "engine/state/block.hpp"\n',
    "docs/design/architecture.md": PAGE,
    "tools/rooms.json": json.dumps({"include/cohort/base": "words", "include/cohort/group": "groups",
                                    "src/engine": "the port", "src/engine/state": "state"}),
}
# A change of the tree after its picture was made, and the expected message of the check.
CHANGES = [
    ("include/cohort/launch/config.hpp", "#pragma once\n", "has no line for the room include/cohort/launch"),
    ("include/cohort/group/tile.hpp", "#pragma once\n", "do not show this tree"),
    ("include/cohort/group/tile.hpp", None, "has a line for include/cohort/group, which has no code"),
    ("src/engine/state/block.hpp", "#include <cohort/group/tile.hpp>\n", "do not show this tree"),
    ("docs/design/architecture.md", PAGE, "do not show this tree"),
]
ROW = {"name": "tile 32: sync", "unit": "cycles", "ours": 1, "theirs": 2, "ratio": 0.5, "bar": "<= 1", "met": True}
# The rows of the README's picture.
CPU_ROWS = [{**ROW, "name": name, "peer": peer} for _, _, name, peer in headline.CPU]
GPU_ROWS = [{**ROW, "name": name} for _, _, name in headline.GPU]
WORLD = {"cpu": "X", "rows": [{**ROW, "name": "sync, 1 x 32", "unit": "us", "peer": "MPI"}]}
RESULTS = {
    "bench/results/2026-01-02-cpu-world-2-processes.json": json.dumps(WORLD),
    "bench/results/2026-01-02-cpu-world-2-devices.json": json.dumps(WORLD),
    "bench/results/2026-01-02-nvidia-x.json": json.dumps({"device": "NVIDIA X", "rows": [ROW, *GPU_ROWS]}),
    "bench/results/2026-01-02-cpu.json": json.dumps({"cores": 2, "rows": [
        *CPU_ROWS, {**ROW, "name": "ring", "peer": "Boost"},
        {**ROW, "name": "sum", "peer": "pocl", "unit": "GB/s", "ratio": 40.0, "bar": ">= 4"},
        {"name": "product", "peer": "OpenBLAS", "unit": "GFlop/s", "ours": 1, "theirs": None, "note": "not installed"},
        {**ROW, "name": "ballot", "peer": "limit", "failure": "its peer contradicts other rows"}]}),
}


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        (root / path).unlink()
    else:
        (root / path).write_text(text)


def tool(name, root, mode):
    result = subprocess.run([sys.executable, TOOLS / name, root, mode], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def changed(name, tree, path, text):
    """Returns the status and the output of the check after one change of a tree with current pictures."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for file, content in tree.items():
            write(root, file, content)
        status, output = tool(name, root, "--write")
        if status != 0:
            return status, f"--write failed: {output}"
        for picture in (root / "docs/pictures").glob("*.svg"):
            ElementTree.parse(picture)
        if path is not None:
            write(root, path, text)
        return tool(name, root, "--check")


def main():
    failed = []
    for name, tree in (("architecture.py", TREE), ("plots.py", RESULTS)):
        status, output = changed(name, tree, None, None)
        if status != 0:
            failed.append(f"{name} complains about an unchanged tree: {output}")
    for path, text, sentence in CHANGES:
        status, output = changed("architecture.py", TREE, path, text)
        if status == 0 or sentence not in output:
            failed.append(f"architecture.py: {path} changed, but: {output}")
    newer = {
        "nvidia-x": ({"device": "NVIDIA X", "rows": [{**ROW, "ratio": 0.7}, *GPU_ROWS]}, "gpu"),
        "intel": ({"cores": 2, "rows": [{**row, "ratio": 0.7} for row in CPU_ROWS]}, "headline"),
        "2-nvidia-x": ({"device": "NVIDIA X", "rows": [{**ROW, "name": "multi-grid sync, 132 x 256, 2 GPUs"}]}, "world"),
        "world-2-nvidia-x": ({"device": "NVIDIA X", "rows": [{**ROW, "name": "world sync, 132 x 256, 2 processes"}]}, "world"),
        "cpu-world-2-devices": ({"rows": [{**WORLD["rows"][0], "ours": 3}]}, "world"),
    }
    for name, (content, picture) in newer.items():
        status, output = changed("plots.py", RESULTS, f"bench/results/2026-01-03-{name}.json", json.dumps(content))
        if status == 0 or f"docs/pictures/{picture}.svg" not in output:
            failed.append(f"plots.py: a newer result of {name} goes unseen: {output}")
    status, output = changed("plots.py", RESULTS, "bench/results/2026-01-03-intel.json", json.dumps({"cores": 2, "rows": CPU_ROWS[1:]}))
    if status == 0 or headline.CPU[0][2] not in output:
        failed.append(f"plots.py: results without a row of the headline go unseen: {output}")
    print("\n".join(failed) or f"{len(CHANGES) + len(newer)} changes are seen")
    return 1 if failed else 0


sys.exit(main())
