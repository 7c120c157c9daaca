// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks whether a device admits a launch. Error numbers are CUDA's; 0 is success.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstddef>
#include <cstdint>

namespace cohort::engine {

int check_launch(const cohort_launch& launch);
int check_multi_device(const cohort_launch* launches, uint32_t count);

// Finds the blocks of a cluster on each axis. pre: check_launch() accepts the launch
void effective_cluster(const cohort_launch& launch, uint32_t (&cluster)[3]);

// See cohort_max_blocks_per_sm and cohort_max_clusters.
int most_blocks_per_sm(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes);
int most_clusters(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                  uint32_t cluster_blocks);

struct grid;

// Selects the gang versions of the launch, by the rule of cohort_kernel::gang_versions. pre: g.launch and g.stack_bytes
// are set
void select_gangs(grid& g);

}  // namespace cohort::engine
