# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of 1 to 512 threads, tiles of tiles, and their partitions."""

from groups.places import BLOCK, LANES, NONE, WARP, WARPS, Piece, Place, block, declaration
from groups.warps import SHUFFLED, STRUCTS
from nodes import Expression, Statement


class Tiles:
    tile_pieces = (Piece("small_tile", WARP, 6, returned=WARPS), Piece("big_tile", BLOCK, 6, returned=NONE))

    def small_uses(self, tile, size, depth):
        """Statements that use a tile inside a warp."""
        kind = self.random.choice(SHUFFLED + STRUCTS)
        result = []
        for _ in range(self.random.randrange(1, 4)):
            by = self.random.randrange(1, size + 1)
            result.append(self.random.choice((
                lambda: self.into(f"folded({tile}.shfl(", self.value(kind), f", {self.random.randrange(size)}u))"),
                lambda: self.into(f"folded({tile}.shfl(", self.value(kind), ", ",
                                  Expression("u32", ["(", self.make.of("u32"), f") % {size}u"]), "))"),
                lambda: self.into(f"folded({tile}.shfl_xor(", self.value(kind), f", {self.random.randrange(size)}u))"),
                lambda by=by: self.into(f"folded({tile}.shfl_{self.random.choice(('up', 'down'))}(", self.value(kind), f", {by % 32}u))"),
                lambda: self.into(f"cg::reduce({tile}, ", self.make.of("u32"), ", cg::plus<u32>())"),
                lambda: self.into(f"folded(cg::reduce({tile}, ", self.make.of("i64"), ", cg::greater<i64>()))"),
                lambda: self.into(f"folded(cg::reduce({tile}, ", self.value("__nv_bfloat16"), ", cg::plus<__nv_bfloat16>()))"),
                lambda: self.into(f"folded(cg::inclusive_scan({tile}, ", self.make.of("u64"), ", cg::plus<u64>()))"),
                lambda: self.into(f"cg::exclusive_scan({tile}, ", self.make.of("u32"), ")"),
                lambda: self.into(f"{tile}.ballot(", self.make.condition(), ")"),
                lambda: self.into(f"static_cast<u32>({tile}.any(", self.make.condition(), "))"),
                lambda: self.into(f"{tile}.match_any(", self.make.of("u32"), " & 1u)"),
                lambda: self.into(f"rank_in_tile({tile}, ", self.make.of("u32"), ")"),
                lambda: self.tile_branch(tile, size, depth),
                lambda: self.tile_partition(tile, depth),
                lambda: self.tile_of_tile(tile, size, depth)))())
        if self.random.random() < 0.3:
            result.append(Statement([f"{tile}.sync();"]))
        return result

    def tile_branch(self, tile, size, depth):
        if depth > 2:
            return self.into(f"{tile}.thread_rank()")
        return Statement([f"if (({tile}.meta_group_rank() & 1u) == {self.random.randrange(2)}u) ", self.small_uses(tile, size, depth + 1)])

    def tile_partition(self, tile, depth):
        part = self.number("part")
        made = self.random.choice(([f"labeled_partition({tile}, ", self.make.of("u32"), " & 3u)"],
                                   [f"binary_partition({tile}, ", self.make.condition(), ")"]))
        return block(declaration(f"const cg::coalesced_group {part} = cg::", *made, ";"), *self.uses(part, Place(LANES, depth + 2)))

    def tile_of_tile(self, tile, size, depth):
        if size == 1 or depth > 2:
            return self.into(f"{tile}.meta_group_size()")
        inner = self.number("tile")
        smaller = self.random.choice([n for n in (1, 2, 4, 8, 16) if n < size])
        return block(declaration(f"const auto {inner} = cg::tiled_partition<{smaller}>({tile});"),
                     *self.small_uses(inner, smaller, depth + 1))

    def small_tile(self, place):
        size = self.random.choice((1, 2, 4, 8, 16, 32))
        self.suits(32)
        if size == 32 or place.level < BLOCK:
            parent = "warp" if size < 32 else None
        else:
            parent = self.random.choice(("warp", "block"))
        if parent is None:
            return block(*self.small_uses("warp", 32, place.depth))
        tile = self.number("tile")
        return block(declaration(f"const auto {tile} = cg::tiled_partition<{size}>({parent});"), *self.small_uses(tile, size, place.depth))

    def big_uses(self, tile, size, depth):
        result = []
        for _ in range(self.random.randrange(1, 4)):
            result.append(self.random.choice((
                lambda: self.into(f"folded({tile}.shfl(", self.make.of(self.random.choice(("u32", "u64"))),
                                  f", {self.random.randrange(size)}u))"),
                lambda: self.into(f"cg::reduce({tile}, ", self.make.of("u32"), ", cg::plus<u32>())"),
                lambda: self.into(f"folded(cg::reduce({tile}, ", self.make.of("u64"), ", cg::bit_xor<u64>()))"),
                lambda: self.into(f"folded(cg::reduce({tile}, ", self.make.of("i32"), ", cg::less<i32>()))"),
                lambda: self.into(f"cg::inclusive_scan({tile}, ", self.make.of("u32"), ", cg::plus<u32>())"),
                lambda: self.into(f"folded(cg::exclusive_scan({tile}, ", self.make.of("u64"), "))"),
                lambda: self.into(f"static_cast<u32>({tile}.any(", self.make.condition(), "))"),
                lambda: self.into(f"rank_in_tile({tile}, ", self.make.of("u32"), ")"),
                lambda: self.big_exchange(tile, size),
                lambda: self.big_branch(tile, size, depth),
                lambda: self.tile_of_big(tile, size, depth)))())
        return result

    def big_exchange(self, tile, size):
        other = self.number("other")
        return block(declaration("sh.words[rank] = ", self.make.of("u32"), ";"), declaration(f"{tile}.sync();"),
                     declaration(f"const u32 {other} = rank - static_cast<u32>({tile}.thread_rank()) + (",
                                 self.make.of("u32"), f") % {size}u;"),
                     self.into(f"sh.words[{other} < size ? {other} : rank]"), declaration(f"{tile}.sync();"))

    def big_branch(self, tile, size, depth):
        if depth > 1:
            return self.into(f"{tile}.thread_rank()")
        return Statement([f"if (({tile}.meta_group_rank() & 1u) == {self.random.randrange(2)}u) ", self.big_uses(tile, size, depth + 1)])

    def tile_of_big(self, tile, size, depth):
        if depth > 1:
            return self.into(f"{tile}.meta_group_size()")
        inner = self.number("tile")
        smaller = self.random.choice([n for n in (2, 8, 32) + ((64, 128) if depth == 0 else ()) if n < size])
        uses = self.big_uses if smaller > 32 else self.small_uses
        return block(declaration(f"const auto {inner} = cg::tiled_partition<{smaller}>({tile});"), *uses(inner, smaller, depth + 2))

    def big_tile(self, place):
        size = self.random.choice((64, 64, 128, 128, 256, 512))
        self.suits(size)
        tile = self.number("tile")
        return block(declaration(f"const auto {tile} = cg::tiled_partition<{size}>(block);"), *self.big_uses(tile, size, 0),
                     declaration("block.sync();"))
