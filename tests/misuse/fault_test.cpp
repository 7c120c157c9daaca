// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault inside a kernel ends in a report that names the thread; the process survives.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "report.hpp"

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COHORT_SANITIZED 1
#elif defined(__has_feature)
#define COHORT_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define COHORT_SANITIZED 0
#endif
// UndefinedBehaviorSanitizer ends the process at the division and at the invalid pointer, before the CPU faults.
#if defined(__clang__)
#define COHORT_UBSAN __has_feature(undefined_behavior_sanitizer)
#else
#define COHORT_UBSAN 0
#endif

namespace {

__attribute__((noinline)) int recurse(volatile int* sink, int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  *sink = frame[0];
  return *sink == 1000 ? 0 : recurse(sink, depth + 1) + frame[0];  // always false: a char is never 1000
}

void runaway(volatile int* sink) {
  if (cohort_current_thread->thread_rank == 2 && cohort_block_index(0) == 1) recurse(sink, 0);
  cohort_wait_block();
}

TEST(Fault, StackOverflowNamesTheThread) {
  volatile int sink = 0;
  EXPECT_EQ(cohort::launch(3, 33, runaway, &sink).number(), 714);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("stack overflow"), HasSubstr("256 KiB"), HasSubstr("cudaLimitStackSize"),
                                   HasSubstr("thread (2,0,0) of block (1,0,0)"), HasSubstr("runaway")));
  expect_device_works();
}

void runaway_among_many(volatile int* sink, unsigned last_block) {
  cohort_wait_grid();  // from here on each thread has a stack
  if (cohort_current_thread->thread_rank == 511 && cohort_block_index(0) == last_block) recurse(sink, 0);
  cohort_wait_grid();
}

TEST(Fault, StackOverflowAmongManyStacksNamesTheThread) {
#if COHORT_SANITIZED
  GTEST_SKIP() << "the sanitizer lays out large frames itself";
#endif
  volatile int sink = 0;
  const unsigned last = 4 * static_cast<unsigned>(cohort_device_get(0)->sm_count) - 1;
  EXPECT_EQ(cohort::launch_cooperative(last + 1, 512, runaway_among_many, &sink, last).number(), 714);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("stack overflow"), HasSubstr("recurse"), HasSubstr("fault_test.cpp:"),
                                   HasSubstr("thread (511,0,0) of block (" + std::to_string(last) + ",0,0)")));
  expect_device_works();
}

TEST(Fault, LargerStackHoldsTheSameRecursion) {
#if COHORT_SANITIZED
  GTEST_SKIP() << "the sanitizer lays out large frames itself and does not probe them";
#endif
  const auto kernel = [] {
    volatile char large[600 * 1024];
    large[0] = 1;
    large[sizeof large - 1] = large[0];
  };
  EXPECT_EQ(cohort::launch(1, 2, kernel).number(), 714);
  cohort_set_stack_bytes(0, 1024 * 1024);
  EXPECT_EQ(cohort::launch(1, 2, kernel).number(), 0);
  cohort_set_stack_bytes(0, 256 * 1024);
}

TEST(Fault, IllegalAddressNamesTheThread) {
  const auto kernel = [](volatile int* p) {
    if (cohort_current_thread->thread_rank == 5) *p = 1;
    cohort_wait_block();
  };
  EXPECT_EQ(cohort::launch(2, 8, kernel, reinterpret_cast<volatile int*>(24)).number(), 700);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("illegal address 0x18"), HasSubstr("thread (5,0,0) of block"),
                                   HasSubstr("fault_test.cpp:")));
  expect_device_works();
}

TEST(Fault, AddressThatNoPointerCanHave) {
#if defined(__x86_64__)
  const auto kernel = [](volatile int* p) { *p = 1; };
  EXPECT_EQ(cohort::launch(1, 1, kernel, reinterpret_cast<volatile int*>(uintptr_t{0x5555} << 48)).number(), 700);
  EXPECT_THAT(last_report(), HasSubstr("was accessed, which no pointer can have"));
#if !COHORT_SANITIZED  // AddressSanitizer's own access, to the address's shadow, faults first
  EXPECT_THAT(last_report(), HasSubstr("illegal address 0x5555000000000000 was accessed"));
#endif
#else
  GTEST_SKIP() << "this CPU tells such addresses like any other";
#endif
}

