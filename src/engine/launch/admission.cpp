// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/admission.hpp"

#include <algorithm>

#include <cohort/base/cuda_error.hpp>
#include <cohort/base/round_up.hpp>
#include <span>
#include "engine/launch/device.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/warp.hpp"

namespace cohort::engine {

namespace {

// Finds the blocks of a cluster in this launch. False: the launch or the kernel has an impossible cluster.
bool find_cluster(const cohort_launch& l, uint32_t (&cluster)[3]) {
  const uint32_t most = static_cast<uint32_t>(find_device(l.device)->max_cluster_blocks);
  const bool by_launch = is_given(l.cluster), by_kernel = is_given(l.kernel->cluster_dim);
  for (int axis = 0; axis < 3; ++axis) {
    cluster[axis] = by_launch ? l.cluster[axis] : by_kernel ? l.kernel->cluster_dim[axis] : 1;
    if (cluster[axis] == 0 || l.grid[axis] % cluster[axis] != 0) return false;
    if (by_launch && by_kernel && l.cluster[axis] != l.kernel->cluster_dim[axis]) return false;
    if (cluster[axis] > most) return false;
  }
  return cluster[0] * cluster[1] * cluster[2] <= most;
}

}  // namespace

int check_launch(const cohort_launch& l) {
  if (!l.kernel) return error_invalid_device_function;
  const cohort_device* device = find_device(l.device);
  if (!device) return error_invalid_device;
  provide_stack(l.device, *l.kernel);
  // CUDA returns cudaErrorInvalidValue for a cooperative launch, cudaErrorInvalidConfiguration for a plain one.
  const int bad_shape = l.cooperative ? error_invalid_value : error_invalid_configuration;
  uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (l.grid[axis] == 0 || l.grid[axis] > device->max_grid_dim[axis]) return bad_shape;
    if (l.block[axis] == 0 || l.block[axis] > static_cast<uint32_t>(device->max_block_dim[axis])) return bad_shape;
    threads *= l.block[axis];
  }
  if (threads > static_cast<uint64_t>(device->max_threads_per_block)) return bad_shape;
  const size_t shared = l.kernel->static_shared_bytes + l.dynamic_shared_bytes;
  const bool too_much =
      l.dynamic_shared_bytes > device->shared_per_block_optin || shared > device->shared_per_block_optin;
  const bool too_wide = l.kernel->max_threads_per_block && threads > l.kernel->max_threads_per_block;
  uint32_t cluster[3];
  if (!find_cluster(l, cluster)) return error_invalid_cluster_size;
  if (!l.cooperative) {
    if (too_wide) return error_launch_out_of_resources;
    return too_much ? error_invalid_value : error_none;
  }
  if (too_much || too_wide) return error_cooperative_launch_too_large;
  const int per_sm = resident_blocks_per_sm(l.device, static_cast<uint32_t>(threads), shared);
  const uint32_t cluster_blocks = cluster[0] * cluster[1] * cluster[2];
  const uint64_t resident = resident_clusters(multiprocessors_of(l, *device), per_sm, cluster_blocks) * cluster_blocks;
  // The product of three dimensions can exceed 64 bits, so it is compared step by step.
  uint64_t blocks = l.grid[0];
  for (int axis = 1; axis < 3 && blocks <= resident; ++axis) blocks *= l.grid[axis];
  return blocks > resident ? error_cooperative_launch_too_large : error_none;
}

int check_multi_device(const cohort_launch* launches, uint32_t count) {
  if (!launches || count == 0 || count > static_cast<uint32_t>(device_count())) return error_invalid_value;
  for (uint32_t i = 0; i < count; ++i) {
    const cohort_launch& l = launches[i];
    if (!l.cooperative) return error_invalid_value;
    for (int axis = 0; axis < 3; ++axis) {
      if (l.grid[axis] != launches[0].grid[axis] || l.block[axis] != launches[0].block[axis])
        return error_invalid_value;
      if (l.cluster[axis] != launches[0].cluster[axis]) return error_invalid_value;
    }
    if (l.kernel != launches[0].kernel || l.dynamic_shared_bytes != launches[0].dynamic_shared_bytes) {
      return error_invalid_value;
    }
    for (uint32_t j = 0; j < i; ++j) {
      if (launches[j].device == l.device) return error_invalid_value;
    }
    if (const int refused = check_launch(l)) return refused;
  }
  return error_none;
}

void effective_cluster(const cohort_launch& l, uint32_t (&cluster)[3]) { find_cluster(l, cluster); }

int most_blocks_per_sm(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes) {
  const cohort_device* d = find_device(device);
  if (!d || !kernel) return 0;
  provide_stack(device, *kernel);
  if (kernel->max_threads_per_block && threads > kernel->max_threads_per_block) return 0;
  if (dynamic_shared_bytes > d->shared_per_block_optin) return 0;
  return resident_blocks_per_sm(device, threads, kernel->static_shared_bytes + dynamic_shared_bytes);
}

int most_clusters(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                  uint32_t cluster_blocks) {
  const cohort_device* d = find_device(device);
  if (!d || cluster_blocks == 0 || cluster_blocks > static_cast<uint32_t>(d->max_cluster_blocks)) return 0;
  const int per_sm = most_blocks_per_sm(kernel, device, threads, dynamic_shared_bytes);
  return static_cast<int>(resident_clusters(static_cast<uint64_t>(d->sm_count), per_sm, cluster_blocks));
}

namespace {

// Bytes of a stack that a gang's frame must leave free. The plugin counts each live vector, and 8 KiB for callees. Code
// generation exceeds the count by a quarter at 64 KiB and by a tenth at 200 KiB.
constexpr size_t spare_stack_bytes = 32 * 1024;
constexpr uint32_t most_threads = 1024;
constexpr uint64_t small_grid = uint64_t{1} << 27;

bool fits_stack(const cohort_gang_version& v, size_t stack_bytes) {
  return v.frame_bytes + spare_stack_bytes <= stack_bytes;
}

// Whether each gang is several whole rows of the block, or a block of one row that is shorter than a warp.
bool has_whole_rows(const cohort_launch& l, const cohort_gang_version& v) {
  if (v.conditions & cohort_gang_half_warp) return l.block[0] == v.row_lanes && l.block[1] * l.block[2] == 1;
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
