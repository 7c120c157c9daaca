// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources that each device holds for multi-GPU launches: the words of the multi-grid barrier and the scratch
// memory, which all devices access; streams and events.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Must be the first include: in plain C++ these headers declare the keywords that port.hpp uses.
#include "../api/driver_api.hpp"
#include "../api/runtime_api.hpp"

#include "../../../machine/ptx/port.hpp"

namespace cohort {
namespace detail {

// Writes the bytes of the barrier's words and the scratch memory after them, for `grids` grids of the largest size that
// `device` holds.
inline api::error most_multi_grid_bytes(int device, size_t grids, size_t* bytes) {
  int multiprocessors = 0, blocks_each = 0;
  api::error result = api::get_attribute(&multiprocessors, api::attribute::multiprocessors, device);
  if (result == api::success) {
    result = api::get_attribute(&blocks_each, api::attribute::blocks_per_multiprocessor, device);
  }
  *bytes = multi_grid_bytes(static_cast<size_t>(multiprocessors) * static_cast<size_t>(blocks_each), grids);
  return result;
}

// The resources of one device. They live from the first launch to the end of the process or the reset of the device.
class device_resources {
 public:
  // Makes the resources on `device` if there are none: all of them, or none after an error. Waits only for its own
  // allocation. pre: `device` is current
  api::error prepare(int device) {
    const unsigned long long context = api::current_context();
    if (is_made_ && context == context_) return api::success;
    if (is_made_) release_memory(api::thread_stream());  // the reset destroyed `stream`
    *this = device_resources();
    context_ = context;
    api::error result = make_streams();
    if (result == api::success) result = make_memory(device);
    is_made_ = result == api::success;
    if (!is_made_) release();
    return result;
  }
  // True before prepare(), and after a reset of the device since then.
  bool is_stale() const { return !is_made_ || context_ != api::current_context(); }

  multi_grid_words* words = nullptr;            // after the staging buffer for arrays
  bool has_messages_left = false;               // a launch was ended, perhaps amid an exchange of arrays
  multi_grid_descriptor* descriptor = nullptr;  // source of the copy to the kernel's variable
  volatile uint32_t* ended_launch = nullptr;    // host memory, ended_words words: multi_grid_descriptor::ended

  api::stream stream = nullptr;         // joins the streams of a launch whose first device this is
  api::stream launch_stream = nullptr;  // runs the grids of cohort::launch_multi_device
  api::event before = nullptr;          // work before the grid in its stream has ended
  api::event go = nullptr;              // the grids of the launch may start
  api::event ended = nullptr;           // the device's grid has ended
  api::event done = nullptr;            // all grids of the launch have ended

 private:
  api::error make_streams() {
    api::error result = api::create_non_blocking_stream(&stream);
    if (result == api::success) result = api::create_non_blocking_stream(&launch_stream);
    api::event* const events[] = {&before, &go, &ended, &done};
    for (api::event* event : events) {
      if (result == api::success) result = api::create_event(event);
    }
    return result;
  }

  // Allocates from a pool of its own: a pool grants access to listed peers and leaves cudaDeviceEnablePeerAccess to the
  // program.
  api::error make_memory(int device) {
    int devices = 0;
    size_t scratch_end = 0;
    api::error result = api::count_devices(&devices);
    if (result == api::success) result = most_multi_grid_bytes(device, static_cast<size_t>(devices), &scratch_end);
    if (result != api::success) return result;

    result = api::create_pool(&pool_, device);
    for (int peer = 0; peer < devices && result == api::success; ++peer) {
      int reaches = 0;
      if (peer == device || api::can_access_peer(&reaches, peer, device) != api::success || reaches == 0) continue;
      result = api::share_pool(pool_, peer);
    }
    void* memory = nullptr;
    if (result == api::success) {
      result = api::allocate_from_pool(&memory, array_staging_bytes + scratch_end + sizeof(multi_grid_descriptor),
                                       pool_, stream);
    }
    if (result != api::success) return result;
    memory_ = memory;
    char* const behind_staging = static_cast<char*>(memory) + array_staging_bytes;
    words = reinterpret_cast<multi_grid_words*>(behind_staging);
    descriptor = reinterpret_cast<multi_grid_descriptor*>(behind_staging + scratch_end);
    result = api::fill(memory, 0, array_staging_bytes, stream);
    if (result == api::success) result = api::synchronize_stream(stream);
    if (result != api::success) return result;

    void* of_host = nullptr;  // allocated last, so release() never has to free it
    result = api::allocate_mapped(&of_host, ended_words * sizeof(uint32_t));
    if (result != api::success) return result;
    ended_launch = static_cast<volatile uint32_t*>(of_host);
    for (uint32_t i = 0; i < ended_words; ++i) ended_launch[i] = 0;
    return api::success;
  }

  // Frees what prepare() had made before a call failed.
  void release() {
    release_memory(stream);
    const api::event events[] = {before, go, ended, done};
    for (api::event event : events) {
      if (event != nullptr) static_cast<void>(api::destroy_event(event));
    }
    if (stream != nullptr) static_cast<void>(api::destroy_stream(stream));
    if (launch_stream != nullptr) static_cast<void>(api::destroy_stream(launch_stream));
    *this = device_resources();
  }
  // Frees the memory and its pool, which outlive cudaDeviceReset(). The reset destroys all other resources.
  void release_memory(api::stream in) {
    if (memory_ != nullptr) static_cast<void>(api::free_in_order(memory_, in));
    if (pool_ != nullptr) static_cast<void>(api::destroy_pool(pool_));
  }

  api::memory_pool pool_ = nullptr;
  void* memory_ = nullptr;
  bool is_made_ = false;
  unsigned long long context_ = 0;
};

}  // namespace detail
}  // namespace cohort
