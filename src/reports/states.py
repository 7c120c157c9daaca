# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""States of threads: the sentences of the engine's reports (src/engine/report/block_state.cpp), in classes."""

import re

# The class of a sentence, and the group that its threads belong to. The source place follows as " at PLACE".
SENTENCES = [
    ("returned", r"returned from the kernel", None),
    ("collective", r"wait in (?P<op>.+?) of the thread_block, where \d+ of \d+ threads arrived", "thread_block"),
    ("barrier", r"wait at the block's barrier \(thread_block\.sync, __syncthreads\), where \d+ of \d+ threads arrived",
     "thread_block"),
    ("barrier", r"wait at the grid's barrier \(grid_group\.sync\), where \d+ of \d+ threads of the block arrived",
     "grid_group"),
    ("barrier", r"wait at (?P<group>barrier \d+) of the block, where \d+ of \d+ threads arrived", None),
    ("barrier", r"wait at the (?P<group>mbarrier at .+?), whose phase of parity [01] lacks .+?", None),
    ("barrier", r"wait at the barrier of the (?P<group>\w+), where \d+ of \d+ threads of the block arrived", None),
    ("collective", r"wait in .+? of the (?P<group>\w+(?:<\d+>)? of threads \d+-\d+), where \d+ of \d+ threads arrived", None),
    ("collective", r"wait in .+? of (?P<group>warp \d+ with lane mask 0x[0-9a-f]{8}), where lanes 0x[0-9a-f]{8} are missing",
     None),
    ("convergence", r"wait for convergence \(coalesced_threads\)", "coalesced_group"),
    ("spin", r"spin(?:, after a try to wait at .+?)?", None),
    ("ready", r"can run after a wait", None),
    ("unstarted", r"have not started", None),
    ("run", r"run", None),
]
PATTERNS = [(name, re.compile(pattern + r"(?: at (?P<place>.*))?$", re.S), group) for name, pattern, group in SENTENCES]
LONGEST = 4000  # characters of a sentence that are read
MISSING = re.compile(r"of warp (\d{1,2}) with lane mask 0x[0-9a-f]{8}, where lanes 0x([0-9a-f]{8}) are missing")


def classify(text):
    """A state of the sentence `text`, which may end in a source place."""
    state = {"class": "unknown", "sentence": text, "place": None, "group": None, "missing": [], "complete": True}
    for name, pattern, group in PATTERNS:
        match = pattern.match(text, 0, LONGEST)
        if match:
            values = match.groupdict()
            state.update({"class": name, "place": values["place"], "group": values.get("group") or group})
            if values["place"]:
                state["sentence"] = text[:match.start("place") - len(" at ")]
            break
    if missing := MISSING.search(text, 0, LONGEST):
        first, mask = int(missing[1]) * 32, int(missing[2], 16)
        state["missing"] = [first + lane for lane in range(32) if mask >> lane & 1]
    return state


def new_report(title, text):
    return {"kind": "other", "title": title, "text": text, "known": False, "kernel": None, "grid": None, "block_dim": None,
            "blocks": [], "accesses": [], "facts": [], "places": [], "remedy": None, "sentence": None, "order": None}
