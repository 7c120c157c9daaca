# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow whose threads are known: loops, branches and switches of a block, a warp or lanes; goto; dead code."""

from groups.places import ALL, BLOCK, CLUSTER, LANES, SOME_LANES, THREAD, WARP, WARPS, Piece, Place, block, declaration
from nodes import Statement

DEEPEST = 2


class Control:
    control_pieces = (Piece("agreed_loop", LANES, 6), Piece("branch", LANES, 3), Piece("cases", LANES, 3), Piece("jump_back", LANES, 2),
                      Piece("jump_over", THREAD, 1), Piece("by_warp", BLOCK, 4), Piece("by_lane", LANES, 6), Piece("by_label", LANES, 4),
                      Piece("divergent_loop", LANES, 4), Piece("dead", THREAD, 4), Piece("work", THREAD, 5))

    def number(self, prefix):
        self.loops += 1
        return f"{prefix}{self.loops}"

    def agreed(self, place):
        """A number from 0 to 5 that is equal in all threads that run the place."""
        k = self.random.randrange(9)
        if place.level >= CLUSTER:
            return self.random.choice((f"{k % 4 + 1}u", "(a.n & 3u)", f"(a.in[{k}u] & 3u)"))
        if place.level == BLOCK:
            return self.make.uniform()
        if place.level == WARP:
            return f"(a.in[rank / 32u + {k}u] & 3u)"
        return self.random.choice((f"(static_cast<u32>(__popc({place.mask})) & 3u)", f"(a.in[{place.mask} & 63u] & 3u)", f"{k % 4}u"))

    def some(self, place, most=2):
        return [self.piece(place) for _ in range(self.random.randrange(1, most + 1))]

    def work(self, place):
        """Divergent statements that concern one thread only and do not wait."""
        return super().one(min(place.depth + 1, DEEPEST), False, False)

    def agreed_loop(self, place):
        i = self.number("n")
        count = self.agreed(place)
        head = self.random.choice((f"for (u32 {i} = 0; {i} < {count}; ++{i}) ", f"for (u32 {i} = {count}; {i}-- > 0;) "))
        return Statement([head, self.some(place.inside(once=False))])

    def branch(self, place):
        head = f"if ({self.agreed(place)} > {self.random.randrange(3)}u) "
        if self.random.random() < 0.5:
            return Statement([head, self.some(place.inside())], unwraps=True)
        return Statement([head, self.some(place.inside()), " else ", self.some(place.inside())], unwraps=True)

    def cases(self, place):
        body = []
        for case in ("case 0u: ", "case 1u: ", "case 2u: ", "default: "):
            body.append(Statement([case, self.some(place.inside(), 2)]))
            if self.random.random() < 0.8:
                body.append(Statement(["break;"]))
        return Statement([f"switch ({self.agreed(place)} & 3u) ", body])

    def jump_back(self, place):
        """A loop by goto."""
        i = self.number("n")
        head = [declaration(f"u32 {i} = 0;"), declaration(f"again_{i}:;"), *self.some(place.inside(once=False), 2)]
        return block(*head, declaration(f"if (++{i} <= {self.agreed(place)}) goto again_{i};"))

    def jump_over(self, place):
        i = self.number("n")
        return block(declaration("if (", self.make.condition(), f") goto after_{i};"), self.work(place), self.work(place),
                     declaration(f"after_{i}:;"))

    def by_warp(self, place):
        k = self.random.randrange(9)
        condition = self.random.choice(("(rank / 32u & 1u) == 0u", f"(a.in[rank / 32u + {k}u] & 1u) == 0u", "rank < 64u"))
        inner = place.inside(WARP)
        arms = [self.some(inner)] if self.random.random() < 0.5 else [self.some(inner), " else ", self.some(inner)]
        return Statement([f"if ({condition}) ", *arms])

    def by_lane(self, place):
        """A ballot; the lanes with each answer then run in a branch of their own."""
        chosen, lanes = self.number("chosen"), self.number("lanes")
        head = [declaration(f"const bool {chosen} = ", self.make.condition(), ";"),
                declaration(f"const u32 {lanes} = __ballot_sync({place.mask}, {chosen});")]
        arms = [self.some(place.inside(LANES, lanes))]
        if self.random.random() < 0.5:
            other = self.number("lanes")
            head.append(declaration(f"const u32 {other} = __ballot_sync({place.mask}, !{chosen});"))
            arms += [" else ", self.some(place.inside(LANES, other))]
        return block(*head, Statement([f"if ({chosen}) ", *arms]))

    def by_label(self, place):
        label, lanes = self.number("label"), self.number("lanes")
        cases = []
        for case in ("case 0u: ", "case 1u: ", "case 2u: ", "default: "):
            cases += [Statement([case, self.some(place.inside(LANES, lanes), 2)]), declaration("break;")]
        return block(declaration(f"const u32 {label} = ", self.make.of("u32"), " & 3u;"),
                     declaration(f"const u32 {lanes} = __match_any_sync({place.mask}, {label});"),
                     Statement([f"switch ({label}) ", cases]))

    def divergent_loop(self, place):
        """Lanes leave a loop one after another; a ballot gives the mask of the remaining lanes."""
        i, lanes, more = self.number("n"), self.number("lanes"), self.number("more")
        bound = self.number("bound")
        body = [declaration(f"const bool {more} = {i} < {bound};"), declaration(f"{lanes} = __ballot_sync({lanes}, {more});"),
                declaration(f"if (!{more}) break;"), *self.some(place.inside(LANES, lanes, once=False), 2)]
        return block(declaration(f"const u32 {bound} = ", self.make.of("u32"), " & 3u;"), declaration(f"u32 {lanes} = {place.mask};"),
                     declaration(f"for (u32 {i} = 0;; ++{i}) ", body))

    def dead(self, place):
        """Code that no thread runs, although the compiler cannot prove it. It may contain anything, such as a barrier
        that only some threads reach."""
        k = self.random.randrange(64)
        never = self.random.choice(("a.never != 0u", f"a.zeros[{k}u] != 0u", "a.zeros[rank & 63u] > rank", "a.zeros[t & 31u] == 7u",
                                    "a.n < 1000u"))
        wild = self.random.choice(("a.out[0x3fffffffu] = rank;", "return;", "__syncthreads();", "for (;;) __syncthreads();",
                                   "for (;;) v0 += a.in[v0];", "block.sync();", f"v0 += __ballot_sync({ALL}, rank);",
                                   "while (atomicAdd(&a.cells[0], 0u) == 0u) {}", "*reinterpret_cast<u32*>(8) = 1u;", ""))
        kept, self.is_dead = self.is_dead, True
        level = self.random.choice((THREAD, LANES, WARP, BLOCK, self.top))
        returned, self.returned = self.returned, 0 if self.random.random() < 0.5 else self.returned
        body = self.some(Place(level, place.depth + 1, once=False), 2)
        self.is_dead, self.returned = kept, returned
        return Statement([f"if ({never}) ", [*body, Statement([wild])]])

    def early_return(self):
        if self.random.random() < 0.5:
            self.returned = max(self.returned, WARPS)
            bound = self.random.choice(("rank >= 64u", "rank / 32u == 1u", "(rank / 32u + blockIdx.x) % 3u == 1u"))
        else:
            self.returned = SOME_LANES
            bound = self.random.choice(("rank >= size - size / 3u", "rank >= 40u", "t > 70u", "(rank & 7u) == 3u", "(rank & 31u) > 24u"))
        return Statement([f"if ({bound}) return;"])

