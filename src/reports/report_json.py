# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings of COHORT_CHECK=json, and the states of threads in reports of COHORT_REPORT=json."""

import json
import re

from states import classify, new_report

THREAD = re.compile(r"thread \((\d{1,4}), ?(\d{1,4}), ?(\d{1,4})\)")
RANKS = re.compile(r"threads? ([-0-9, ]+) of")
FACT_PLACE = re.compile(r"\b(?:allocated|freed|declared) at ([^,]*:\d+(?: \(.*\))?)")
BLOCK = re.compile(r"of block \((\d{1,10}), ?(\d{1,10}), ?(\d{1,10})\)")


def is_report(line):
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and any(kind in value for kind in ("check", "report", "order"))


def text_or(value, fallback):
    return value if isinstance(value, str) else fallback


def triple_of(value):
    """Three whole numbers, or None."""
    if isinstance(value, list) and len(value) == 3 and all(type(n) is int and 0 <= n < 1 << 32 for n in value):
        return value
    return None


def new_access(values):
    """An access of a race or the thread that failed, with the position of its thread if the text names one. `kernel` and
    `block_dim` are null where they are those of the report."""
    thread = text_or(values.get("thread"), "")
    position, block, ranks = THREAD.search(thread), BLOCK.search(thread), RANKS.search(thread)
    return {"kind": text_or(values.get("kind"), "access"), "bytes": str(values["bytes"]) if values.get("bytes") else None,
            "thread": thread, "place": text_or(values.get("place"), None),
            "position": [int(n) for n in position.groups()] if position else None,
            "block": [int(n) for n in block.groups()] if block else None,
            "ranks": ranks[1] if ranks else None, "kernel": text_or(values.get("kernel"), None),
            "block_dim": triple_of(values.get("block")), "launched": text_or(values.get("launched"), None)}


def from_check(value):
    """A finding. Fields of an unknown kind are shown as they are."""
    kernel = text_or(value.get("kernel"), "?")
    where = f"kernel {kernel}" if kernel else "a call of the host"
    check = text_or(value.get("check"), "?")
    kind = {"race": "race", "sync": text_or(value.get("title"), "wrong synchronisation")}.get(check, "wrong access")
    problem = f" ({text_or(value.get('problem'), check)})" if kind == "wrong access" else ""
    report = new_report(f"{kind}{problem} in {where}", json.dumps(value, indent=1, ensure_ascii=False))
    found = [value[key] for key in ("first", "second", "access") if isinstance(value.get(key), dict)]
    report.update(kind=kind, kernel=kernel, known=bool(found),
                  accesses=[new_access(access) for access in found],
                  remedy=text_or(value.get("remedy"), None), grid=triple_of(value.get("grid")),
                  block_dim=triple_of(value.get("block")))
    memory = text_or(value.get("memory"), None)
    if memory:
        add_fact(report, "in " + memory if check in ("race", "sync") else memory)
    if check != "race" and (rule := text_or(value.get("rule"), None)):
        add_fact(report, rule)
    return report


def add_fact(report, text):
    """A sentence that the page shows, and the source place in it."""
    report["facts"].append(text)
    if place := FACT_PLACE.search(text):
        report["places"].append(place[1])


def state_of(value):
    state = classify(text_or(value.get("does"), "?"))
    state["place"] = text_or(value.get("place"), None)
    state["threads"] = [pair for pair in value.get("threads", []) if isinstance(pair, list) and len(pair) == 2 and
                        all(type(n) is int for n in pair) and 0 <= pair[0] <= pair[1] < 1024]
    state["count"] = sum(last - first + 1 for first, last in state["threads"])
    return state


def blocks_of(value):
    blocks = []
    for entry in value.get("blocks", []) if isinstance(value.get("blocks"), list) else []:
        if not isinstance(entry, dict) or not triple_of(entry.get("block")) or not isinstance(entry.get("states"), list):
            continue
        states = [state_of(state) for state in entry["states"]
                  if isinstance(state, dict) and isinstance(state.get("threads"), list)]
        threads = entry.get("threads")
        blocks.append({"block": entry["block"], "threads": threads if type(threads) is int and 0 < threads <= 1024 else 1024,
                       "states": states})
    return blocks
