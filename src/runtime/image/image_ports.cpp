// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_ports.hpp"

// Each function that kernels may call: those of port.hpp, those that the compiler plugin calls, and the runtime's that
// are device functions too.
// clang-format off: rows of names
#define COHORT_IMAGE_PORTS(PORT) \
  PORT(cohort_clock) PORT(cohort_cluster_map) PORT(cohort_cluster_owner) PORT(cohort_cluster_scratch) \
  PORT(cohort_copy_commit) PORT(cohort_copy_later) PORT(cohort_fail) PORT(cohort_fail_assert) \
  PORT(cohort_fail_at) PORT(cohort_gang_copy_commit) PORT(cohort_gang_copy_later) PORT(cohort_gang_fail_assert) \
  PORT(cohort_gang_refuse_mask) PORT(cohort_gang_wait_arrive) \
  PORT(cohort_gang_wait_block) PORT(cohort_gang_wait_block_all) PORT(cohort_gang_wait_block_any) \
  PORT(cohort_gang_wait_block_count) PORT(cohort_gang_wait_block_light) PORT(cohort_gang_wait_block_unsaved) \
  PORT(cohort_gang_wait_copies) \
  PORT(cohort_gang_wait_cluster) PORT(cohort_gang_wait_cluster_light) PORT(cohort_gang_wait_grid) \
  PORT(cohort_gang_wait_grid_light) PORT(cohort_gang_wait_multi_grid) PORT(cohort_gang_wait_multi_grid_light) \
  PORT(cohort_gang_wait_team) PORT(cohort_gang_wait_team_light) PORT(cohort_gang_wait_token) \
  PORT(cohort_grid_is_cooperative) PORT(cohort_heap_allocate) PORT(cohort_heap_free) \
  PORT(cohort_multi_grid_count) PORT(cohort_multi_grid_put) PORT(cohort_multi_grid_rank) \
  PORT(cohort_multi_grid_scratch) PORT(cohort_nanoseconds) PORT(cohort_print) PORT(cohort_register_module) \
  PORT(cohort_set_graph_condition) \
  PORT(cohort_tagged_shared) PORT(cohort_wait_arrive) PORT(cohort_wait_block) PORT(cohort_wait_block_all) \
  PORT(cohort_wait_block_any) PORT(cohort_wait_block_count) PORT(cohort_wait_block_light) \
  PORT(cohort_wait_named) PORT(cohort_wait_named_all) PORT(cohort_wait_named_any) PORT(cohort_wait_named_arrive) \
  PORT(cohort_wait_named_count) \
  PORT(cohort_wait_cluster) PORT(cohort_wait_cluster_light) PORT(cohort_wait_converged) \
  PORT(cohort_wait_converged_at) PORT(cohort_wait_copies) PORT(cohort_wait_grid) PORT(cohort_wait_grid_light) \
  PORT(cohort_wait_multi_grid) PORT(cohort_wait_multi_grid_light) PORT(cohort_wait_outer_team) \
  PORT(cohort_wait_sleep) PORT(cohort_wait_team) PORT(cohort_wait_team_light) \
  PORT(cohort_wait_team_unsaved) PORT(cohort_wait_token) PORT(cohort_wait_warp) \
  PORT(cohort_wait_warp_light) PORT(cohort_wait_warp_unsaved) PORT(cohort_wait_yield) PORT(cohort_world_address) \
  PORT(cohort_world_put) PORT(cudaGetErrorName) PORT(cudaGetErrorString)
// clang-format on

// The addresses alone matter here: the types are those of bytes, and no header declares all of these functions.
extern "C" {
#define COHORT_DECLARE_PORT(name) extern const char name[];
COHORT_IMAGE_PORTS(COHORT_DECLARE_PORT)
#undef COHORT_DECLARE_PORT
}

namespace cohort::runtime {
namespace {

struct port {
  std::string_view name;
  const void* address;
};

#define COHORT_PORT_ROW(name) {#name, name},
const port ports[] = {COHORT_IMAGE_PORTS(COHORT_PORT_ROW)};
#undef COHORT_PORT_ROW

}  // namespace

const void* find_image_port(std::string_view name) {
  for (const port& p : ports) {
    if (p.name == name) return p.address;
  }
  return nullptr;
}

}  // namespace cohort::runtime
