// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The collectives by messages between blocks, which GPUs use (collective/detail/grid_messages.hpp), on the engine: with
// a machine whose messages lie in the memory of this process.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "all_collectives.hpp"

namespace {

using namespace testing_kernels;
namespace detail = cohort::detail;

// The engine reads these settings at the first launch.
[[maybe_unused]] const int many_devices = setenv("COHORT_DEVICES", "18", 1) + setenv("COHORT_SMS", "4", 1);

struct message {
  std::atomic<uint32_t> number{0};
  unsigned char bytes[64];

  template <class T>
  void post(uint32_t exchange, const T& value) {
    std::memcpy(bytes, &value, sizeof(T));
    number.store(exchange, std::memory_order_release);
  }
};

struct sender {
  uint32_t exchanges = 0;
  message to_own_grid[2];
  unsigned char read[18][64];
};
struct receiver {
  std::vector<sender> blocks;
  message from_grids[2][18], previous[2];
};

// The messages of one launch.
struct mailboxes {
  mailboxes(int grids, std::size_t blocks) {
    for (int grid = 0; grid < grids; ++grid) {
      of_grids.push_back(std::make_unique<receiver>());
      of_grids.back()->blocks = std::vector<sender>(blocks);
    }
  }
  std::vector<std::unique_ptr<receiver>> of_grids;
  std::atomic<uint32_t> arrivals{0}, overwritten{0};
};
std::unique_ptr<mailboxes> all_mail;

struct machine_of_messages : cohort::this_machine {
  static constexpr std::size_t multi_grid_message_bytes = 64;

  static receiver& own_grid() { return *all_mail->of_grids[multi_grid_rank()]; }
  static sender& own_block() { return own_grid().blocks[cohort::detail::grid_block_rank()]; }
  template <class T>
  static bool read(message& from, uint32_t number, T& value) {
    while (from.number.load(std::memory_order_acquire) != number) {
      if (from.number.load(std::memory_order_relaxed) > number) ++all_mail->overwritten;
      cohort_wait_yield();
    }
    std::memcpy(static_cast<void*>(&value), from.bytes, sizeof(T));
    return true;
  }

