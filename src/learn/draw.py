# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of an attempt: arrays of values beside the model's, and the threads of reports."""

from picture import FIRST, QUIET, RIGHT, SECOND, UNWRITTEN, WRONG, Cell, Picture

MOST_ROWS = 24
WARP = 32


def row_length(tile):
    """How many values stand in a row: as many whole tiles as a warp has lanes for."""
    return WARP if not tile or tile > WARP else WARP // tile * tile


def text_of(value):
    return {-2**31: "INT_MIN", 2**31 - 1: "INT_MAX"}.get(value, str(value))


def value_cell(array, index, unwritten):
    expected, found = array["expected"][index], array["found"][index]
    name = f"{array['name']}[{index}]"
    if found == expected:
        shown = "not written" if found == unwritten else text_of(found)
        return Cell(".", RIGHT, f"{name}: {shown}", "-" if found == unwritten else shown)
    wanted = "not written" if expected == unwritten else text_of(expected)
    if found == unwritten:
        return Cell("_", UNWRITTEN, f"{name}: expected {wanted}, not written", "_", wanted)
    return Cell("X", WRONG, f"{name}: expected {wanted}, found {text_of(found)}", text_of(found),
                "-" if expected == unwritten else wanted)


def row_label(array, first, last):
    """The values of a row, by the block and the device that they belong to."""
    block, of_device = array["per_block"], array["blocks_per_device"]
    if not block:
        return f"{array['unit']} {span(first, last)}"
    number, start = first // block, first // block * block
    where = f"device {number // of_device}, block {number % of_device}" if of_device else f"block {number}"
    return f"{where}, {array['unit']} {span(first - start, last - start)}"


def span(first, last):
    return f"{first}-{last}" if last > first else str(first)


def values(array, unwritten):
    """A row for each warp of a block, where the values belong to threads, else rows of adjacent values."""
    count = len(array["expected"])
    block, tile = array["per_block"] or count, array["tile"]
    picture = Picture(f"{array['name']}, one value for each {array['unit']}, in {array['launch']}", tile)
    length = row_length(tile)
    for start in range(0, count, block):
        for first in range(start, min(start + block, count), length):
            if len(picture.rows) == MOST_ROWS:
                break
            end = min(first + length, start + block, count)
            cells = [value_cell(array, i, unwritten) for i in range(first, end)]
            picture.rows.append((row_label(array, first, end - 1), cells))
    picture.legend = [(".", RIGHT, "right"), ("X", WRONG, "wrong"), ("_", UNWRITTEN, "not written")]
    picture.note = "A wrong value has the expected one below it. The tip of a cell has the number of the value."
    return picture


def wrong_values(array, unwritten, most):
    """Sentences about the first wrong values."""
    cells = [value_cell(array, i, unwritten) for i in range(len(array["expected"]))]
    tips = [cell.tip for cell in cells if cell.kind != RIGHT]
    return tips[:most] + ([f"and {len(tips) - most} more"] if len(tips) > most else [])


def thread_rank(position, dim):
    return position[0] + dim[0] * (position[1] + dim[1] * position[2])


def states(report):
    """The blocks of a report, a letter for each state of threads."""
    for block in report["blocks"][:4]:
        marks = ["?"] * block["threads"]
        picture = Picture("block ({}, {}, {})".format(*block["block"]))
        letters = 0
        for state in block["states"]:
            mark = "-" if state["class"] == "returned" else chr(ord("A") + letters % 26)
            letters += mark != "-"
            for first, last in state["threads"]:
                for rank in range(first, min(last + 1, block["threads"])):
                    marks[rank] = mark
            where = f", at {state['place']}" if state["place"] else ""
            picture.legend.append((mark, QUIET if mark == "-" else FIRST if mark == "A" else SECOND,
                                   state["sentence"] + where))
        kinds = {mark: kind for mark, kind, _ in picture.legend}
        for first in range(0, block["threads"], WARP):
            cells = [Cell(mark, kinds.get(mark, QUIET), "") for mark in marks[first:first + WARP]]
            picture.rows.append((f"warp {first // WARP}", cells))
        if "?" in marks:
            picture.legend.append(("?", QUIET, "not in the report"))
        yield picture


def accesses(report):
    """The threads of a race or a wrong access, in their blocks."""
    found = {}
    for number, access in enumerate(report["accesses"], 1):
        dim = access["block_dim"] or report["block_dim"]
        if access["block"] and access["position"] and dim:
            found.setdefault((tuple(access["block"]), tuple(dim)), []).append(
                (thread_rank(access["position"], dim), number, access))
    for (block, dim), threads in found.items():
        picture = Picture("block ({}, {}, {})".format(*block))
        marked = {}
        for rank, number, access in threads:
            marked[rank] = "*" if rank in marked else str(number)
            place = f", at {access['place']}" if access["place"] else ""
            picture.legend.append((str(number), FIRST if number == 1 else SECOND, f"thread {rank}: {access['kind']}{place}"))
        size = dim[0] * dim[1] * dim[2]
        for first in range(0, size, WARP):
            cells = [Cell(marked.get(rank, "."), {"1": FIRST, "*": FIRST, "2": SECOND}.get(marked.get(rank), QUIET), "")
                     for rank in range(first, min(first + WARP, size))]
            if first // WARP < MOST_ROWS:
                picture.rows.append((f"warp {first // WARP}", cells))
        yield picture
