# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with groups. A body mixes statements of all subjects, with more of its kind's subjects."""

import dataclasses

from groups.control import DEEPEST, Control
from groups.language import Language
from groups.memory import Memory
from groups.phases import Phases
from groups.places import BLOCK, CLUSTER, GRID, NONE, Place
from groups.tiles import Tiles
from groups.warps import Warps
from kernel import Kernel
from statements import Statements

# kind: (weight, how its launch forms blocks, its subjects)
KINDS = {"lanes": (26, "plain", ("warp",)), "tiles": (24, "plain", ("tile",)), "copies": (14, "plain", ("memory",)),
         "phases": (10, "plain", ("phase", "memory")), "language": (10, "plain", ("language",)), "clusters": (8, "clusters", ("phase",)),
         "grids": (8, "cooperative", ("phase",))}
SHAPES = ("1", "31", "32", "33", "64", "96", "100", "128", "160", "256", "3, 5, 7", "17, 3, 3", "5, 7, 3", "2, 3, 11", "7, 5", "16, 16",
          "8, 4, 2", "32, 2, 3", "64, 4, 2", "8, 8, 8", "128, 3")
ODD = ("3, 5, 7", "17, 3, 3", "5, 7, 3", "2, 3, 11", "7, 5", "33", "100")


def threads_of(shape):
    result = 1
    for extent in shape.split(", "):
        result *= int(extent)
    return result


class Groups(Control, Warps, Tiles, Memory, Phases, Language, Statements):
    """`kind` is one of KINDS."""

    # Replaces add_by_retry: at -O0 their retries yield, and the lane may then miss a group of converged
    # lanes.
    retry = "atomicAdd"
    returns = False

    def __init__(self, random, kind, **rest):
        super().__init__(random, **rest)
        _, self.launch, own = KINDS[kind]
        self.pieces = [(piece, piece.weight * (6 if subject in own else 2 if subject == "control" else 1))
                       for subject in ("control", "warp", "tile", "memory", "phase", "language")
                       for piece in getattr(self, f"{subject}_pieces")]
        self.top = {"plain": BLOCK, "clusters": CLUSTER, "cooperative": GRID}[self.launch]
        self.cluster_blocks = random.choice((2, 4)) if self.launch == "clusters" else 1
        self.returned = NONE
        self.is_dead = False  # True while the code is inside a branch that no thread takes
        self.unit = 1  # a block whose size is a multiple has no partial warp or tile where the body forbids one
        self.least_warps = 0  # whole warps that a block must have; 0: any number of threads
        self.used_states = set()
        self.uses_barriers = False

    def suits(self, unit):
        if not self.is_dead:
            self.unit = max(self.unit, unit)

    def needs_warps(self, count):
        if not self.is_dead:
            self.least_warps = max(self.least_warps, count)

    def piece(self, place):
        # A place of a cluster or grid also permits statements of the levels below it, such as a barrier of the block.
        fitting = [(piece, weight) for piece, weight in self.pieces if piece.level <= place.level and self.returned <= piece.returned
                   and (place.once or not piece.once) and (place.depth <= DEEPEST or piece.name not in self.nesting)]
        pieces, weights = zip(*fitting)
        return getattr(self, self.random.choices(pieces, weights)[0].name)(place)

    def one(self, depth, in_loop, uniform):
        """Statements of one thread: those of the base class, of the language, and additions by groups."""
        choice = self.random.random()
        if choice < 0.03:
            return self.together(None)
        if choice < 0.08:
            return getattr(self, self.random.choice(self.language_pieces).name)(None)
        return super().one(depth, in_loop, uniform)

    nesting = frozenset(piece.name for piece in Control.control_pieces) - {"work"}

    def body(self):
        place = Place(self.top, 0, once=True)
        statements = []
        early = self.random.randrange(4) if self.launch == "plain" and self.random.random() < 0.4 else None
        for i in range(self.random.randrange(3, 7)):
            if i == early:
                statements.append(self.early_return())
            statements.append(self.piece(place))
        if self.launch == "clusters":  # no block may end while another block reads its memory
            statements.append(self.distributed(place))
        return statements

    def shapes(self):
        """Three shapes of blocks, one of odd extents where the body allows it, and one without a partial tile."""
        fitting = [shape for shape in SHAPES if not self.least_warps
                   or threads_of(shape) % 32 == 0 and threads_of(shape) >= 32 * self.least_warps]
        whole = [shape for shape in fitting if threads_of(shape) % self.unit == 0]
        odd = [shape for shape in fitting if shape in ODD] or fitting
        chosen = [self.random.choice(whole), self.random.choice(odd), self.random.choice(fitting)]
        return list(dict.fromkeys(chosen))


@dataclasses.dataclass
class GroupKernel(Kernel):
    form: str = "plain"  # how blocks are launched: plain, clusters, cooperative
    cluster_blocks: int = 1
    unit: int = 1
    uses_barriers: bool = False

    has_model = True
    has_one_meaning = True
    waits = True
    may_fail = False

    @property
    def blocks(self):
        return {"plain": 2, "clusters": 4, "cooperative": 3}[self.form]

    def extends_cuda(self, shape):
        return threads_of(shape) % self.unit != 0

    def launch(self):
        return {"plain": f"RANDOM_LAUNCH({self.name})", "clusters": f"RANDOM_LAUNCH_CLUSTERS({self.name}, {self.cluster_blocks})",
                "cooperative": f"RANDOM_LAUNCH_COOPERATIVE({self.name})"}[self.form]

    def source(self):
        dims = f"__cluster_dims__({self.cluster_blocks}, 1, 1) " if self.form == "clusters" else ""
        above = "" if self.form == "plain" else "  const cg::cluster_group cluster = cg::this_cluster();\n"
        if self.form == "cooperative":
            above += "  const cg::grid_group grid = cg::this_grid();\n"
        bars = "  if (rank == 0) {\n    init(&sh.bars[0], size);\n    init(&sh.bars[1], size);\n  }\n" if self.uses_barriers else ""
        return (f"__global__ void {dims}__launch_bounds__(most_threads) {self.name}(const arguments a) {{\n  RANDOM_EXACT\n"
                "  const u32 rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                "  const u32 size = blockDim.x * blockDim.y * blockDim.z, t = blockIdx.x * size + rank, lane = rank & 31u;\n"
                "  RANDOM_START(rank, size, t)\n  RANDOM_SHARED(shared_memory, sh);\n"
                f"  clear(sh, rank);\n{bars}  const cg::thread_block block = cg::this_thread_block();\n"
                f"  const auto warp = cg::tiled_partition<32>(block);\n{above}  block.sync();\n{self.own_part()}}}\n")


def kernel(chance, name):
    kind = chance.choices(list(KINDS), [weight for weight, _, _ in KINDS.values()])[0]
    make = Groups(chance, kind, floats=chance.random() < 0.25)
    body = make.body()
    return GroupKernel(name, kind, False, make.shapes(), make.declarations(), body, make.launch, make.cluster_blocks, make.unit,
                       make.uses_barriers)
