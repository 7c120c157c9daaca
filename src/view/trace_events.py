# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace in Chrome's format: an array of events, or an object with `traceEvents`. It becomes columns for the page."""

import heapq
import json
import re

from problem import Problem

MOST_EVENTS = 1000000   # events on a page, which then has 26 MB
MOST_TIME = 1e16        # microseconds, which are 317 years
MOST_ARGUMENTS = 400    # characters of the arguments of one event
BEGINNING = re.compile(r'\s*(?:\[\s*(?:\{|\]|$)|\{\s*"(?:traceEvents|displayTimeUnit|otherData|metadata|systemTraceEvents)")')


def is_trace(text):
    """True for JSON that is no report: a report is one object on a line, with `check` or `report` as its first field."""
    return bool(BEGINNING.match(text[:4096])) or (text.lstrip()[:1] == "{" and '"traceEvents"' in text)


def parse(text, name):
    try:
        return json.loads(text)
    except RecursionError as error:
        raise Problem(f"{name} is nested too deeply for a trace") from error
    except ValueError as error:
        # Chrome's format permits an array without its end: a program that was killed wrote one.
        # A full disk or a copy may have cut the last line.
        body = text.rstrip().rstrip(",")
        for whole in (body, body[:body.rfind("},\n") + 1]):
            if whole.lstrip().startswith("[") and whole.endswith("}"):
                try:
                    return json.loads(whole + "]")
                except (ValueError, RecursionError):
                    pass
        raise Problem(f"{name} is a trace whose JSON is cut off or damaged: {error}. Write it again; a program that is "
                      "killed leaves an incomplete file") from error


