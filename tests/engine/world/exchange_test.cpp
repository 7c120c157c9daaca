// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges between processes: records, published data and messages of odd sizes.
#include "engine/world/exchange.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "thread_network.hpp"

namespace {

using namespace cohort::engine;

// The bytes that `from` sends to `to` in round `round`; `to` is 99 for published bytes.
std::string model(uint32_t from, uint32_t to, size_t round, size_t length) {
  std::string text;
  for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + (from * 7 + to * 3 + round * 5 + i) % 26);
  return text;
}
constexpr size_t published_lengths[] = {0, 1, 8, 39, 40, 41, 64, 100, 999, 5000, 70000, 3, 0};
size_t published_length(uint32_t process, size_t round) {
  constexpr size_t rounds = sizeof published_lengths / sizeof published_lengths[0];
  return published_lengths[(round + process) % rounds];
}
size_t message_length(uint32_t from, uint32_t to, size_t round) {
  return round % 3 == 0 ? 0 : (from * 131 + to * 17 + round * 63) % 257;
}

std::vector<char> chars(const std::string& text) { return {text.begin(), text.end()}; }

void run_process(thread_hub& hub, uint32_t process, std::atomic<int>& wrong) {
  thread_network network(hub, process);
  const cohort_network table = network.table();
  exchange e(table);
  outgoing data;
  data.messages.resize(hub.processes());
  for (size_t round = 0; round < 30; ++round) {
    data.published = chars(model(process, 99, round, published_length(process, round)));
    for (uint32_t to = 0; to < hub.processes(); ++to) {
      data.messages[to] = chars(model(process, to, round, message_length(process, to, round)));
    }
    world_record mine;
    mine.value = process * 1000 + round;
    std::string why;
    auto state = e.begin(mine, data);
    while (state == exchange::outcome::in_flight) {
      state = e.test(why);
      sched_yield();
    }
    wrong += state != exchange::outcome::complete;
    wrong += !data.published.empty() || data.has_messages();
    for (uint32_t from = 0; from < hub.processes(); ++from) {
      wrong += e.record_of(from).value != from * 1000 + round;
      wrong += e.published_by(from) != model(from, 99, round, published_length(from, round));
      bool any = false;
      for (uint32_t a = 0; a < hub.processes(); ++a) {
        for (uint32_t b = 0; b < hub.processes(); ++b) any |= message_length(a, b, round) != 0;
      }
      const size_t expected = any ? message_length(from, process, round) : 0;
      wrong += e.messages_from(from) != model(from, process, round, expected);
    }
  }
}

TEST(WorldExchange, DeliversOddSizesToAllAndToOne) {
  for (const uint32_t processes : {1u, 2u, 3u, 5u}) {
    thread_hub hub(processes);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (uint32_t p = 0; p < processes; ++p) threads.emplace_back([&, p] { run_process(hub, p, wrong); });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0) << processes;
  }
}

TEST(WorldExchange, ABrokenNetworkIsALoss) {
  thread_hub hub(2);
  thread_network network(hub, 0);
  network.broken_from = 0;
  const cohort_network table = network.table();
  exchange e(table);
  outgoing data;
  data.messages.resize(2);
  std::string why;
  ASSERT_EQ(e.begin({}, data), exchange::outcome::in_flight);
  EXPECT_EQ(e.test(why), exchange::outcome::lost);
  EXPECT_EQ(why, "the cable is cut");
}

}  // namespace
