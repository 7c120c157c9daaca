# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of threads that a search has shrunk: a file of COHORT_SCHEDULE=file:PATH, or a line of COHORT_REPORT=json."""

import json

from states import new_report

MOST_STEPS = 4096
DOES = {"stopped": "stops before", "waits": "waits at", "polls": "polls at", "returns": "returns"}


def whole(value, most):
    """A whole number up to `most`, or None."""
    return value if type(value) is int and 0 <= value <= most else None


def lane_of(step):
    """The name of a step's lane, or None where the step names no thread."""
    threads = step.get("threads")
    if not isinstance(threads, list) or len(threads) != 2 or any(whole(rank, 1023) is None for rank in threads):
        return None
    block = whole(step.get("block"), 1 << 64)
    if block is None or threads[0] > threads[1]:
        return None
    ranks = f"thread {threads[0]}" if threads[0] == threads[1] else f"threads {threads[0]}-{threads[1]}"
    return f"{ranks} of block {block}"


def step_of(step):
    lane = lane_of(step) if isinstance(step, dict) else None
    if lane is None:
        return None
    place = step.get("place") if isinstance(step.get("place"), str) else None
    return {"lane": lane, "launch": whole(step.get("launch"), 1 << 64), "does": DOES.get(step.get("does"), "stops at"),
            "place": place, "switched": step.get("switched") is True}


def kernels_of(value):
    """Returns {launch: kernel} for the launches of an order."""
    launches = value.get("launches") if isinstance(value.get("launches"), list) else []
    return {str(each.get("launch")): each["kernel"] for each in launches
            if isinstance(each, dict) and isinstance(each.get("kernel"), str)}


def from_order(value):
    """The report of an order, with its steps by lane."""
    steps = value.get("steps") if isinstance(value.get("steps"), list) else []
    steps = [step for step in map(step_of, steps[:MOST_STEPS]) if step]
    switches = value.get("switches") if isinstance(value.get("switches"), list) else []
    schedule = value["order"] if isinstance(value["order"], str) else "?"
    words = "1 switch" if len(switches) == 1 else f"{len(switches)} switches"
    report = new_report(f"an order with {words}, from {schedule}", json.dumps(value, indent=1, ensure_ascii=False))
    kernels = kernels_of(value)
    report.update(kind="order", known=bool(steps), kernel=next(iter(kernels.values()), None),
                  order={"steps": steps, "kernels": kernels})
    for title in value.get("reports") if isinstance(value.get("reports"), list) else []:
        if isinstance(title, str):
            report["facts"].append("the run ends with: " + title)
    for step in steps:
        if step["place"] and step["place"] not in report["places"]:
            report["places"].append(step["place"])
    return report


def is_file(text):
    """Whether the whole input is one order, on several lines."""
    return text.lstrip().startswith('{"order":')
