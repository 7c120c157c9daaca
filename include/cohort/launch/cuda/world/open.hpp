// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens and closes a world on GPUs.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "../../../base/limits.hpp"
#include "../api/runtime_api.hpp"
#include "../multi_gpu/device_resources.hpp"
#include "symmetric_windows.hpp"

namespace cohort {
namespace detail {

// The FNV-1a hash of bytes, continued from `hash`.
inline uint64_t hash_bytes(const void* bytes, size_t count, uint64_t hash = 0xcbf29ce484222325u) {
  for (size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  return hash;
}

// Makes a GPU current: the one with the process's number modulo the number of GPUs.
inline int take_device(gpu_world& w) {
  if (w.processes == 1) return static_cast<int>(api::get_device(&w.device));
  int devices = 0;
  if (const api::error result = api::count_devices(&devices)) return static_cast<int>(result);
  if (devices == 0) return error_no_device;
  w.device = static_cast<int>(w.process % static_cast<uint32_t>(devices));
  return static_cast<int>(api::set_device(w.device));
}

// Exchanges records with the other processes over the board, and checks that each has its own GPU.
inline int meet_processes(gpu_world& w) {
  if (!w.board.open(hash_bytes(&w.network.id, sizeof w.network.id), w.process, w.processes)) {
    print_world_report(rank_name(w) + " cannot make a file in /dev/shm, over which the processes of a host meet");
    return error_operating_system;
  }
  unsigned char id[16];
  const uint64_t uuid = api::get_uuid(id, w.device) == api::success ? hash_bytes(id, sizeof id) : w.process;
  if (const int failed = exchange_records(w, world_step::open, uuid)) return failed;
  if (w.process == 0) w.board.remove_name();
  if (w.network.connected != nullptr) w.network.connected(w.network.state);
  for (uint32_t first = 0; first < w.processes; ++first) {
    for (uint32_t second = first + 1; second < w.processes; ++second) {
      if (w.board.record_of(first).value != w.board.record_of(second).value) continue;
      print_world_report(rank_name(w) + " opens a world in which ranks " + std::to_string(first) + " and " +
                         std::to_string(second) + " have the same GPU: each process needs one of its own");
      return error_devices_unavailable;
    }
  }
  return error_none;
}

// Whether this process's GPU has atomics on the memory of every other visible GPU: over NVLink, not over PCIe. False if
// it is the only visible GPU: a barrier without atomics works in both cases.
inline bool has_link_atomics(const gpu_world& w) {
  int devices = 0;
  bool all = api::count_devices(&devices) == api::success && devices > 1;
  for (int peer = 0; peer < devices && all; ++peer) {
    int native = 1;
    if (peer == w.device) continue;
    all = api::has_native_atomics(&native, w.device, peer) == api::success && native != 0;
  }
  return all;
}

// Agrees with all processes on the kind of the barrier.
inline int compare_links(gpu_world& w) {
  if (const int failed = exchange_records(w, world_step::open, has_link_atomics(w) ? 1 : 0)) return failed;
  for (uint32_t p = 0; p < w.processes; ++p) w.links_add = w.links_add && w.board.record_of(p).value == 1;
  return error_none;
}

// Joins the processes in NCCL. Multicast over NVLink stays off unless the environment enables it, because nothing here
// uses it.
inline int connect_gpus(gpu_world& w) {
  static_cast<void>(::setenv("NCCL_NVLS_ENABLE", "0", 0));
  const int failed = run_guarded(w, "connects its GPU", [&w] {
    return ncclCommInitRank(&w.communicator, static_cast<int>(w.processes), w.network.id, static_cast<int>(w.process));
  });
  if (failed != 0) return failed;
  const ncclTeam_t reached = ncclTeamLsa(w.communicator);
  if (static_cast<uint32_t>(reached.nRanks) == w.processes) return compare_links(w);
  print_world_report(rank_name(w) + " reaches the memory of " + std::to_string(reached.nRanks) + " GPUs of " +
                     std::to_string(w.processes) +
                     ": launches over GPUs need NVLink or peer access between all of them");
  return error_peer_access_unsupported;
}

// Makes the resources of launches: the barrier's words, a stream, and memory that host and kernels share.
template <class Unused = void>
int prepare_launches(gpu_world& w) {
  size_t bytes = 0;
  api::error result = api::create_non_blocking_stream(&w.stream);
  if (result == api::success) result = api::create_event(&w.ended);
  if (result == api::success) result = api::allocate(&w.descriptor, sizeof(multi_grid_descriptor));
  void* control = nullptr;
  if (result == api::success) result = api::allocate_mapped(&control, sizeof(launch_control));
  if (result == api::success) result = most_multi_grid_bytes(w.device, w.processes, &bytes);
  if (const int others =
          agree(w, result == api::success ? world_step::open : world_step::failed, static_cast<uint64_t>(result))) {
    return result != api::success ? static_cast<int>(result) : others;
  }
  if (result != api::success) return static_cast<int>(result);
  w.control = static_cast<launch_control*>(control);
  w.control->ended = 0;
  w.control->overdue = 0;
  void* memory = nullptr;
  const int failed = allocate_symmetric<Unused>(w, array_staging_bytes + bytes, &memory);
  w.words = reinterpret_cast<multi_grid_words*>(static_cast<char*>(memory) + array_staging_bytes);
  if (w.processes == 1) w.rank_stride = 1;  // never added to an address; nonzero: there is symmetric memory
  return failed;
}

// Frees the resources of this process. A lost world's memory may still be in use, and stays.
inline void release_world(gpu_world* w) {
  if (w->lost) return;
  if (w->control != nullptr) static_cast<void>(api::free_mapped(w->control));
  if (w->descriptor != nullptr) static_cast<void>(api::free(w->descriptor));
  if (w->ended != nullptr) static_cast<void>(api::destroy_event(w->ended));
  if (w->stream != nullptr) static_cast<void>(api::destroy_stream(w->stream));
  delete w;
}

// Makes the world of the network's processes, or of this process alone (`network` null).
template <class Unused = void>
int open_gpu_world(const gpu_network* network, gpu_world** made) {
  auto* const w = new gpu_world;
  if (network != nullptr) {
    w->network = *network;
    w->process = network->process;
    w->processes = network->processes;
  }
  w->timeout_seconds = read_timeout();
  int failed =
      w->processes > static_cast<uint32_t>(max_devices) ? static_cast<int>(error_invalid_value) : take_device(*w);
  if (failed == 0 && w->processes > 1) failed = meet_processes(*w);
  if (failed == 0 && w->processes > 1) failed = connect_gpus(*w);
  if (failed == 0) failed = prepare_launches<Unused>(*w);
  if (failed == 0) {
    *made = w;
    return error_none;
  }
  if (!w->lost && w->processes > 1) w->board.give_up();
  if (!w->lost && w->network.close != nullptr) w->network.close(w->network.state);
  release_world(w);
  return failed;
}

// Whether the GPUs of all processes still work. After a fault on one of them no call of NCCL succeeds.
inline bool all_gpus_work(gpu_world& w) {
  const bool works = api::synchronize_device() == api::success;
  if (w.processes == 1) return works;
  if (exchange_records(w, world_step::close, works ? 1 : 0) != 0) return false;
  for (uint32_t p = 0; p < w.processes; ++p) {
    if (w.board.record_of(p).value != 1) return false;
  }
  return true;
}

// Frees the world once all processes have called this function. The end of the process frees the rest.
inline int close_gpu_world(gpu_world* w) {
  int failed = w->lost ? static_cast<int>(error_launch_failure) : agree(*w, world_step::close, 0);
  if (failed == 0 && all_gpus_work(*w)) {
    for (size_t i = w->segments.size(); i-- > 0 && !w->lost;) {
      if (w->segments[i].allocation != nullptr) static_cast<void>(free_segment(*w, i));
    }
    if (!w->lost && w->communicator != nullptr) {
      // A process ends only after all other processes have left NCCL, which would report its earlier end as a loss.
      const int closed = run_guarded(*w, "closes the world", [w] { return ncclCommDestroy(w->communicator); });
      if (closed == 0) static_cast<void>(exchange_records(*w, world_step::close, 0));
    }
  }
  if (w->lost) failed = error_launch_failure;
  if (!w->lost && w->network.close != nullptr) w->network.close(w->network.state);
  release_world(w);
  return failed;
}

}  // namespace detail
}  // namespace cohort
