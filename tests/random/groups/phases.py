# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Split-phase barriers, named barriers, clusters with distributed shared memory, and grids."""

from groups.places import BLOCK, CLUSTER, GRID, NONE, Piece, block, declaration
from nodes import Expression, Statement


class Phases:
    phase_pieces = (Piece("split_block", BLOCK, 4, returned=NONE), Piece("split_barrier", BLOCK, 4, returned=NONE),
                    Piece("two_barriers", BLOCK, 2, returned=NONE), Piece("named", BLOCK, 3, returned=NONE),
                    Piece("named_handover", BLOCK, 2, returned=NONE), Piece("distributed", CLUSTER, 8, returned=NONE),
                    Piece("distributed_sum", CLUSTER, 4, returned=NONE), Piece("grid_exchange", GRID, 8, returned=NONE))

    def own_work(self, place):
        """Work between the arrival and the wait of a barrier; it touches no shared memory."""
        return self.work(place)

    def split_block(self, place):
        token = self.number("token")
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), declaration(f"auto {token} = block.barrier_arrive();"),
                     self.own_work(place), declaration(f"block.barrier_wait(std::move({token}));"),
                     self.into("sh.words[", self.index(), "]"),
                     self.sync())

    def split_barrier(self, place):
        self.uses_barriers = True
        token, bar = self.number("token"), f"sh.bars[{self.random.randrange(2)}]"
        end = self.random.choice((f"{bar}.arrive_and_wait();", "block.sync();"))
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), declaration(f"auto {token} = {bar}.arrive();"),
                     self.own_work(place), declaration(f"{bar}.wait(std::move({token}));"), self.into("sh.words[", self.index(), "]"),
                     declaration(end))

    def two_barriers(self, place):
        """Two split-phase barriers that overlap: the waits are in the opposite order of the arrivals."""
        self.uses_barriers = True
        first, second = self.number("token"), self.number("token")
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), declaration(f"auto {first} = sh.bars[0].arrive();"),
                     declaration(f"auto {second} = sh.bars[1].arrive();"), declaration(f"sh.bars[1].wait(std::move({second}));"),
                     self.into("sh.words[", self.index(), "]"), self.own_work(place),
                     declaration(f"sh.bars[0].wait(std::move({first}));"), self.sync())

    def named(self, place):
        """Two named barriers, one for the even warps and one for the odd ones."""
        self.needs_warps(1)
        odd, count = self.number("odd"), self.number("count")
        reader = Expression("u32", ["(", self.make.of("u32"), f") % {count}"])
        index = self.number("index")
        return block(declaration(f"const u32 {odd} = rank / 32u & 1u;"),
                     declaration(f"const u32 {count} = {odd} ? size / 64u * 32u : (size + 32u) / 64u * 32u;"),
                     declaration("sh.words[rank] = ", self.make.of("u32"), ";"),
                     declaration(f"if ({odd}) named_sync(1u, {count}); else named_sync(2u, {count});"), self.own_work(place),
                     declaration(f"const u32 {index} = ", reader, ";"),
                     self.into(f"sh.words[{index} / 32u * 64u + {odd} * 32u + {index} % 32u]"),
                     declaration(f"named_sync(2u - {odd}, {count});"), self.sync())

    def named_handover(self, place):
        """The first half of the warps arrives at a named barrier without waiting; the second half waits for it."""
        self.needs_warps(2)
        half = self.number("half")
        number = self.random.randrange(3, 16)
        return block(declaration(f"const u32 {half} = size / 64u * 32u;"),
                     declaration(f"if (rank < {half}) ", [declaration("sh.words[rank] = ", self.make.of("u32"), ";"),
                                                          declaration(f"named_arrive({number}u, size);"), self.own_work(place)],
                                 " else ", [declaration(f"named_sync({number}u, size);"),
                                            self.into("sh.words[(", self.make.of("u32"), f") % {half}]")]), self.sync())

    def cluster_sync(self, place):
        if self.random.random() < 0.5:
            return declaration("cluster.sync();")
        token = self.number("token")
        return declaration("", [declaration(f"auto {token} = cluster.barrier_arrive();"), self.own_work(place),
                                declaration(f"cluster.barrier_wait(std::move({token}));")])

    def distributed(self, place):
        """Each thread reads an element in the shared memory of another block of its cluster."""
        member, kind = self.random.choice((("words", "u32"), ("sevens", "packed7"), ("twenties", "packed20"), ("flags", "bool")))
        value = Expression("bool", [self.make.condition()]) if kind == "bool" else self.value(kind)
        rank = self.random.choice(("(cluster.block_rank() + 1u) % cluster.num_blocks()",
                                   Expression("u32", ["(", self.make.of("u32"), ") % cluster.num_blocks()"])))
        other = self.number("other")
        return block(declaration(f"sh.{member}[rank] = ", value, ";"), self.cluster_sync(place),
                     declaration(f"const {kind}* const {other} = cluster.map_shared_rank(&sh.{member}[0], static_cast<i32>(", rank, "));"),
                     self.into(f"folded({other}[", self.index(), "])"), self.cluster_sync(place))

    def distributed_sum(self, place):
        """Atomics on the shared memory of another block."""
        other = self.number("other")
        return block(declaration("sh.words[rank] = rank;"), self.cluster_sync(place),
                     declaration(f"u32* const {other} = cluster.map_shared_rank(&sh.words[0], static_cast<i32>((", self.make.of("u32"),
                                 ") % cluster.num_blocks()));"),
                     Statement([f"atomicAdd(&{other}[", self.index(), "], ", self.make.of("u32"), ");"]), self.cluster_sync(place),
                     self.into("sh.words[rank]"), self.into("sh.words[", self.index(), "]"), self.cluster_sync(place))

    def grid_sync(self, place):
        if self.random.random() < 0.6:
            return declaration("grid.sync();")
        token = self.number("token")
        return declaration("", [declaration(f"auto {token} = grid.barrier_arrive();"), self.own_work(place),
                                declaration(f"grid.barrier_wait(std::move({token}));")])

    def grid_exchange(self, place):
        index = Expression("u32", ["(", self.make.of("u32"), ") % (size * gridDim.x)"])
        return block(declaration("a.board[t] = ", self.make.of("u32"), ";"), self.grid_sync(place), self.into("a.board[", index, "]"),
                     self.grid_sync(place))
