// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hand-written loops for this machine: vectorised, one part for each core, with threads that spin between parts.
// Compiled with -march=native.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "facts.hpp"
#include "peers.hpp"

namespace bench {

namespace {

inline void cpu_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// One helper thread for each core but the first. A helper spins for its next part, and blocks after a long time without
// one, so that it does not disturb the measurements of other peers.
class helpers {
 public:
  explicit helpers(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this, i] { run(i + 1); });
  }
  ~helpers() {
    stop_ = true;
    generation_.fetch_add(1);
    generation_.notify_all();
    for (auto& t : threads_) t.join();
  }

  int parts() const { return static_cast<int>(threads_.size()) + 1; }

  // Runs part(0) .. part(parts() - 1), each on its own core.
  void each(const std::function<void(int)>& part) {
    part_ = &part;
    left_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    part(0);
    while (left_.load(std::memory_order_acquire) != 0) cpu_pause();
  }

 private:
  static constexpr int spins_before_sleep = 20000;

  void run(int number) {
    unsigned seen = 0;
    for (;;) {
      for (int i = 0; i < spins_before_sleep && generation_.load(std::memory_order_acquire) == seen; ++i) cpu_pause();
      generation_.wait(seen, std::memory_order_acquire);
      seen = generation_.load(std::memory_order_acquire);
      if (stop_) return;
      (*part_)(number);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::vector<std::thread> threads_;
  const std::function<void(int)>* part_ = nullptr;
  std::atomic<unsigned> generation_{0};
  std::atomic<int> left_{0};
  std::atomic<bool> stop_{false};
};

helpers& all_cores() {
  static helpers made(usable_cores() - 1);
  return made;
}

// Partial sums in vectors of 16 floats; four vectors hide the latency of an addition.
float sum_of(const float* in, size_t elements) {
  typedef float lanes __attribute__((vector_size(64), aligned(4)));
  lanes sums[4] = {};
  size_t i = 0;
  for (; i + 64 <= elements; i += 64) {
    for (size_t k = 0; k < 4; ++k) sums[k] += *reinterpret_cast<const lanes*>(in + i + k * 16);
  }
  const lanes all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float sum = 0;
  for (size_t k = 0; k < 16; ++k) sum += all[k];
  for (; i < elements; ++i) sum += in[i];
  return sum;
}

}  // namespace

// The lambda captures by value: a captured reference could alias `to`, which prevents vectorisation.
void hand_written_write(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots) {
  helpers& cores = all_cores();
  const auto parts = static_cast<uint32_t>(cores.parts());
  cores.each([=](int part) {
    const auto first = static_cast<uint32_t>(uint64_t{blocks} * static_cast<uint32_t>(part) / parts);
    const auto last = static_cast<uint32_t>(uint64_t{blocks} * (static_cast<uint32_t>(part) + 1) / parts);
    const uint32_t count = threads;
    for (uint32_t b = first; b < last; ++b) {
      int32_t* const to = out + size_t{b % slots} * count;
      for (uint32_t t = 0; t < count; ++t) to[t] = static_cast<int32_t>(b * count + t);
    }
  });
}

void hand_written_sum(const float* in, float* out, size_t batches, size_t elements) {
  helpers& cores = all_cores();
  const auto parts = static_cast<size_t>(cores.parts());
  cores.each([&](int part) {
    const size_t first = batches * static_cast<size_t>(part) / parts;
    const size_t last = batches * static_cast<size_t>(part + 1) / parts;
    for (size_t b = first; b < last; ++b) out[b] = sum_of(in + b * elements, elements);
  });
}

std::vector<std::pair<std::string, std::string>> peer_versions() {
  std::vector<std::pair<std::string, std::string>> all;
  all.emplace_back("Boost.Context", boost_ring::version());
  opencl_peer opencl;
  all.emplace_back("OpenCL", opencl.unavailable().empty() ? opencl.version() : opencl.unavailable());
  return all;
}

}  // namespace bench