TEST(Fault, DivisionByZero) {
#if COHORT_UBSAN
  GTEST_SKIP() << "UndefinedBehaviorSanitizer is first";
#elif defined(__x86_64__)
  const auto kernel = [](volatile int* zero) { *zero = 100 / *zero; };
  volatile int zero = 0;
  EXPECT_EQ(cohort::launch(1, 1, kernel, &zero).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("division by zero"), HasSubstr("thread (0,0,0)")));
  expect_device_works();
#else
  GTEST_SKIP() << "integer division by zero does not trap on this CPU";
#endif
}

TEST(Fault, ExceptionThatLeavesAKernel) {
  const auto known = [] {
    cohort_wait_block();
    if (cohort_current_thread->thread_rank == 3) throw std::runtime_error("no more rice");
    cohort_wait_block();
  };
  EXPECT_EQ(cohort::launch(1, 8, known).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("an exception of type std::runtime_error left the kernel: no more rice"),
                                   HasSubstr("thread (3,0,0) of block (0,0,0)")));
  const auto unknown = [] { throw 7; };
  EXPECT_EQ(cohort::launch(1, 1, unknown).number(), 719);
  EXPECT_THAT(last_report(), HasSubstr("an exception of type int left the kernel"));
  expect_device_works();
}

TEST(Fault, ExceptionsInsideAKernelAreItsOwnAffair) {
  int caught = 0;
  const auto kernel = [&] {
    try {
      throw std::runtime_error("inside");
    } catch (const std::exception&) {
      ++caught;
    }
    cohort_wait_block();
  };
  EXPECT_EQ(cohort::launch(1, 40, kernel).number(), 0);
  EXPECT_EQ(caught, 40);
}

TEST(Fault, FailStatesCodeAndSentence) {
  const auto kernel = [] {
    if (cohort_current_thread->thread_rank == 9) cohort_fail(719, "value %d is not %s", 4, "five");
  };
  EXPECT_EQ(cohort::launch(1, 16, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("value 4 is not five"), HasSubstr("thread (9,0,0)")));
}

TEST(Fault, AssertPrintsCudasLine) {
  const auto kernel = [] {
    if (cohort_current_thread->thread_rank == 1) cohort_fail_assert("x == y", "file.cu", 12, "void k(int)");
  };
  EXPECT_EQ(cohort::launch(1, 2, kernel).number(), 710);
  EXPECT_EQ(last_report(), "file.cu:12: void k(int): block: [0,0,0], thread: [1,0,0] Assertion `x == y` failed.\n");
}

// A fault in host code goes to the host's own handler.
TEST(Fault, HostFaultsKeepTheirHandler) {
#if COHORT_SANITIZED || COHORT_UBSAN
  GTEST_SKIP() << "the sanitizer's handler ends the process in its own way";
#endif
  const auto kernel = [] {};
  ASSERT_EQ(cohort::launch(1, 1, kernel).number(), 0);  // the first launch has installed the engine's handlers
  EXPECT_EXIT(
      {
        volatile int* p = reinterpret_cast<volatile int*>(16);
        *p = 1;
      },
      ::testing::KilledBySignal(SIGSEGV), "");
}

TEST(Fault, TooMuchTaggedSharedMemory) {
  static const char tag = 0;
  const auto kernel = [] { cohort_tagged_shared(&tag, 300 * 1024, 16); };
  EXPECT_EQ(cohort::launch(1, 1, kernel).number(), 701);
  EXPECT_THAT(last_report(), HasSubstr("do not fit into the block's shared memory"));
}

// A kernel in the form of a thread loop, which the plugin makes of kernels that cannot wait: one call runs a block.
void body(volatile int* data, uint32_t thread) { data[thread == 21 ? -(1ll << 40) : 0] = 1; }

void one_thread(void** arguments) { body(*static_cast<volatile int**>(arguments[0]), cohort_thread_index(0)); }

void whole_block(void** arguments) {
  for (uint32_t thread = 0; thread < cohort_block_dim(0); ++thread)
    body(*static_cast<volatile int**>(arguments[0]), thread);
}

TEST(Fault, KernelsThatRunAsALoopNameTheThreadToo) {
  const cohort_kernel kernel = {"looping", one_thread, whole_block, 0, 1024, 0, 0, nullptr};
  volatile int data[1] = {};
  volatile int* pointer = data;
  void* arguments[] = {&pointer};
  const cohort_launch launch = {&kernel, arguments, {1, 1, 1}, {64, 1, 1}, 0, 0, 0};
  EXPECT_EQ(cohort_run(&launch), 700);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("kernel looping"), HasSubstr("illegal address"),
                                   HasSubstr("thread (21,0,0) of block (0,0,0)"), HasSubstr("fault_test.cpp:")));
  expect_device_works();
}

