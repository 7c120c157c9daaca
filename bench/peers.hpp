// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The peers of the measurements: hand-written loops, Boost.Context and pocl. The last two may be missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// Returns the name and version of each installed peer, for the result file.
std::vector<std::pair<std::string, std::string>> peer_versions();

// ---- Boost.Context: a ring of fibers.
class boost_ring {
 public:
  enum class stacks {
    coloured,
    own
  };  // first frames in different cache sets as in the engine, or as Boost allocates them
  boost_ring(int fibers, stacks which);
  ~boost_ring();
  boost_ring(const boost_ring&) = delete;
  boost_ring& operator=(const boost_ring&) = delete;

  static bool available();
  static std::string version();
  // Returns the nanoseconds of one switch, averaged over `laps` laps of the ring.
  double measure(int laps);

  struct state;  // shared with the fibers

 private:
  state* state_;
};

// ---- Hand-written loops over all cores, with helper threads that spin between parts.
void hand_written_write(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots);
void hand_written_sum(const float* in, float* out, size_t batches, size_t elements);

// ---- pocl through OpenCL. Any error ends the program with OpenCL's number and the call.
class opencl_peer {
 public:
  opencl_peer();
  ~opencl_peer();
  opencl_peer(const opencl_peer&) = delete;
  opencl_peer& operator=(const opencl_peer&) = delete;

  // Returns the reason why OpenCL cannot be used, or an empty string.
  const std::string& unavailable() const { return unavailable_; }
  bool has_sub_groups() const;
  std::string version() const;

  // Runs `groups` work-groups. Each exchanges values through local memory with two barriers a round.
  void exchange(int groups, int work_items, int rounds);
  // Runs `groups` work-groups of 32. Each computes one sum a round, with sub-group operations or in local memory.
  void warp_sums(int groups, int rounds);
  // Each work-item writes its global id. The output of group g begins at g % slots * threads.
  void write_ids(uint32_t blocks, uint32_t threads, uint32_t slots);
  // Runs the batched sum on an input that the first call fills. Returns the first sum.
  float batched_sum(size_t batches, size_t elements, int work_items);

 private:
  struct state;
  state* state_ = nullptr;
  std::string unavailable_;
};

}  // namespace bench
