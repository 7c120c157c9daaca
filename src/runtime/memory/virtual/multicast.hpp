// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A multicast object (cuMulticastCreate): a range of bytes, to parts of which each device of a team binds memory of its
// own. Where the object is mapped, PTX's multimem instructions reach the memory of all devices; other accesses fault.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

class physical_memory;

// Memory of a device: bytes of physical memory, from `offset` on, or addresses whose memory the program keeps.
struct multicast_memory {
  std::shared_ptr<physical_memory> physical;  // null: `address` is the memory
  size_t offset = 0;
  char* address = nullptr;
};

class multicast_object {
 public:
  multicast_object(unsigned int devices, size_t bytes) : most_(devices), bytes_(bytes) {}
  ~multicast_object();
  multicast_object(const multicast_object&) = delete;
  multicast_object& operator=(const multicast_object&) = delete;

  // Adds a device to the team. cudaErrorInvalidValue if it is a member, or the team is complete.
  cudaError_t add(int device);
  // Waits until the team is complete. False after `limit`.
  bool wait_for_team(std::chrono::milliseconds limit);

  // Binds `bytes` of memory to those at `offset` of the object. cudaErrorInvalidValue: outside of the object or of the
  // memory, bound already, or `device` is no member.
  cudaError_t bind(int device, size_t offset, size_t bytes, const multicast_memory& memory);
  // Ends the bindings of a device within a range. cudaErrorInvalidValue if one lies there in part, or none does.
  cudaError_t unbind(int device, size_t offset, size_t bytes);

  // The memory of the team's member `number` behind `bytes` at `offset` of the object; null if none is bound. False:
  // there are no more members. Physical memory has the program's address of it where the program has mapped it, so that
  // tools see one address for one byte.
  bool find(unsigned int number, size_t offset, size_t bytes, char** place);

 private:
  struct binding {
    int device;
    size_t offset, bytes;
    multicast_memory memory;
    char* mapped = nullptr;  // addresses that the object made, when the program had none

    bool touches(int of, size_t first, size_t count) const {
      return device == of && first < offset + bytes && offset < first + count;
    }
  };
  static void release(const binding& ended);
  static char* map(binding& bound);
  bool is_member(int device) const;

  const unsigned int most_;
  const size_t bytes_;
  mutable std::mutex mutex_;
  std::condition_variable is_complete_;
  std::vector<int> devices_;
  std::vector<binding> bindings_;
};

}  // namespace cohort::runtime
