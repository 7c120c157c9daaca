# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source lines around the places that reports name."""

from source_files import PLACE, Finder, lines_of

AROUND = 3  # lines shown before and after a place
MOST_PLACES = 100


def excerpt(path, line):
    lines = lines_of(path)
    if not 1 <= line <= len(lines):
        return None
    first = max(line - AROUND, 1)
    return {"first": first, "line": line, "lines": lines[first - 1:line + AROUND]}


def places_of(report):
    for block in report["blocks"]:
        for state in block["states"]:
            yield state["place"]
    for access in report["accesses"]:
        yield access["place"]
        yield access["launched"]
    yield from report["places"]


def excerpts(reports, root):
    """Lines by place, for each place whose file is found."""
    finder = Finder(root)
    result = {}
    for report in reports:
        for place in places_of(report):
            match = PLACE.match(place or "")
            if not match or place in result or len(result) >= MOST_PLACES:
                continue
            path = finder.find(match["file"])
            found = path and excerpt(path, int(match["line"]))
            if found:
                result[place] = found
    return result
