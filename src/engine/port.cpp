// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that never suspend.
#include <time.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "execute/worker.hpp"
#include "report/report.hpp"
#include "state/cluster.hpp"
#include "state/late_copies.hpp"

using namespace cohort::engine;

namespace {

// Arguments that a printf format consumes.
int count_arguments(const char* format) {
  int count = 0;
  for (const char* c = format; *c; ++c) {
    if (*c != '%') continue;
    if (*++c == '%') continue;
    for (; *c && !std::strchr("diouxXeEfFgGaAcspn", *c); ++c) {
      if (*c == '*') ++count;
    }
    if (!*c) break;
    ++count;
  }
  return count;
}

[[noreturn]] void fail_with(const void* place, int error, const char* message, va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, message, arguments);
  worker* w = current_worker();
  if (!w || !current_thread()) {
    std::fprintf(stderr, "cohort: called outside of a kernel: %s\n", text);
    std::abort();
  }
  w->failed = {};
  w->failed.error = error;
  w->failed.sentence = text;
  w->failed.place = place;
  give_up(*w);
}

}  // namespace

void cohort::engine::fail_at(const void* place, int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(place, error, message, arguments);
  // cppcheck-suppress va_end_missing; fail_with does not return
}

extern "C" {

int cohort_grid_is_cooperative(void) { return current_thread()->warp->block->grid->launch->cooperative != 0; }

void cohort_fail(int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(__builtin_return_address(0), error, message, arguments);
  // cppcheck-suppress va_end_missing; fail_with does not return
}

void cohort_fail_assert(const char* expression, const char* file, int line, const char* function) {
  worker* w = current_worker();
  w->failed = {cohort::error_assert, describe_assert(*current_thread(), expression, file, line, function), nullptr,
               true};
  give_up(*w);
}

int cohort_print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written < 0 ? -1 : count_arguments(format);
}

uint64_t cohort_clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return cohort_nanoseconds();
#endif
}

uint64_t cohort_nanoseconds(void) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

void* cohort_tagged_shared(const void* tag, size_t size, size_t alignment) {
  block& b = *current_thread()->warp->block;
  if (void* place = tagged_shared(b, tag, size, alignment)) return place;
  cohort_fail(
      cohort::error_launch_out_of_resources,
      "cohort::shared: %zu bytes more do not fit into the block's shared memory, of which %zu of %zu bytes are used",
      size, shared_in_use(b), b.grid->device->shared_per_block_optin);
}

void* cohort_cluster_map(const void* address, uint32_t rank) {
  block& b = *current_thread()->warp->block;
  block* owner = owner_of_shared(b, address);
  if (!owner) {
    fail_at(__builtin_return_address(0), cohort::error_launch_failure,
            "cluster_group.map_shared_rank: the address %p does not lie in the shared memory of a block of the cluster",
            address);
  }
  block* target = block_of_cluster(b, rank);
  if (!target) {
    fail_at(__builtin_return_address(0), cohort::error_launch_failure,
            "cluster_group.map_shared_rank: the cluster has no block with rank %u; it has %u blocks", rank,
            b.cluster_dim[0] * b.cluster_dim[1] * b.cluster_dim[2]);
  }
  // cppcheck-suppress nullPointerRedundantCheck; fail_at does not return
  if (void* place = same_shared_place(*owner, *target, address)) return place;
  fail_at(__builtin_return_address(0), cohort::error_launch_out_of_resources,
          "cluster_group.map_shared_rank: the shared memory of block %u of the cluster is used up", rank);
}

uint32_t cohort_cluster_owner(const void* address) {
  block* owner = owner_of_shared(*current_thread()->warp->block, address);
  if (!owner) {
    fail_at(
        __builtin_return_address(0), cohort::error_launch_failure,
        "cluster_group.query_shared_rank: the address %p does not lie in the shared memory of a block of the cluster",
        address);
  }
  return rank_in_cluster(*owner);
}

void* cohort_cluster_scratch(uint32_t rank) {
  constexpr size_t alignment = 64;
  block& b = *current_thread()->warp->block;
  block* target = block_of_cluster(b, rank);
  if (!target) {
    fail_at(__builtin_return_address(0), cohort::error_launch_failure, "the cluster has no block with rank %u", rank);
  }
  if (!target->cluster_scratch) target->cluster_scratch.reset(new char[cohort_cluster_scratch_bytes + alignment]);
  char* memory = align_up(target->cluster_scratch.get(), alignment);
  if (!target->scratch_used) std::memset(memory, 0, cohort_cluster_scratch_bytes);
  target->scratch_used = true;
  return memory;
}

uint32_t cohort_multi_grid_rank(void) {
  const grid& g = *current_thread()->warp->block->grid;
  return g.is_multi_device() ? g.index : 0;
}

uint32_t cohort_multi_grid_count(void) {
  const grid& g = *current_thread()->warp->block->grid;
  return g.is_multi_device() ? static_cast<uint32_t>(g.shared->grids.size()) : 0;
}

void* cohort_multi_grid_scratch(size_t bytes) {
  session& shared = *current_thread()->warp->block->grid->shared;
  if (!shared.multi_device) {
    fail_at(__builtin_return_address(0), cohort::error_launch_failure,
            "a collective of multi_grid_group in a launch that is not a multi-device launch");
  }
  if (void* memory = shared.scratch(bytes)) return memory;
  fail_at(__builtin_return_address(0), cohort::error_launch_failure,
          "a multi-grid's scratch memory was asked for in two sizes");
}

void cohort_copy_later(void* to, const void* from, size_t bytes) {
  thread* self = current_thread();
  block& b = *self->warp->block;
  if (b.worker->loop_stack) {  // runs as a loop: the thread never waits, so nobody would make the copy
    std::memcpy(to, from, bytes);
    return;
  }
  if (!b.copies_used) {
    if (!b.copies) b.copies = std::make_unique<late_copies[]>(b.threads_total);
    for (uint32_t i = 0; i < b.threads_total; ++i) b.copies[i].waiting.clear();  // left by a launch that failed
    b.copies_used = true;
  }
  b.copies[self->thread_rank].add(to, from, bytes);
}

void cohort_copy_commit(void) {
  thread* self = current_thread();
  block& b = *self->warp->block;
  if (!b.worker->loop_stack && b.copies_used) b.copies[self->thread_rank].commit();
}

}  // extern "C"
