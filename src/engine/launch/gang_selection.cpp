// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/gang_selection.hpp"

#include <span>

#include <cohort/base/round_up.hpp>

#include "engine/state/grid.hpp"
#include "engine/state/warp.hpp"

namespace cohort::engine {

namespace {

// Bytes that a gang's frame leaves of its stack. The plugin counts each vector that lives, and 8 KiB for callees; the
// larger the count, the smaller a part of it code generation takes: a quarter of 64 KiB, a tenth of 200.
constexpr size_t spare_stack_bytes = 32 * 1024;
constexpr uint32_t most_threads = 1024;
constexpr uint64_t small_grid = uint64_t{1} << 27;

bool fits_stack(const cohort_gang_version& v, size_t stack_bytes) {
  return v.frame_bytes + spare_stack_bytes <= stack_bytes;
}

// A gang is several whole rows of the block.
bool has_whole_rows(const cohort_launch& l, const cohort_gang_version& v) {
  return l.block[0] == v.row_lanes && l.block[1] % (v.width / v.row_lanes) == 0;
}

// The first version of `width` that can run a gang of `lanes` lanes, or null.
const cohort_gang_version* version_for(std::span<const cohort_gang_version> versions, const grid& g, uint32_t width,
                                       uint32_t lanes) {
  for (const cohort_gang_version& v : versions) {
    if (v.width != width || !fits_stack(v, g.stack_bytes)) continue;
    if ((v.conditions & cohort_gang_full_rows) && g.launch->block[0] % width != 0) continue;
    if (v.row_lanes && !has_whole_rows(*g.launch, v)) continue;
    if ((v.conditions & cohort_gang_full) && lanes != width) continue;
    if ((v.conditions & cohort_gang_small_grid) && uint64_t{g.launch->grid[0]} * g.launch->block[0] > small_grid)
      continue;
    return &v;
  }
  return nullptr;
}

}  // namespace

void select_gangs(grid& g) {
  const cohort_launch& l = *g.launch;
  const std::span versions(l.kernel->gang_versions, l.kernel->gang_version_count);
  const uint32_t threads = l.block[0] * l.block[1] * l.block[2];
  for (const cohort_gang_version& v : versions) {
    if (v.width == 0 || v.width % lanes_per_warp != 0 || v.width > most_threads) continue;
    const uint32_t left = threads % v.width;
    const bool has_full = threads >= v.width;
    const cohort_gang_version* full = has_full ? version_for(versions, g, v.width, v.width) : nullptr;
    const cohort_gang_version* last = left ? version_for(versions, g, v.width, left) : full;
    if ((has_full && !full) || !last) continue;
    const bool wider_than_needed = !has_full && v.width > detail::round_up(left, lanes_per_warp);
    if (wider_than_needed && g.gang_width) continue;
    g.gang_width = v.width;
    g.full_gang = full;
    g.last_gang = last;
    if (!wider_than_needed) return;
  }
}

}  // namespace cohort::engine
