# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives of the lanes of a mask, and groups of exactly these lanes."""

from groups.places import LANES, THREAD, WARP, Piece, block, declaration
from nodes import Expression, Statement

SHUFFLED = ("u8", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "__half", "__nv_bfloat16")
STRUCTS = ("packed7", "packed20")


class Warps:
    warp_pieces = (Piece("shuffle", LANES, 4), Piece("shuffle_near", LANES, 4), Piece("lane_vote", LANES, 3), Piece("match", LANES, 3),
                   Piece("lane_reduction", LANES, 3), Piece("through_shared", LANES, 3), Piece("converged", LANES, 6),
                   Piece("passed", LANES, 4), Piece("partition", LANES, 5), Piece("together", THREAD, 2), Piece("whole_warp", WARP, 2))

    def target(self, *kinds):
        return self.random.choice([name for name, kind in self.variables.items() if kind in (kinds or ("u32", "u64"))])

    def into(self, *parts):
        return Statement([f"{self.target()} {self.random.choice(('^=', '+='))} ", *parts, ";"])

    def value(self, kind):
        return Expression(kind, [f"made_of<{kind}>(", self.make.of("u32"), ")"])

    def here(self, place):
        """An expression for the place's lanes that have not returned."""
        return declaration(f"const u32 here = __ballot_sync({place.mask}, true);")

    def shuffle(self, place):
        kind = self.random.choice(SHUFFLED)
        return block(self.here(place), declaration("const u32 source = pick_lane(here, ", self.make.of("u32"), ");"),
                     self.into(f"folded(static_cast<{kind}>(__shfl_sync(here, ", self.value(kind), ", source)))"))

    def shuffle_near(self, place):
        """A shuffle by a distance: the source may be missing, and each lane can compute whether it is."""
        kind = self.random.choice(SHUFFLED)
        form, source = self.random.choice((("xor", "(lane ^ by)"), ("up", "(lane - by)"), ("down", "(lane + by)")))
        width = self.random.choice((32, 32, 16, 8))
        by = self.random.randrange(1, width)
        return block(self.here(place), declaration(f"const u32 by = {by}u;"),
                     declaration(f"const u32 got = folded(static_cast<{kind}>(__shfl_{form}_sync(here, ",
                                 self.value(kind), f", by, {width})));"),
                     Statement([f"if ({source} / {width}u == lane / {width}u && (here >> ({source} & 31u) & 1u) != 0u) "
                                f"{self.target()} ^= got;"]))

    def lane_vote(self, place):
        form = self.random.choice(("ballot", "any", "all"))
        return self.into(f"static_cast<u32>(__{form}_sync({place.mask}, ", self.make.condition(), "))")

    def match(self, place):
        kind = self.random.choice(("u32", "u64", "i32"))
        if self.random.random() < 0.3:
            return block(declaration("int equal = 0;"), declaration(f"const u32 same = __match_all_sync({place.mask}, ", self.make.of(kind),
                                                                    f" & static_cast<{kind}>(1), &equal);"),
                         self.into("same + static_cast<u32>(equal)"))
        return self.into(f"__match_any_sync({place.mask}, ", self.make.of(kind), f" & static_cast<{kind}>(3))")

    def lane_reduction(self, place):
        form = self.random.choice(("add", "min", "max", "and", "or", "xor"))
        return self.into(f"__reduce_{form}_sync({place.mask}, ", self.make.of("u32"), ")")

    def through_shared(self, place):
        member, kind = self.random.choice((("words", "u32"), ("sevens", "packed7"), ("twenties", "packed20"), ("flags", "bool")))
        value = Expression("bool", [self.make.condition()]) if kind == "bool" else self.value(kind)
        return block(self.here(place), declaration("const u32 source = pick_lane(here, ", self.make.of("u32"), ");"),
                     declaration(f"sh.{member}[rank] = ", value, ";"), declaration("__syncwarp(here);"),
                     self.into(f"folded(sh.{member}[rank - lane + source])"), declaration("__syncwarp(here);"))

    def whole_warp(self, place):
        """A warp's barrier without a mask, for a full warp."""
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), declaration("__syncwarp();"),
                     self.into("sh.words[rank - lane]"), declaration("__syncwarp();"))

    def uses(self, group, place):
        """Statements that use a coalesced group."""
        kind = self.random.choice(SHUFFLED + STRUCTS)
        result = []
        for _ in range(self.random.randrange(1, 4)):
            source = Expression("u32", ["(", self.make.of("u32"), f") % {group}.size()"])
            by = self.random.randrange(1, 8)
            near = self.random.choice((("up", f"{group}.thread_rank() >= {by}u"),
                                       ("down", f"{group}.thread_rank() + {by}u < {group}.size()")))
            result.append(self.random.choice((
                lambda source=source: self.into(f"folded({group}.shfl(", self.value(kind), ", ", source, "))"),
                lambda near=near, by=by: block(declaration(f"const {kind} got = {group}.shfl_{near[0]}(", self.value(kind), f", {by}u);"),
                                               Statement([f"if ({near[1]}) {self.target()} ^= folded(got);"])),
                lambda: self.into(f"cg::reduce({group}, ", self.make.of("u32"), ", cg::plus<u32>())"),
                lambda: self.into(f"folded(cg::reduce({group}, ", self.value("__half"), ", cg::plus<__half>()))"),
                lambda: self.into(f"cg::reduce({group}, ", self.make.of("u32"), ", cg::less<u32>())"),
                lambda: self.into(f"folded(cg::inclusive_scan({group}, ", self.make.of("u64"), ", cg::plus<u64>()))"),
                lambda: self.into(f"cg::exclusive_scan({group}, ", self.make.of("u32"), ")"),
                lambda: self.into(f"{group}.ballot(", self.make.condition(), ")"),
                lambda: self.into(f"static_cast<u32>({group}.{self.random.choice(('any', 'all'))}(", self.make.condition(), "))"),
                lambda: self.into(f"{group}.match_any(", self.make.of("u32"), " & 3u)"),
                lambda: self.into(f"{group}.size() * 3u + {group}.thread_rank()"),
                lambda: self.nested(group, place)))())
        if self.random.random() < 0.3:
            result.append(Statement([f"{group}.sync();"]))
        return result

    def nested(self, group, place):
        """A partition of a coalesced group."""
        part = self.number("part")
        if place.depth > 4:
            return self.into(f"{group}.size()")
        made = self.random.choice((
            [f"const cg::coalesced_group {part} = cg::labeled_partition({group}, ", self.make.of("u32"), " & 3u);"],
            [f"const cg::coalesced_group {part} = cg::binary_partition({group}, ", self.make.condition(), ");"],
            [f"const cg::coalesced_group {part} = cg::tiled_partition({group}, {self.random.choice((1, 2, 4, 8, 16))}u);"]))
        more = [self.into(f"{part}.meta_group_rank() + {part}.meta_group_size() * 64u")] if "labeled" in made[0] else []
        return block(declaration(*made), *self.uses(part, place.inside()), *more)

    def converged(self, place):
        group = self.number("group")
        return block(declaration(f"const cg::coalesced_group {group} = converged_group({place.mask});"), *self.uses(group, place.inside()))

    def passed(self, place):
        """A group that is passed to recursive functions."""
        group = self.number("group")
        calls = [self.into(f"{self.random.choice(('descend_by_value', 'descend_by_reference', 'divide_and_meet'))}({group}, ",
                           self.make.of("u32"), f", {self.random.randrange(5)}u)") for _ in range(self.random.randrange(1, 3))]
        return block(declaration(f"const cg::coalesced_group {group} = converged_group({place.mask});"), *calls)

    def partition(self, place):
        """Parts of the lanes, each of which takes a branch of its own."""
        group, part, label = self.number("group"), self.number("part"), self.number("label")
        cases = []
        for case in ("case 0u: ", "case 1u: ", "default: "):
            cases += [Statement([case, self.uses(part, place.inside())]), declaration("break;")]
        return block(declaration(f"const cg::coalesced_group {group} = converged_group({place.mask});"),
                     declaration(f"const u32 {label} = ", self.make.of("u32"), " & 3u;"),
                     declaration(f"const cg::coalesced_group {part} = cg::labeled_partition({group}, {label});"),
                     Statement([f"switch ({label}) ", cases]))

    def together(self, place):
        """Lanes that run together add as one, whichever lanes these are."""
        return Statement([f"add_together(&a.cells[{self.random.randrange(2)}], ", self.make.of("u32"), ");"])
