# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places in a kernel: which threads run one together, and which statements it may hold."""

import dataclasses

from nodes import Statement

# Sets of threads that run a place together: unknown ones, the lanes of a mask, a warp, a block, a cluster, a grid.
THREAD, LANES, WARP, BLOCK, CLUSTER, GRID = range(6)
# Threads that may have returned before a place.
NONE, WARPS, SOME_LANES = range(3)
ALL = "0xffffffffu"


@dataclasses.dataclass(frozen=True)
class Place:
    level: int
    depth: int
    mask: str = ALL  # expression for the participating lanes, for the level LANES and above
    once: bool = False  # the place is not in a loop

    def inside(self, level=None, mask=None, once=None):
        return dataclasses.replace(self, level=self.level if level is None else min(level, self.level), depth=self.depth + 1,
                                   mask=mask or self.mask, once=self.once if once is None else once)


@dataclasses.dataclass(frozen=True)
class Piece:
    """A method that makes a statement, with the places that it fits."""
    name: str
    level: int  # the least level of a place
    weight: int
    returned: int = SOME_LANES  # which threads may have returned before it
    once: bool = False


def declaration(*parts):
    """Makes a statement that the reducer keeps, because later ones use its variable or need its barrier."""
    return Statement(list(parts), declares=True)


def block(*statements):
    return Statement(["", list(statements)])
