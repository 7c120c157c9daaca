# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that wait at barriers of the block, where all threads that have not returned execute the statement."""

from nodes import Expression, Statement
from statements import Statements

SYNCS = ("__syncthreads();", "__syncthreads();", "sync_group();")


class Barriers(Statements):
    """Statements with barriers. Each word of shared memory has one writer between two barriers, so the result is
    determined."""

    def target(self, *kinds):
        return self.random.choice([name for name, kind in self.variables.items() if kind in kinds])

    def body(self):
        statements = super().body()
        if self.random.random() < 0.4:
            statements.insert(self.random.randrange(2), self.early_return())
        return [*statements, self.random.choice((self.exchange, self.tree, self.vote))(), self.assignment()]

    def one(self, depth, in_loop, uniform):
        choice = self.random.random()
        if uniform and choice < 0.30:
            return self.random.choice((self.exchange, self.exchange, self.tree, self.vote, self.rounds, self.kept))()
        if uniform and choice < 0.34:
            return self.early_return()
        if uniform and choice < 0.40:
            return self.uniform_branch(depth)
        return super().one(depth, in_loop, uniform)

    def sync(self):
        return Statement([self.random.choice(SYNCS)])

    def early_return(self):
        bound = self.random.choice(("rank >= size - size / 3u", "rank >= 40u", "t >= a.n / 1000u", "t > 70u", "(rank & 7u) == 3u"))
        return Statement([f"if ({bound}) return;"])

    def exchange(self):
        """Each thread writes its word and, after a barrier, reads another thread's word."""
        near = Expression("u32", [f"(rank + {self.random.randrange(1, 40)}u) % size"])
        other = self.random.choice((Expression("u32", ["(", self.make.of("u32"), ") % size"]), near, near))
        reads = [f"{self.target('u32', 'u64')} ^= shared[", other, "];"]
        return Statement(["", [Statement(["shared[rank] = ", self.make.of("u32"), ";"]), self.sync(), Statement(reads),
                               *self.several(2, False)[:1], self.sync()]])

    def tree(self):
        """A sum over the block; the lower threads of each step diverge between barriers."""
        step = ["if (rank < count / 2u) ", [Statement(["shared[rank] += shared[rank + (count + 1u) / 2u];"])]]
        return Statement(["", [Statement(["shared[rank] = ", self.make.of("u32"), ";"]), self.sync(),
                               Statement(["for (u32 count = size; count > 1u; count = (count + 1u) / 2u) ",
                                          [Statement(step), self.sync()]]),
                               Statement([f"{self.target('u32', 'i32')} ^= shared[0];"]), self.sync()]])

    def vote(self):
        form = self.random.choice(("count", "and", "or"))
        return Statement([f"{self.target('u32', 'u64')} += static_cast<u32>(__syncthreads_{form}(", self.make.condition(), "));"])

    def rounds(self):
        """A loop whose threads agree on the number of turns by a vote."""
        self.loops += 1
        n = f"n{self.loops}"
        return Statement([f"for (u32 {n} = 0; __syncthreads_or({n} < ((", self.make.of("u32"), f") & 3u)); ++{n}) ",
                          self.several(2, False)], unwraps=False)

    def kept(self):
        """Values of several types that are live across barriers in a loop."""
        self.loops += 1
        n = f"n{self.loops}"
        return Statement(["", [Statement(["f64 sum = 0; u8 small = static_cast<u8>(rank); u64 large = t;"], declares=True),
                               Statement([f"for (u32 {n} = 0; {n} < {self.make.uniform()}; ++{n}) ",
                                          [Statement(["shared[rank] = ", self.make.of("u32"), " + small;"]), self.sync(),
                                           Statement([f"const u32 got = shared[(rank + {n} + 1u) % size];"], declares=True),
                                           Statement(["sum += got & 1023u; small = static_cast<u8>(small + got);"]),
                                           Statement(["large = large * 5u + got;"]),
                                           self.sync()]]),
                               Statement(["v0 += convert<u32>(sum) + small + static_cast<u32>(large >> 7);"])]])

    def uniform_branch(self, depth):
        """A branch that all threads of a block take the same way."""
        return Statement([f"if ({self.make.uniform()} > 1u) ", self.several(depth + 1, False, True)], unwraps=True)
