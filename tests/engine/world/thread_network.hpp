// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network between OS threads of one process, each of which plays a process of a world.
#pragma once

#include <cohort/machine/cpu/world_port.hpp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

// State that the threads share. For each operation it holds the bytes that each process leaves for each other process.
class thread_hub {
 public:
  explicit thread_hub(uint32_t processes) : processes_(processes) {}
  uint32_t processes() const { return processes_; }

  // Process `from` leaves bytes for all processes in its operation number `operation`.
  void leave(size_t operation, uint32_t from, std::vector<std::vector<char>> bytes) {
    const std::lock_guard lock(mutex_);
    board& b = board_of(operation);
    b.bytes[from] = std::move(bytes);
    ++b.arrived;
  }
  bool is_complete(size_t operation) {
    const std::lock_guard lock(mutex_);
    return board_of(operation).arrived == processes_;
  }
  std::vector<char> take(size_t operation, uint32_t from, uint32_t to) {
    const std::lock_guard lock(mutex_);
    return board_of(operation).bytes[from][to];
  }

 private:
  struct board {
    std::vector<std::vector<std::vector<char>>> bytes;  // bytes by sender and receiver
    uint32_t arrived = 0;
  };
  board& board_of(size_t operation) {
    while (boards_.size() <= operation) {
      boards_.push_back(std::make_unique<board>());
      boards_.back()->bytes.resize(processes_);
    }
    return *boards_[operation];
  }

  uint32_t processes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<board>> boards_;
};

// One process's end of the network.
class thread_network {
 public:
  thread_network(thread_hub& hub, uint32_t process) : hub_(hub), process_(process) {}
  cohort_network table() {
    return {this, process_, hub_.processes(), gather, gather_varying, swap, test, nullptr, nullptr, abort, nullptr};
  }
  // Number of the first operation that fails; later ones fail too.
  size_t broken_from = ~size_t{0};
  int aborts = 0;

 private:
  static thread_network& of(void* state) { return *static_cast<thread_network*>(state); }
  static std::vector<char> bytes_at(const void* from, size_t count) {
    const char* begin = static_cast<const char*>(from);
    return {begin, begin + count};
  }
  int begin(void* all, std::vector<std::vector<char>> bytes) {
    all_ = static_cast<char*>(all);
    hub_.leave(next_, process_, std::move(bytes));
    return 0;
  }
  static int gather(void* state, const void* mine, void* all, size_t bytes) {
    return of(state).begin(all, {of(state).hub_.processes(), bytes_at(mine, bytes)});
  }
  static int gather_varying(void* state, const void* mine, void* all, const size_t* bytes) {
    return of(state).begin(all, {of(state).hub_.processes(), bytes_at(mine, bytes[of(state).process_])});
  }
  static int swap(void* state, const void* mine, const size_t* to, void* all, const size_t*) {
    std::vector<std::vector<char>> bytes;
    const char* next = static_cast<const char*>(mine);
    for (uint32_t p = 0; p < of(state).hub_.processes(); ++p) {
      bytes.push_back(bytes_at(next, to[p]));
      next += to[p];
    }
    return of(state).begin(all, std::move(bytes));
  }
  static int test(void* state, char* why, size_t size) {
    thread_network& n = of(state);
    if (n.next_ >= n.broken_from) {
      std::snprintf(why, size, "the cable is cut");
      return -1;
    }
    if (!n.hub_.is_complete(n.next_)) return 0;
    char* to = n.all_;
    for (uint32_t p = 0; p < n.hub_.processes(); ++p) {
      const std::vector<char> bytes = n.hub_.take(n.next_, p, n.process_);
      if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
      to += bytes.size();
    }
    ++n.next_;
    return 1;
  }
  static void abort(void* state) { ++of(state).aborts; }

  thread_hub& hub_;
  uint32_t process_;
  size_t next_ = 0;  // number of the operation in flight
  char* all_ = nullptr;
};