// The search for the thread runs the block again in a forked copy of the process: no effect happens twice.
void counting_body(volatile int* data, uint32_t thread) {
  data[0] = data[0] + 1;
  cohort_print("thread %u of a faulting loop\n", thread);
  if (thread == 21) data[-(1ll << 40)] = 1;
}

void one_counting_thread(void** arguments) {
  counting_body(*static_cast<volatile int**>(arguments[0]), cohort_thread_index(0));
}

void whole_counting_block(void** arguments) {
  for (uint32_t thread = 0; thread < cohort_block_dim(0); ++thread)
    counting_body(*static_cast<volatile int**>(arguments[0]), thread);
}

TEST(Fault, EffectsOfALoopBeforeAFaultHappenOnce) {
  const cohort_kernel kernel = {"counting", one_counting_thread, whole_counting_block, 0, 1024, 0, 0, nullptr};
  volatile int data[1] = {};
  volatile int* pointer = data;
  void* arguments[] = {&pointer};
  const cohort_launch launch = {&kernel, arguments, {1, 1, 1}, {64, 1, 1}, 0, 0, 0};
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(cohort_run(&launch), 700);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 22);
  EXPECT_EQ(data[0], 22);
  EXPECT_THAT(last_report(), HasSubstr("thread (21,0,0) of block (0,0,0)"));
  expect_device_works();
}

// A fault in the C library is reported where the kernel called it, and so is one below the engine's printf.
__attribute__((noinline)) size_t length_of(const char* text) { return strlen(text) + 1; }

TEST(Fault, TheCLibraryIsReportedAtTheKernelsCall) {
  const char* volatile bad = reinterpret_cast<const char*>(8);
  volatile size_t length = 0;
  const auto kernel = [&] {
    if (cohort_thread_index(0) == 3) length = length_of(bad);
  };
  const int line = __LINE__ - 8;
  EXPECT_EQ(cohort::launch(1, 5, kernel).number(), 700);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("illegal address"), HasSubstr("thread (3,0,0)"),
                                   HasSubstr(place("fault_test.cpp", line)), HasSubstr("length_of")));
  expect_device_works();
}

TEST(Fault, PrintfIsReportedAtTheKernelsCall) {
#if COHORT_SANITIZED
  GTEST_SKIP() << "the sanitizer's printf is a part of the program, so the place is inside of it";
#endif
  const char* volatile bad = reinterpret_cast<const char*>(8);
  const auto kernel = [&] {
    if (cohort_thread_index(0) != 3) return;
    [[maybe_unused]] volatile int printed = cohort_print("text %s\n", bad);  // not a tail call: it has no source place
  };
  const int line = __LINE__ - 2;
  EXPECT_EQ(cohort::launch(1, 5, kernel).number(), 700);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("thread (3,0,0)"), HasSubstr(place("fault_test.cpp", line))));
}

TEST(Fault, AbortIsReportedAtTheKernelsCall) {
#if COHORT_SANITIZED
  GTEST_SKIP() << "the sanitizer ends the process at abort()";
#endif
  const auto kernel = [&] {
    if (cohort_thread_index(0) == 3) std::abort();
  };
  const int line = __LINE__ - 2;
  EXPECT_EQ(cohort::launch(1, 5, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("abort() was called"), HasSubstr(place("fault_test.cpp", line))));
  expect_device_works();
}

// The walk up the stack may reach a stack that the kernel has damaged.
__attribute__((noinline)) void damage_own_frame(char* from) {
  volatile char* const frame = static_cast<volatile char*>(__builtin_frame_address(0));
  for (int i = 0; i < 64; ++i) frame[i] = 0x11;  // only 64 bytes: the stack may end soon after them
  *static_cast<volatile char*>(from) = 1;
}

TEST(Fault, ADamagedStackHasAReportToo) {
#if COHORT_SANITIZED || COHORT_UBSAN
  GTEST_SKIP() << "the sanitizer reports the damage";
#endif
  const auto kernel = [] { damage_own_frame(reinterpret_cast<char*>(8)); };
  EXPECT_EQ(cohort::launch(1, 1, kernel).number(), 700);
  // The damage may reach the words that show an overrun. The report then names the overrun as the cause.
  EXPECT_THAT(last_report(),
              AnyOf(HasSubstr("illegal address 0x8 was accessed"), HasSubstr("a local array was overrun")));
  expect_device_works();
}

}  // namespace