  static uint32_t begin_exchange() { return own_block().exchanges + 1; }
  template <bool Orders, class T>
  static uint32_t post_to_grid(uint32_t number, const T& value, uint32_t from) {
    const uint32_t me = cohort::detail::block_thread_rank();
    if (me == from) own_block().to_own_grid[number % 2].post(number, value);
    if (me != cohort::detail::block_size() - 1) return 0;
    own_block().exchanges = number;
    if (Orders) ++all_mail->arrivals;
    return Orders ? number : 0;
  }
  template <class T>
  static bool read_block(uint32_t number, uint32_t block, T& value) {
    return read(own_grid().blocks[block].to_own_grid[number % 2], number, value);
  }
  template <class T>
  static void post_to_all(uint32_t number, uint32_t grid, const T& value) {
    all_mail->of_grids[grid]->from_grids[number % 2][multi_grid_rank()].post(number, value);
  }
  template <class T>
  static void post_to_next(uint32_t number, const T& value) {
    const uint32_t next = multi_grid_rank() + 1;
    if (next < multi_grid_count()) all_mail->of_grids[next]->previous[number % 2].post(number, value);
  }
  template <class T>
  static bool read_previous(uint32_t number, T& value) {
    return read(own_grid().previous[number % 2], number, value);
  }
  template <bool Orders, class T>
  static const detail::slot<T>* end_exchange(uint32_t number, uint32_t token, bool) {
    auto* const values = reinterpret_cast<detail::slot<T>*>(own_block().read);
    const uint32_t threads = cohort::detail::block_size(), me = cohort::detail::block_thread_rank();
    for (uint32_t grid = me; grid < multi_grid_count(); grid += threads) {
      read(own_grid().from_grids[number % 2][grid], number, values[grid].value);
    }
    if (Orders && me == threads - 1) {
      const uint32_t blocks = static_cast<uint32_t>(multi_grid_count() * cohort::detail::grid_num_blocks());
      while (all_mail->arrivals < token * blocks) cohort_wait_yield();
    }
    sync_block();
    return values;
  }
};

template <class Group, class T, class Op>
void all_by_messages(const T* in, results<T>* out, unsigned int source) {
  using messages = detail::grid_messages<detail::block_set<Group>, machine_of_messages>;
  const uint64_t me = cohort::this_multi_grid().thread_rank();
  const uint32_t threads = cohort::detail::block_size();
  const T mine = in[me];
  Op op{};
  const auto count = [](bool predicate) {
    messages exchange("count");
    const unsigned here = cohort::this_machine::count_team(cohort::whole_block, predicate, "count");
    return exchange.combine(here, cohort::plus<unsigned>());
  };
  results<T>& r = out[me];
  r.reduced = messages("reduce").reduce(mine, op);
  r.inclusive = messages("inclusive_scan").inclusive_scan(mine, op);
  r.exclusive = messages("exclusive_scan").exclusive_scan(mine, T{}, op);
  r.sent = messages("broadcast").broadcast(mine, source / threads, source % threads);
  r.count = count(answer(me));
  r.any = count(answer(me)) != 0;
  r.all = count(!answer(me)) == 0;
  r.any_of_none = count(false) != 0;
  r.all_of_all = count(false) == 0;
  r.invoked = messages("invoke_one_broadcast").broadcast(mine, 0, 0);
  r.reduced_again = messages("reduce").reduce(r.inclusive, op);
}

template <class T, class Op, class Group = cohort::multi_grid_group>
void test_messages(int devices, unsigned int blocks, unsigned int threads) {
  SCOPED_TRACE(testing::Message() << devices << " grids of " << blocks << " blocks of " << threads);
  arrays<T> a(static_cast<std::size_t>(devices) * blocks * threads, static_cast<unsigned>(devices) + blocks);
  all_mail = std::make_unique<mailboxes>(devices, blocks);
  cohort::config c;
  c.grid = cohort::dim3(blocks);
  c.block = cohort::dim3(threads);
  expect_success(
      cohort::launch_multi_device(devices, c, all_by_messages<Group, T, Op>, a.in.data(), a.out.data(), a.source));
  expect_all<Op>(a.in, a.out, 0, a.in.size(), {threads, blocks}, a.source);
  EXPECT_EQ(all_mail->overwritten, 0u);
}

// Up to 4, up to 8 and more grids are combined in different loops.
TEST(GridMessages, NumbersOfGrids) {
  for (int devices = 1; devices <= 18; ++devices) {
    test_messages<unsigned, trace_op>(devices, 3, 5);
    test_messages<float, cohort::plus<float>>(devices, 3, 5);
  }
}

TEST(GridMessages, NumbersOfBlocks) {
  for (unsigned int blocks : {1u, 2u, 3u, 5u, 8u, 13u}) {
    for (unsigned int threads : {1u, 2u, 7u, 32u, 70u}) {
      test_messages<unsigned, trace_op>(4, blocks, threads);
      test_messages<float, cohort::plus<float>>(3, blocks, threads);
    }
  }
}

TEST(GridMessages, TheBarrierBesideThem) {
  for (int devices : {1, 2, 3, 4}) {
    test_messages<unsigned, trace_op, cohort::world_group>(devices, 5, 40);
    test_messages<float, cohort::plus<float>, cohort::world_group>(devices, 2, 1);
  }
}

TEST(GridMessages, Types) {
  test_messages<sized<20>, bytes_op<20>>(4, 3, 33);
  test_messages<sized<32>, bytes_op<32>>(4, 3, 33);
  test_messages<sized<5>, bytes_op<5>>(3, 2, 9);
  test_messages<float, add>(4, 6, 10);
  test_messages<long long, cohort::plus<long long>>(4, 6, 10);
}

}  // namespace