def time_of(value):
    """A number of microseconds, or None. Sums and differences of such numbers are finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if -MOST_TIME < value < MOST_TIME else None


def text_of(value):
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


class Reader:
    """Pairs the events of each row and collects complete slices."""

    def __init__(self):
        self.slices = []   # (row, start, duration, name, category, arguments)
        self.open = {}     # begun slices, by their row or, if asynchronous, by their identity
        self.rows = {}     # numbers of rows, by process and thread
        self.names = {}    # names of rows and of processes
        self.skipped = 0
        self.missing = {}  # how many events the program left out or dropped
        self.end = 0.0

    def row(self, *key):
        return self.rows.setdefault(key, len(self.rows))

    def add(self, row, start, duration, event, second=None):
        arguments = event.get("args")
        if second and isinstance(second.get("args"), dict):
            arguments = {**arguments, **second["args"]} if isinstance(arguments, dict) else second["args"]
        text = json.dumps(arguments, ensure_ascii=False)[:MOST_ARGUMENTS] if arguments else ""
        self.slices.append((row, start, max(duration, 0.0), text_of(event.get("name")), text_of(event.get("cat")), text))
        self.end = max(self.end, start + duration)

    def close(self, key, time, event):
        stack = self.open.get(key)
        if not stack:
            self.skipped += 1
            return
        row, start, begin = stack.pop()
        self.add(row, start, time - start, begin, event)

    def read(self, event):
        phase = event.get("ph")
        process, thread = text_of(event.get("pid")), text_of(event.get("tid"))
        if phase == "M":
            if event.get("name") == "cohort_trace" and isinstance(event.get("args"), dict):
                for reason, count in event["args"].items():
                    if type(count) is int and 0 < count < 1 << 64 and reason in ("left_out", "dropped"):
                        self.missing[reason] = self.missing.get(reason, 0) + count
            name = event["args"].get("name") if isinstance(event.get("args"), dict) else None
            if event.get("name") in ("thread_name", "process_name") and isinstance(name, str):
                self.names[(process, thread) if event["name"] == "thread_name" else (process,)] = name
            return
        time = time_of(event.get("ts"))
        if time is None:
            self.skipped += 1
        elif phase == "X":
            self.add(self.row(process, thread), time, time_of(event.get("dur")) or 0.0, event)
        elif phase == "B":
            row = self.row(process, thread)
            self.open.setdefault(row, []).append((row, time, event))
        elif phase == "E":
            self.close(self.row(process, thread), time, event)
        elif phase in ("i", "I", "R"):
            self.add(self.row(process, thread), time, 0.0, event)
        elif phase in ("b", "e"):
            category = text_of(event.get("cat"))
            key = (process, category, text_of(event.get("id", event.get("id2"))), text_of(event.get("name")))
            if phase == "b":
                row = self.row(process, "async " + category)
                self.open.setdefault(key, []).append((row, time, event))
            else:
                self.close(key, time, event)
        else:
            self.skipped += 1

    def group_rows(self):
        """Orders the rows: those of a process stand together, by the numbers of their threads. A device of COHORT_TRACE is
        a process, and its streams are the threads."""
        processes = {}
        for process, _ in self.rows:
            processes.setdefault(process, len(processes))

        def place_of(row):
            process, thread = row
            return processes[process], (0, int(thread)) if re.fullmatch(r"[0-9]{1,18}", thread) else (1, self.rows[row])

        ordered = sorted(self.rows, key=place_of)
        place = {self.rows[row]: number for number, row in enumerate(ordered)}
        self.slices = [(place[row], *rest) for row, *rest in self.slices]
        self.rows = {row: number for number, row in enumerate(ordered)}

    def close_all(self):
        """Slices without an end last until the last event: what a deadlock or a kill has left."""
        left = [entry for stack in self.open.values() for entry in stack]
        self.end = max([self.end, *(start for _, start, _ in left)])
        for row, start, event in left:
            self.add(row, start, self.end - start, {**event, "name": text_of(event.get("name")) + " (not ended)"})
        return len(left)


def kernels_of(slices):
    """The launches of each kernel, the kernel with the largest total first; times in microseconds. A slice of a block lies
    inside of its launch, so only launches add up to the time of a kernel."""
    durations = {}
    for _, _, duration, name, category, _ in slices:
        if category == "launch":
            durations.setdefault(name, []).append(duration)
    table = [{"name": name, "count": len(found), "total": round(sum(found), 3), "mean": round(sum(found) / len(found), 3),
              "longest": round(max(found), 3)} for name, found in durations.items()]
    return sorted(table, key=lambda kernel: (-kernel["total"], kernel["name"]))


def depths_of(slices):
    """The line of each slice of sorted `slices` in its row: the first one that is free when it starts. A slice inside of
    another lies deeper, and slices of one line do not overlap."""
    row_now, busy, free, used = None, [], [], 0
    for row, start, duration, *_ in slices:
        if row != row_now:
            row_now, busy, free, used = row, [], [], 0
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            depth = heapq.heappop(free)
        else:
            depth, used = used, used + 1
        heapq.heappush(busy, (start + duration, depth))
        yield depth


class Table:
    """Numbers for texts: most events of a trace share a few names."""

    def __init__(self):
        self.numbers = {}

    def number(self, text):
        return self.numbers.setdefault(text, len(self.numbers))

    def list(self):
        return list(self.numbers)


def read(text, name):
    value = parse(text, name)
    events = value.get("traceEvents") if isinstance(value, dict) else value
    if not isinstance(events, list):
        raise Problem(f"{name} is JSON, but no trace: it has no array `traceEvents`. COHORT_TRACE writes one")
    reader = Reader()
    for event in events:
        if isinstance(event, dict):
            reader.read(event)
        else:
            reader.skipped += 1
    not_ended = reader.close_all()
    if not reader.slices:
        raise Problem(f"{name} is a trace without events (ph X, B, E, i, b or e). Run a program that launches kernels")
    reader.group_rows()
    kernels = kernels_of(reader.slices)
    short = max(len(reader.slices) - MOST_EVENTS, 0)
    if short:
        reader.slices.sort(key=lambda s: s[2])
        del reader.slices[:short]
    slices = sorted(reader.slices, key=lambda s: (s[0], s[1], -s[2]))
    texts = Table()
    first = min(s[1] for s in slices)
    rows = [{"process": reader.names.get((process,), process),
             "thread": reader.names.get((process, thread), thread)} for process, thread in reader.rows]
    columns = {"row": [s[0] for s in slices], "start": [round(s[1] - first, 3) for s in slices],
               "duration": [round(s[2], 3) for s in slices], "depth": list(depths_of(slices)),
               "name": [texts.number(s[3]) for s in slices], "category": [texts.number(s[4]) for s in slices],
               "arguments": [texts.number(s[5]) for s in slices]}
    return {"rows": rows, "texts": texts.list(), "columns": columns, "end": reader.end - first, "kernels": kernels,
            "skipped": reader.skipped, "not_ended": not_ended, "short": short,
            "left_out": reader.missing.get("left_out", 0), "dropped": reader.missing.get("dropped", 0)}
