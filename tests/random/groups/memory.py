# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory of a block: words, packed structs and bools ordered by barriers, and asynchronous copies into it."""

from groups.places import BLOCK, LANES, NONE, THREAD, WARP, WARPS, Piece, block, declaration
from nodes import Expression, Statement

SYNCS = ("__syncthreads();", "__syncthreads();", "block.sync();")
MEMBERS = (("words", "u32"), ("sevens", "packed7"), ("twenties", "packed20"), ("flags", "bool"))


class Memory:
    memory_pieces = (Piece("exchange", BLOCK, 6), Piece("tree", BLOCK, 2), Piece("block_vote", BLOCK, 2), Piece("bytes", BLOCK, 2),
                     Piece("copy", BLOCK, 2, returned=NONE), Piece("two_stages", BLOCK, 3, returned=NONE),
                     Piece("copy_of_warp", WARP, 2, returned=WARPS), Piece("own_pipeline", THREAD, 2),
                     Piece("pipeline", BLOCK, 4, returned=NONE, once=True), Piece("roles", BLOCK, 2, returned=NONE, once=True),
                     Piece("copy_to_barrier", BLOCK, 2, returned=NONE), Piece("counted", LANES, 1))

    def sync(self):
        return declaration(self.random.choice(SYNCS))

    def index(self):
        near = f"(rank + {self.random.randrange(1, 40)}u) % size"
        return self.random.choice((Expression("u32", ["(", self.make.of("u32"), ") % size"]), Expression("u32", [near])))

    def exchange(self, place):
        """Each thread writes its element and, after a barrier, reads another thread's element."""
        member, kind = self.random.choice(MEMBERS)
        value = Expression("bool", [self.make.condition()]) if kind == "bool" else self.value(kind)
        return block(declaration(f"sh.{member}[rank] = ", value, ";"), self.sync(), self.into(f"folded(sh.{member}[", self.index(), "])"),
                     self.work(place), self.sync())

    def tree(self, place):
        step = ["if (rank < count / 2u) ", [declaration("sh.words[rank] += sh.words[rank + (count + 1u) / 2u];")]]
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), self.sync(),
                     declaration("for (u32 count = size; count > 1u; count = (count + 1u) / 2u) ", [declaration(*step), self.sync()]),
                     self.into("sh.words[0]"), self.sync())

    def block_vote(self, place):
        form = self.random.choice(("count", "and", "or"))
        return self.into(f"static_cast<u32>(__syncthreads_{form}(", self.make.condition(), "))")

    def bytes(self, place):
        """Single fields of adjacent structs: neighbouring bytes have different writers."""
        field = self.random.choice(("a", "b", "c"))
        kind = {"a": "u8", "b": "u16", "c": "u32"}[field]
        return block(self.sync(), declaration(f"sh.sevens[rank].{field} = ", self.make.of(kind), ";"),
                     declaration("sh.flags[size - 1u - rank] = ", self.make.condition(), ";"), self.sync(),
                     self.into("folded(sh.sevens[", self.index(), "]) + (sh.flags[", self.index(), "] ? 3u : 0u)"), self.sync())

    def counted(self, place):
        """A counter that each lane of the place increments once."""
        return Statement(["atomicAdd(&a.cells64[", Expression("u32", [self.make.of("u32"), " & 15u"]), "], ", self.make.of("u64"), ");"])

    def source(self):
        return f"a.in + blockIdx.x * 16u + {self.random.randrange(3000)}u"

    def copied(self):
        """Words to copy, and an index into them."""
        words = self.random.choice((1, 3, 17, 64, 100, 256))
        return words, Expression("u32", ["(", self.make.of("u32"), f") % {words}u"])

    def copy(self, place):
        words, index = self.copied()
        return block(declaration(f"cg::memcpy_async(block, sh.stages[0], {self.source()}, {4 * words}u);"), self.work(place),
                     declaration("cg::wait(block);"), self.into("sh.stages[0][", index, "]"), self.sync())

    def two_stages(self, place):
        """The next part is copied while the last one is read."""
        i = self.number("n")
        words, index = self.copied()
        source, turns = self.source(), self.random.randrange(2, 6)
        body = [declaration(f"if ({i} + 1u < {turns}u) ", [
                    declaration(f"cg::memcpy_async(block, sh.stages[({i} + 1u) & 1u], {source} + ({i} + 1u) * {words}u, {4 * words}u);"),
                    declaration("cg::wait_prior<1>(block);")],
                    " else ", [declaration("cg::wait(block);")]),
                self.into(f"sh.stages[{i} & 1u][", index, "]"), self.work(place), self.sync()]
        return block(declaration(f"cg::memcpy_async(block, sh.stages[0], {source}, {4 * words}u);"),
                     declaration(f"for (u32 {i} = 0; {i} < {turns}u; ++{i}) ", body))

    def copy_of_warp(self, place):
        self.suits(32)
        words = self.random.choice((1, 7, 16, 32))
        return block(declaration(f"cg::memcpy_async(warp, sh.of_warps + (rank - lane), {self.source()} + (rank - lane), {4 * words}u);"),
                     declaration("cg::wait(warp);"),
                     self.into("sh.of_warps[rank - lane + (", self.make.of("u32"), f") % {words}u]"), declaration("warp.sync();"))

    def own_pipeline(self, place):
        """A pipeline of a single thread, which copies that thread's elements of the stages."""
        i, filled, pipe = self.number("n"), self.number("filled"), self.number("pipe")
        stages, turns = self.random.choice((2, 3, 4)), self.random.randrange(2, 7)
        fill = [declaration(f"{pipe}.producer_acquire();"),
                declaration(f"cuda::memcpy_async(&sh.of_threads[{filled} % {stages}u][rank], "
                            f"&a.in[t + {filled} * {self.random.randrange(90)}u], "
                            f"sizeof(u32), {pipe});"), declaration(f"{pipe}.producer_commit();")]
        body = [declaration(f"for (; {filled} < {turns}u && {filled} < {i} + {stages}u; ++{filled}) ", fill),
                declaration(f"{pipe}.consumer_wait();"),
                self.into(f"sh.of_threads[{i} % {stages}u][rank]"), declaration(f"{pipe}.consumer_release();")]
        return block(declaration(f"auto {pipe} = cuda::make_pipeline();"), declaration(f"u32 {filled} = 0;"),
                     declaration(f"for (u32 {i} = 0; {i} < {turns}u; ++{i}) ", body))

    def stages_left(self):
        """The numbers of stages whose shared state is still unused: each state is constructed only once."""
        left = [n for n in (2, 3, 4) if n not in self.used_states]
        if not left:
            return None
        stages = self.random.choice(left)
        if not self.is_dead:
            self.used_states.add(stages)
        return stages

    def fill(self, pipe, filled, stages, words, whole_block):
        target, step = f"sh.stages[{filled} % {stages}u]", f"{self.source()} + {filled} * {words}u"
        if whole_block:
            return declaration(f"cuda::memcpy_async(block, {target}, {step}, {4 * words}u, {pipe});")
        return declaration(f"for (u32 k = rank; k < {words}u; k += filling) "
                           f"cuda::memcpy_async({target} + k, {step} + k, sizeof(u32), {pipe});")

    def pipeline(self, place):
        stages = self.stages_left()
        if not stages:
            return self.two_stages(place)
        i, filled, pipe = self.number("n"), self.number("filled"), self.number("pipe")
        words, index = self.copied()
        turns = self.random.randrange(1, 8)
        fill = [declaration(f"{pipe}.producer_acquire();"), self.fill(pipe, filled, stages, words, self.random.random() < 0.5),
                declaration(f"{pipe}.producer_commit();")]
        body = [declaration(f"for (; {filled} < {turns}u && {filled} < {i} + {stages}u; ++{filled}) ", fill),
                declaration(f"{pipe}.consumer_wait();"), self.into(f"sh.stages[{i} % {stages}u][", index, "]"), self.work(place),
                declaration(f"{pipe}.consumer_release();")]
        return block(declaration(f"auto {pipe} = cuda::make_pipeline(block, &sh.pipe{stages});"),
                     declaration(f"u32 {filled} = 0; const u32 filling = size;"),
                     declaration(f"for (u32 {i} = 0; {i} < {turns}u; ++{i}) ", body), self.sync())

    def roles(self, place):
        """The first warp fills the stages, the others read them."""
        stages = self.stages_left()
        if not stages:
            return self.copy(place)
        self.needs_warps(2)
        i, pipe = self.number("n"), self.number("pipe")
        words, index = self.copied()
        turns = self.random.randrange(1, 8)
        produce = [declaration(f"{pipe}.producer_acquire();"),
                   self.fill(pipe, i, stages, words, False), declaration(f"{pipe}.producer_commit();")]
        consume = [declaration(f"{pipe}.consumer_wait();"), self.into(f"sh.stages[{i} % {stages}u][", index, "]"), self.work(place),
                   declaration(f"{pipe}.consumer_release();")]
        body = [declaration("if (rank < 32u) ", produce, " else ", consume)]
        return block(declaration("const u32 filling = 32u;"),
                     declaration(f"auto {pipe} = cuda::make_pipeline(block, &sh.pipe{stages}, static_cast<size_t>(32));"),
                     declaration(f"for (u32 {i} = 0; {i} < {turns}u; ++{i}) ", body), self.sync())

    def copy_to_barrier(self, place):
        """A copy that completes with the phase of a cuda::barrier."""
        self.uses_barriers = True
        words, index = self.copied()
        return block(declaration(f"cuda::memcpy_async(block, sh.stages[3], {self.source()}, {4 * words}u, sh.bars[0]);"),
                     declaration("auto token = sh.bars[0].arrive();"), self.work(place), declaration("sh.bars[0].wait(std::move(token));"),
                     self.into("sh.stages[3][", index, "]"), declaration("sh.bars[0].arrive_and_wait();"))
