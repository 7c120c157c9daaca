// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cores.hpp"

#include <algorithm>
#include <atomic>
#include <cohort/base/cpu_pause.hpp>
#include <thread>
#include <vector>

#include "../harness/cpus.hpp"

namespace bench {

namespace {

// One helper thread for each CPU but the first. A helper polls for its next part, and blocks after a long time without
// one, so that it does not disturb the measurements of other peers.
class helpers {
 public:
  explicit helpers(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  }
  ~helpers() {
    stop_ = true;
    generation_.fetch_add(1);
    generation_.notify_all();
    for (auto& t : threads_) t.join();
  }

  size_t threads() const { return threads_.size() + 1; }

  // Runs `part` on each CPU.
  void each(const std::function<void()>& part) {
    part_ = &part;
    left_.store(threads_.size(), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    part();
    while (left_.load(std::memory_order_acquire) != 0) cohort::detail::cpu_pause();
  }

 private:
  static constexpr int spin_limit = 20000;

  void run() {
    unsigned seen = 0;
    for (;;) {
      for (int i = 0; i < spin_limit && generation_.load(std::memory_order_acquire) == seen; ++i) {
        cohort::detail::cpu_pause();
      }
      generation_.wait(seen, std::memory_order_acquire);
      seen = generation_.load(std::memory_order_acquire);
      if (stop_) return;
      (*part_)();
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::vector<std::thread> threads_;
  const std::function<void()>* part_ = nullptr;
  std::atomic<unsigned> generation_{0};
  std::atomic<size_t> left_{0};
  std::atomic<bool> stop_{false};
};

helpers& all_cpus() {
  static helpers made(usable_cpus() - 1);
  return made;
}

}  // namespace

void for_each_range(size_t count, size_t chunk, const std::function<void(size_t, size_t)>& part) {
  helpers& cpus = all_cpus();
  if (chunk == even_share) chunk = (count + cpus.threads() - 1) / cpus.threads();
  if (cpus.threads() == 1) return part(0, count);
  std::atomic<size_t> next{0};
  cpus.each([&] {
    for (size_t first = next.fetch_add(chunk); first < count; first = next.fetch_add(chunk)) {
      part(first, std::min(first + chunk, count));
    }
  });
}

}  // namespace bench
