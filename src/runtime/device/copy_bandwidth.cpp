// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/device_properties.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t array_bytes = size_t{64} << 20;  // larger than the caches; each thread copies a part
constexpr int passes = 3;
constexpr double fallback_gb_per_second = 10;  // used if the arrays cannot be allocated

// Copies the array with `count` threads, once to touch the pages and then `passes` times. Returns the bandwidth of the
// fastest pass.
double measure(char* to, const char* from, unsigned count) {
  using clock = std::chrono::steady_clock;
  std::atomic<unsigned> arrived{0};
  std::vector<clock::time_point> ends(passes + 1);
  const size_t share = array_bytes / count;
  const auto work = [&](unsigned index) {
    for (int pass = 0; pass <= passes; ++pass) {
      std::memcpy(to + index * share, from + index * share, share);
      arrived.fetch_add(1);
      while (arrived.load() < count * static_cast<unsigned>(pass + 1)) std::this_thread::yield();
      if (index == 0) ends[static_cast<size_t>(pass)] = clock::now();
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < count; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& t : others) t.join();
  double best = 0;
  for (size_t pass = 1; pass <= passes; ++pass) {
    const double seconds = std::chrono::duration<double>(ends[pass] - ends[pass - 1]).count();
    best = std::max(best, 2.0 * static_cast<double>(share * count) / std::max(seconds, 1e-9) * 1e-9);
  }
  return best;
}

double measure_copy() {
  char* const to = static_cast<char*>(process_heap().obtain(array_bytes));
  char* const from = static_cast<char*>(process_heap().obtain(array_bytes));
  double result = fallback_gb_per_second;
  if (to && from) {
    std::memset(from, 1, array_bytes);
    const cohort_device* device = cohort_device_get(0);
    const unsigned threads = device ? static_cast<unsigned>(std::clamp(device->workers, 1, 32)) : 1u;
    result = measure(to, from, threads);
  }
  if (to) process_heap().release(to, array_bytes);
  if (from) process_heap().release(from, array_bytes);
  return result;
}

}  // namespace

double copy_bandwidth() {
  static const double measured = measure_copy();
  return measured;
}

}  // namespace cohort::runtime
