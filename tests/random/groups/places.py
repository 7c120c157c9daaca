# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places in a kernel, by the threads that are known to run them together, and what may stand there."""

import dataclasses

from nodes import Statement

# Threads that run a place together: none are known, the lanes of a mask, those of a warp, of a block and so on.
THREAD, LANES, WARP, BLOCK, CLUSTER, GRID = range(6)
# Threads that may have returned before.
NONE, WARPS, SOME_LANES = range(3)
ALL = "0xffffffffu"


@dataclasses.dataclass(frozen=True)
class Place:
    level: int
    depth: int
    mask: str = ALL  # of the lanes, for a level of LANES and above
    once: bool = False  # not in a loop

    def inside(self, level=None, mask=None, once=None):
        return dataclasses.replace(self, level=self.level if level is None else min(level, self.level), depth=self.depth + 1,
                                   mask=mask or self.mask, once=self.once if once is None else once)


@dataclasses.dataclass(frozen=True)
class Piece:
    """A method that makes a statement."""
    name: str
    level: int  # the least
    weight: int
    returned: int = SOME_LANES  # which threads may have returned before it
    once: bool = False


def declaration(*parts):
    """A statement that the reducer keeps: later ones use its variable, or need its barrier."""
    return Statement(list(parts), declares=True)


def block(*statements):
    return Statement(["", list(statements)])
