# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that wait: barriers with shared memory, warp collectives, groups of converged lanes, and misuse."""

from nodes import Expression, Statement
from statements import Statements

ALL = "0xffffffffu"


class Collectives(Statements):
    """Statements that wait. With `misuse` also collectives that some of their lanes never reach."""

    # Replaces add_by_retry: at -O0 their retries yield, and the lane may then miss a group of converged
    # lanes.
    retry = "atomicAdd"

    def __init__(self, random, misuse=False, **rest):
        super().__init__(random, **rest)
        self.misuse = misuse

    def target(self, *kinds):
        return self.random.choice([name for name, kind in self.variables.items() if kind in kinds])

    def one(self, depth, in_loop, uniform):
        choice = self.random.random()
        if uniform and choice < 0.3:
            return self.random.choice((self.shared, self.shuffle, self.vote, self.tile, self.reduction, self.chosen_lanes))()
        if choice < 0.08:
            return self.converged()
        if self.misuse and choice < 0.16:
            return Statement([self.random.choice((f"v0 = __shfl_sync({ALL}, v0, 3);", "__syncthreads();",
                                                  f"v0 ^= __ballot_sync({ALL}, v0 & 1u);", f"__syncwarp({ALL});"))])
        return super().one(depth, in_loop, uniform)

    def shared(self):
        """Each thread writes its word and, after a barrier, reads another thread's word."""
        other = Expression("u32", ["(rank + ", self.make.of("u32"), ") % size"])
        reads = [f"{self.target('u32', 'u64')} ^= shared[", other, "];"]
        return Statement(["", [Statement(["shared[rank] = ", self.make.of("u32"), ";"]), Statement(["__syncthreads();"]),
                               Statement(reads), Statement(["__syncthreads();"])]])

    def shuffle(self):
        name = self.target("u32", "i32", "u64", "i64", "f32", "f64")
        kind = self.variables[name]
        form = self.random.choice(("__shfl_sync", "__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync"))
        lane = self.make.of("u32") if form == "__shfl_sync" else Expression("u32", [f"{self.random.randrange(1, 32)}u"])
        width = self.random.choice(("", "", ", 8", ", 16", ", 4"))
        return Statement([f"{name} = {form}({ALL}, ", self.make.of(kind), ", ", lane, f"{width});"])

    def vote(self):
        name = self.target("u32")
        form = self.random.choice(("__ballot_sync", "__any_sync", "__all_sync"))
        if self.random.random() < 0.4:
            return Statement([f"{name} += __match_any_sync({ALL}, ", self.make.of(self.random.choice(("u32", "u64"))), " & 3u);"])
        return Statement([f"{name} ^= {form}({ALL}, ", self.make.condition(), ");"])

    def reduction(self):
        form = self.random.choice(("add", "min", "max", "and", "or", "xor"))
        return Statement([f"{self.target('u32')} ^= __reduce_{form}_sync({ALL}, ", self.make.of("u32"), ");"])

    def tile(self):
        size = self.random.choice((2, 4, 8, 16, 32))
        name = self.target("u32", "i32", "u64", "f32", "i64")
        kind = self.variables[name]
        call = self.random.choice((f"tile.shfl(x, {self.random.randrange(size)})", f"cg::reduce(tile, x, cg::plus<{kind}>())",
                                   f"cg::inclusive_scan(tile, x, cg::plus<{kind}>())", f"cg::reduce(tile, x, cg::less<{kind}>())",
                                   "tile.shfl_xor(x, 1)", "tile.shfl_down(x, 1)"))
        return Statement(["", [Statement([f"auto tile = cg::tiled_partition<{size}>(cg::this_thread_block());"], declares=True),
                               Statement([f"const {kind} x = ", self.make.of(kind), ";"], declares=True), Statement([f"{name} = {call};"]),
                               Statement(["tile.sync();"])]])

    def chosen_lanes(self):
        """A ballot, then collectives of exactly its lanes."""
        name = self.target("u32")
        return Statement(["", [Statement(["const bool chosen = ", self.make.condition(), ";"], declares=True),
                               Statement([f"const u32 lanes = __ballot_sync({ALL}, chosen);"], declares=True),
                               Statement(["if (chosen) ", [
                                   self.assignment(),
                                   Statement([f"{name} ^= __shfl_sync(lanes, ", self.make.of("u32"), ", __ffs(lanes) - 1);"]),
                                   Statement([f"{name} += __popc(__ballot_sync(lanes, ", self.make.condition(), "));"])]])]])

    def converged(self):
        """Groups of the lanes that are converged, which any point may use."""
        name = self.target("u32")
        uses = self.random.choice((
            [f"{name} += group.size() * 3u + group.thread_rank();"],
            [f"{name} ^= group.shfl(", self.make.of("u32"), ", group.size() / 2);"],
            [f"{name} += cg::reduce(group, ", self.make.of("u32"), ", cg::plus<u32>());"],
            [f"{name} += group.ballot(", self.make.condition(), ");"],
            [f"{name} ^= cg::exclusive_scan(group, ", self.make.of("u32"), ");"],
            [f"{name} += cg::labeled_partition(group, ", self.make.of("u32"), " & 3u).size();"],
            [f"{name} += cg::binary_partition(group, ", self.make.condition(), ").size();"]))
        if self.random.random() < 0.25:
            return Statement([f"{name} += __activemask();"])
        if self.random.random() < 0.2:
            return Statement([f"{name} += size_of_group(", self.make.of("u32"), ");"])
        return Statement(["", [Statement(["const cg::coalesced_group group = cg::coalesced_threads();"], declares=True), Statement(uses)]])
