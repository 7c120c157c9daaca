// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// check_contract: compares a machine with concept.hpp at compile time. A function that is missing or has another type
// is an error with a message: each required function, and each optional one whose has_... is true.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/lane_mask.hpp"
#include "../../base/types.hpp"
#include "concept.hpp"

namespace cohort {
namespace detail {

// The argument of a machine's function templates while their types are compared.
struct probe {
  uint32_t word;
};
using probe_op = probe (*)(const probe&, const probe&);
struct probe_publish;

// The type of each function of a machine.
template <class Machine>
using type_of_thread_index = decltype(&Machine::thread_index);
template <class Machine>
using type_of_block_index = decltype(&Machine::block_index);
template <class Machine>
using type_of_block_dim = decltype(&Machine::block_dim);
template <class Machine>
using type_of_grid_dim = decltype(&Machine::grid_dim);
template <class Machine>
using type_of_cluster_dim = decltype(&Machine::cluster_dim);
template <class Machine>
using type_of_lane = decltype(&Machine::lane);
template <class Machine>
using type_of_sync_lanes = decltype(&Machine::sync_lanes);
template <class Machine>
using type_of_ballot = decltype(&Machine::ballot);
template <class Machine>
using type_of_active_lanes = decltype(&Machine::active_lanes);
template <class Machine>
using type_of_sync_block = decltype(&Machine::sync_block);
template <class Machine>
using type_of_sync_block_count = decltype(&Machine::sync_block_count);
template <class Machine>
using type_of_sync_team = decltype(&Machine::sync_team);
template <class Machine>
using type_of_arrive = decltype(&Machine::arrive);
template <class Machine>
using type_of_wait = decltype(&Machine::wait);
template <class Machine>
using type_of_sync_cluster = decltype(&Machine::sync_cluster);
template <class Machine>
using type_of_map_shared = decltype(&Machine::map_shared);
template <class Machine>
using type_of_shared_owner = decltype(&Machine::shared_owner);
template <class Machine>
using type_of_cluster_scratch = decltype(&Machine::cluster_scratch);
template <class Machine>
using type_of_sync_grid = decltype(&Machine::sync_grid);
template <class Machine>
using type_of_grid_is_valid = decltype(&Machine::grid_is_valid);
template <class Machine>
using type_of_sync_multi_grid = decltype(&Machine::sync_multi_grid);
template <class Machine>
using type_of_multi_grid_rank = decltype(&Machine::multi_grid_rank);
template <class Machine>
using type_of_multi_grid_count = decltype(&Machine::multi_grid_count);
template <class Machine>
using type_of_multi_grid_scratch = decltype(&Machine::multi_grid_scratch);
template <class Machine>
using type_of_fence = decltype(&Machine::fence);
template <class Machine>
using type_of_copy_share = decltype(&Machine::copy_share);
template <class Machine>
using type_of_copy_commit = decltype(&Machine::copy_commit);
template <class Machine>
using type_of_fail = decltype(&Machine::fail);
template <class Machine>
using type_of_shuffle = decltype(&Machine::template shuffle<probe>);
template <class Machine>
using type_of_match_any = decltype(&Machine::template match_any<uint32_t>);
template <class Machine>
using type_of_match_all = decltype(&Machine::template match_all<uint64_t>);
template <class Machine>
using type_of_exchange_warps = decltype(&Machine::template exchange_warps<probe>);
template <class Machine>
using type_of_copy_wait_prior = decltype(&Machine::template copy_wait_prior<0>);
template <class Machine>
using type_of_reduce_lanes = decltype(&Machine::template reduce_lanes<probe, probe_op>);
template <class Machine>
using type_of_inclusive_scan_lanes = decltype(&Machine::template inclusive_scan_lanes<probe, probe_op>);
template <class Machine>
using type_of_exclusive_scan_lanes = decltype(&Machine::template exclusive_scan_lanes<probe, probe_op>);
template <class Machine>
using type_of_lane_of = decltype(&Machine::lane_of);
template <class Machine>
using type_of_to_ranks = decltype(&Machine::to_ranks);
template <class Machine>
using type_of_wrap_rank = decltype(&Machine::wrap_rank);
template <class Machine>
using type_of_ballot_ranks = decltype(&Machine::ballot_ranks);
template <class Machine>
using type_of_tile_mask = decltype(&Machine::template tile_mask<8>);
template <class Machine>
using type_of_shuffle_tile = decltype(&Machine::template shuffle_tile<8, probe>);
template <class Machine>
using type_of_shuffle_tile_down = decltype(&Machine::template shuffle_tile_down<8, probe>);
template <class Machine>
using type_of_shuffle_tile_up = decltype(&Machine::template shuffle_tile_up<8, probe>);
template <class Machine>
using type_of_reduce_tile = decltype(&Machine::template reduce_tile<8, probe, probe_op>);
template <class Machine>
using type_of_inclusive_scan_tile = decltype(&Machine::template inclusive_scan_tile<8, probe, probe_op>);
template <class Machine>
using type_of_exclusive_scan_tile = decltype(&Machine::template exclusive_scan_tile<8, probe, probe_op>);
template <class Machine>
using type_of_begin_teams = decltype(&Machine::begin_teams);
template <class Machine>
using type_of_shuffle_team = decltype(&Machine::template shuffle_team<probe>);
template <class Machine>
using type_of_count_team = decltype(&Machine::count_team);
template <class Machine>
using type_of_reduce_team = decltype(&Machine::template reduce_team<probe, probe_op>);
template <class Machine>
using type_of_inclusive_scan_team = decltype(&Machine::template inclusive_scan_team<probe, probe_op>);
template <class Machine>
using type_of_exclusive_scan_team = decltype(&Machine::template exclusive_scan_team<probe, probe_op>);
template <class Machine>
using type_of_turn_memory = decltype(&Machine::turn_memory);
template <class Machine>
using type_of_multi_grid_put = decltype(&Machine::multi_grid_put);
template <class Machine>
using type_of_begin_exchange = decltype(&Machine::begin_exchange);
template <class Machine>
using type_of_world_address = decltype(&Machine::world_address);
template <class Machine>
using type_of_world_put = decltype(&Machine::world_put);
template <class Machine>
using type_of_reduce_block_and_sync =
    decltype(&Machine::template reduce_block_and_sync<probe_publish, probe, probe_op>);
template <class Machine>
using type_of_post_to_grid = decltype(&Machine::template post_to_grid<false, probe>);
template <class Machine>
using type_of_read_block = decltype(&Machine::template read_block<probe>);
template <class Machine>
using type_of_post_to_all = decltype(&Machine::template post_to_all<probe>);
template <class Machine>
using type_of_post_to_next = decltype(&Machine::template post_to_next<probe>);
template <class Machine>
using type_of_read_previous = decltype(&Machine::template read_previous<probe>);
template <class Machine>
using type_of_end_exchange = decltype(&Machine::template end_exchange<false, probe>);

// Machine has the function, with the type that machine_contract declares.
template <template <class> class TypeOf, class Machine, class = void>
inline constexpr bool has_function_v = false;
template <template <class> class TypeOf, class Machine>
inline constexpr bool has_function_v<TypeOf, Machine, void_t<TypeOf<Machine>>> =
    is_same_v<TypeOf<Machine>, TypeOf<machine_contract>>;

// Returns true; each function that Machine lacks is a compile error.
template <class Machine>
COHORT_ANY_SIDE constexpr bool check_contract() {
  static_assert(
      Machine::warp_size <= mask_size && (Machine::warp_size & (Machine::warp_size - 1)) == 0,
      "machine/contract/concept.hpp: warp_size is a power of two, and at most the 32 lanes that a mask can name");
  static_assert(has_function_v<type_of_world_address, Machine>,
                "machine/contract/concept.hpp: world_address is missing in this machine or has another type");
  static_assert(has_function_v<type_of_world_put, Machine>,
                "machine/contract/concept.hpp: world_put is missing in this machine or has another type");
  static_assert(!Machine::threads_take_turns || has_function_v<type_of_turn_memory, Machine>,
                "machine/contract/concept.hpp: threads_take_turns promises turn_memory, which is missing in this "
                "machine or has another type");
  static_assert(!Machine::has_reduce_and_sync || has_function_v<type_of_reduce_block_and_sync, Machine>,
                "machine/contract/concept.hpp: has_reduce_and_sync promises reduce_block_and_sync, which is missing in "
                "this machine or has another type");
  static_assert(!Machine::has_multi_grid_put || has_function_v<type_of_multi_grid_put, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_put promises multi_grid_put, which is missing in this "
                "machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_begin_exchange, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises begin_exchange, which is missing in "
                "this machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_post_to_grid, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises post_to_grid, which is missing in this "
                "machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_read_block, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises read_block, which is missing in this "
                "machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_post_to_all, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises post_to_all, which is missing in this "
                "machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_post_to_next, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises post_to_next, which is missing in this "
                "machine or has another type");
  static_assert(
      !Machine::has_multi_grid_messages || has_function_v<type_of_read_previous, Machine>,
      "machine/contract/concept.hpp: has_multi_grid_messages promises read_previous, which is missing in this "
      "machine or has another type");
  static_assert(!Machine::has_multi_grid_messages || has_function_v<type_of_end_exchange, Machine>,
                "machine/contract/concept.hpp: has_multi_grid_messages promises end_exchange, which is missing in this "
                "machine or has another type");
  static_assert(has_function_v<type_of_thread_index, Machine>,
                "machine/contract/concept.hpp: thread_index is missing in this machine or has another type");
  static_assert(has_function_v<type_of_block_index, Machine>,
                "machine/contract/concept.hpp: block_index is missing in this machine or has another type");
  static_assert(has_function_v<type_of_block_dim, Machine>,
                "machine/contract/concept.hpp: block_dim is missing in this machine or has another type");
  static_assert(has_function_v<type_of_grid_dim, Machine>,
                "machine/contract/concept.hpp: grid_dim is missing in this machine or has another type");
  static_assert(has_function_v<type_of_cluster_dim, Machine>,
                "machine/contract/concept.hpp: cluster_dim is missing in this machine or has another type");
  static_assert(has_function_v<type_of_lane, Machine>,
                "machine/contract/concept.hpp: lane is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_lanes, Machine>,
                "machine/contract/concept.hpp: sync_lanes is missing in this machine or has another type");
  static_assert(has_function_v<type_of_ballot, Machine>,
                "machine/contract/concept.hpp: ballot is missing in this machine or has another type");
  static_assert(has_function_v<type_of_active_lanes, Machine>,
                "machine/contract/concept.hpp: active_lanes is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_block, Machine>,
                "machine/contract/concept.hpp: sync_block is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_block_count, Machine>,
                "machine/contract/concept.hpp: sync_block_count is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_team, Machine>,
                "machine/contract/concept.hpp: sync_team is missing in this machine or has another type");
  static_assert(has_function_v<type_of_arrive, Machine>,
                "machine/contract/concept.hpp: arrive is missing in this machine or has another type");
  static_assert(has_function_v<type_of_wait, Machine>,
                "machine/contract/concept.hpp: wait is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_cluster, Machine>,
                "machine/contract/concept.hpp: sync_cluster is missing in this machine or has another type");
  static_assert(has_function_v<type_of_map_shared, Machine>,
                "machine/contract/concept.hpp: map_shared is missing in this machine or has another type");
  static_assert(has_function_v<type_of_shared_owner, Machine>,
                "machine/contract/concept.hpp: shared_owner is missing in this machine or has another type");
  static_assert(has_function_v<type_of_cluster_scratch, Machine>,
                "machine/contract/concept.hpp: cluster_scratch is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_grid, Machine>,
                "machine/contract/concept.hpp: sync_grid is missing in this machine or has another type");
  static_assert(has_function_v<type_of_grid_is_valid, Machine>,
                "machine/contract/concept.hpp: grid_is_valid is missing in this machine or has another type");
  static_assert(has_function_v<type_of_sync_multi_grid, Machine>,
                "machine/contract/concept.hpp: sync_multi_grid is missing in this machine or has another type");
  static_assert(has_function_v<type_of_multi_grid_rank, Machine>,
                "machine/contract/concept.hpp: multi_grid_rank is missing in this machine or has another type");
  static_assert(has_function_v<type_of_multi_grid_count, Machine>,
                "machine/contract/concept.hpp: multi_grid_count is missing in this machine or has another type");
  static_assert(has_function_v<type_of_multi_grid_scratch, Machine>,
                "machine/contract/concept.hpp: multi_grid_scratch is missing in this machine or has another type");
  static_assert(has_function_v<type_of_fence, Machine>,
                "machine/contract/concept.hpp: fence is missing in this machine or has another type");
  static_assert(has_function_v<type_of_copy_share, Machine>,
                "machine/contract/concept.hpp: copy_share is missing in this machine or has another type");
  static_assert(has_function_v<type_of_copy_commit, Machine>,
                "machine/contract/concept.hpp: copy_commit is missing in this machine or has another type");
  static_assert(has_function_v<type_of_fail, Machine>,
                "machine/contract/concept.hpp: fail is missing in this machine or has another type");
  static_assert(has_function_v<type_of_shuffle, Machine>,
                "machine/contract/concept.hpp: shuffle is missing in this machine or has another type");
  static_assert(has_function_v<type_of_match_any, Machine>,
                "machine/contract/concept.hpp: match_any is missing in this machine or has another type");
  static_assert(has_function_v<type_of_match_all, Machine>,
                "machine/contract/concept.hpp: match_all is missing in this machine or has another type");
  static_assert(has_function_v<type_of_exchange_warps, Machine>,
                "machine/contract/concept.hpp: exchange_warps is missing in this machine or has another type");
  static_assert(has_function_v<type_of_copy_wait_prior, Machine>,
                "machine/contract/concept.hpp: copy_wait_prior is missing in this machine or has another type");
  static_assert(
      !Machine::has_lane_reduce || has_function_v<type_of_reduce_lanes, Machine>,
      "machine/contract/concept.hpp: has_lane_reduce promises reduce_lanes, which is missing in this machine or has "
      "another type");
  static_assert(
      !Machine::has_lane_scan || has_function_v<type_of_inclusive_scan_lanes, Machine>,
      "machine/contract/concept.hpp: has_lane_scan promises inclusive_scan_lanes, which is missing in this machine or "
      "has another type");
  static_assert(
      !Machine::has_lane_scan || has_function_v<type_of_exclusive_scan_lanes, Machine>,
      "machine/contract/concept.hpp: has_lane_scan promises exclusive_scan_lanes, which is missing in this machine or "
      "has another type");
  static_assert(!Machine::has_lane_ranks || has_function_v<type_of_lane_of, Machine>,
                "machine/contract/concept.hpp: has_lane_ranks promises lane_of, which is missing in this machine or "
                "has another type");
  static_assert(!Machine::has_lane_ranks || has_function_v<type_of_to_ranks, Machine>,
                "machine/contract/concept.hpp: has_lane_ranks promises to_ranks, which is missing in this machine or "
                "has another type");
  static_assert(!Machine::has_lane_ranks || has_function_v<type_of_wrap_rank, Machine>,
                "machine/contract/concept.hpp: has_lane_ranks promises wrap_rank, which is missing in this machine or "
                "has another type");
  static_assert(
      !Machine::has_lane_ranks || has_function_v<type_of_ballot_ranks, Machine>,
      "machine/contract/concept.hpp: has_lane_ranks promises ballot_ranks, which is missing in this machine or has "
      "another type");
  static_assert(!Machine::has_tile || has_function_v<type_of_tile_mask, Machine>,
                "machine/contract/concept.hpp: has_tile promises tile_mask, which is missing in this machine or has "
                "another type");
  static_assert(!Machine::has_tile || has_function_v<type_of_shuffle_tile, Machine>,
                "machine/contract/concept.hpp: has_tile promises shuffle_tile, which is missing in this machine or has "
                "another type");
  static_assert(!Machine::has_tile || has_function_v<type_of_shuffle_tile_down, Machine>,
                "machine/contract/concept.hpp: has_tile promises shuffle_tile_down, which is missing in this machine "
                "or has another type");
  static_assert(!Machine::has_tile || has_function_v<type_of_shuffle_tile_up, Machine>,
                "machine/contract/concept.hpp: has_tile promises shuffle_tile_up, which is missing in this machine or "
                "has another type");
  static_assert(!Machine::has_tile || has_function_v<type_of_reduce_tile, Machine>,
                "machine/contract/concept.hpp: has_tile promises reduce_tile, which is missing in this machine or has "
                "another type");
  static_assert(
      !Machine::has_tile || has_function_v<type_of_inclusive_scan_tile, Machine>,
      "machine/contract/concept.hpp: has_tile promises inclusive_scan_tile, which is missing in this machine or has "
      "another type");
  static_assert(
      !Machine::has_tile || has_function_v<type_of_exclusive_scan_tile, Machine>,
      "machine/contract/concept.hpp: has_tile promises exclusive_scan_tile, which is missing in this machine or has "
      "another type");
  static_assert(!Machine::has_team_begin || has_function_v<type_of_begin_teams, Machine>,
                "machine/contract/concept.hpp: has_team_begin promises begin_teams, which is missing in this machine "
                "or has another type");
  static_assert(
      !Machine::has_team_shuffle || has_function_v<type_of_shuffle_team, Machine>,
      "machine/contract/concept.hpp: has_team_shuffle promises shuffle_team, which is missing in this machine or has "
      "another type");
  static_assert(!Machine::has_team_count || has_function_v<type_of_count_team, Machine>,
                "machine/contract/concept.hpp: has_team_count promises count_team, which is missing in this machine or "
                "has another type");
  static_assert(
      !Machine::has_team_reduce || has_function_v<type_of_reduce_team, Machine>,
      "machine/contract/concept.hpp: has_team_reduce promises reduce_team, which is missing in this machine or has "
      "another type");
  static_assert(
      !Machine::has_team_scan || has_function_v<type_of_inclusive_scan_team, Machine>,
      "machine/contract/concept.hpp: has_team_scan promises inclusive_scan_team, which is missing in this machine or "
      "has another type");
  static_assert(
      !Machine::has_team_scan || has_function_v<type_of_exclusive_scan_team, Machine>,
      "machine/contract/concept.hpp: has_team_scan promises exclusive_scan_team, which is missing in this machine or "
      "has another type");
  return true;
}

}  // namespace detail
}  // namespace cohort
