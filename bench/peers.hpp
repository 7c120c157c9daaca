// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What we are measured against: loops written by hand, Boost.Context and pocl, each where it is installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// Name and version of each installed peer, for the result file.
std::vector<std::pair<std::string, std::string>> peer_versions();

// ---- Boost.Context: a ring of fibers.
class boost_ring {
 public:
  enum class stacks { coloured, own };  // first frames spread over cache sets as ours, or as Boost allocates them
  boost_ring(int fibers, stacks which);
  ~boost_ring();
  boost_ring(const boost_ring&) = delete;
  boost_ring& operator=(const boost_ring&) = delete;

  static bool available();
  static std::string version();
  // Nanoseconds of one switch, over `laps` laps of the ring.
  double measure(int laps);

  struct state;  // known to the fibers

 private:
  state* state_;
};

// ---- Loops over both cores, written by hand, with a helper that is awake.
void hand_written_write(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots);
void hand_written_sum(const float* in, float* out, size_t batches, size_t elements);

// ---- pocl through OpenCL. Any error ends the program with OpenCL's number and the call.
class opencl_peer {
 public:
  opencl_peer();
  ~opencl_peer();
  opencl_peer(const opencl_peer&) = delete;
  opencl_peer& operator=(const opencl_peer&) = delete;

  // Empty where it can be used, else the reason.
  const std::string& unavailable() const { return unavailable_; }
  bool has_sub_groups() const;
  std::string version() const;

  // `groups` work-groups; each exchanges values between its work-items through local memory, two barriers a round.
  void exchange(int groups, int work_items, int rounds);
  // `groups` work-groups of 32; each adds the values of all, one sum a round: by the sub-group, or in local memory.
  void warp_sums(int groups, int rounds);
  // Each work-item writes its global id; group g at g % slots * threads.
  void write_ids(uint32_t blocks, uint32_t threads, uint32_t slots);
  // The batched sum; fills its own input once. Returns the first sum.
  float batched_sum(size_t batches, size_t elements, int work_items);

 private:
  struct state;
  state* state_ = nullptr;
  std::string unavailable_;
};

}  // namespace bench
