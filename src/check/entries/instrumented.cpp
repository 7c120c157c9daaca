// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that instrumented code calls: LLVM's ThreadSanitizer pass inserts __tsan_*, the plugin of cohortcc
// inserts cohort_check_* for atomics, volatile accesses and fences, whose scope only the source has.
#include <algorithm>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "check/detect/access_site.hpp"
#include "check/detect/bounds.hpp"
#include "check/detect/fast_access.hpp"
#include "check/detect/gathered_reads.hpp"
#include "check/detect/operation_access.hpp"
#include "check/detect/product_access.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/enabled.hpp"
#include "check/memory/tool_ports.hpp"

using namespace cohort::check;

#define COHORT_HERE __builtin_return_address(0)

namespace {

constexpr size_t most_quick_bytes = 64;

// The slow path for an ordinary access, which also checks the alignment.
void check_aligned_of(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place) {
  check_alignment(address, std::min<size_t>(bytes, most_checked_alignment), flags, place);
  check_access_of(c, address, bytes, flags, place);
}

inline uint64_t place_of_value(const void* place, size_t bytes) {
  return reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56;
}

// Checks the access by what its site has learned. False: check_and_learn() must check it.
template <size_t bytes, uint8_t flags>
__attribute__((always_inline)) inline bool check_at_site(const accessor& c, const void* address, const void* place,
                                                         uint32_t index) {
  using at_site = site_access<bytes, flags, effort::no_calls>;
  access_site& site = site_at(place, index);
  return at_site::is_known(c, site, place_of_value(place, bytes)) &&
         at_site(c, site).check(reinterpret_cast<uintptr_t>(address));
}

template <size_t bytes, uint8_t flags>
void check_and_learn(const accessor& c, uintptr_t at, const void* place, uint32_t index) {
  const unknown_access now = {c, place, place_of_value(place, bytes), flags, at, bytes};
  // Where many groups have read the words, no site is learned: the result for one read does not help the next one.
  if (!(flags & is_write) &&
      site_access<bytes, flags, effort::no_calls>::is_known(c, site_at(place, index), now.place) &&
      fast_access<effort::no_calls>(c, now.place, flags).check(at, bytes)) {
    return;
  }
  access_site* const site = prepare_site(now, index);
  if (site && site_access<bytes, flags, effort::calls>(c, *site).check(at)) return;
  fast_access<effort::calls> fast(c, now.place, flags);
  if (!fast.check(at, bytes)) return check_aligned_of(c, reinterpret_cast<const void*>(at), bytes, flags, place);
  if (site) learn_site(*site, now, fast.last_seen(), fast.last_stored());
}

// Out of line: it handles the less frequent cases, and has most of the instructions.
template <size_t bytes, uint8_t flags>
__attribute__((noinline)) void check_slowly(const void* address, const void* place) {
  const accessor c = current_accessor(address);
  if (!c.block) return check_accumulator(address, place);
  check_and_learn<bytes, flags>(c, reinterpret_cast<uintptr_t>(address), place, 0);
}

// Checks an ordinary access of an aligned value.
template <size_t bytes, uint8_t flags>
__attribute__((always_inline)) inline void check_value(const void* address, const void* place) {
  if (!cohort_current_thread) return check_host_access(address, bytes, flags, place);
  if (const accessor c = quick_accessor(); __builtin_expect(c.block != nullptr, 1)) {
    if (__builtin_expect(check_at_site<bytes, flags>(c, address, place, 0), 1)) return;
  }
  check_slowly<bytes, flags>(address, place);
}

// Checks an access of several words, for example by a copy of a structure.
void check_bytes(const void* address, size_t bytes, uint8_t flags, const void* place) {
  if (bytes - 1 < most_quick_bytes && bytes % 4 == 0 && cohort_current_thread) {
    const accessor c = current_accessor(address);
    if (!c.block) return;
    fast_access<effort::calls> fast(c, reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56, flags);
    if (fast.check(reinterpret_cast<uintptr_t>(address), bytes, 4)) return;
  }
  check_access(address, bytes, flags, place);
}

// Checks reads at equal distances, for example of an unrolled loop.
template <size_t bytes>
void check_reads(const char* first, int64_t stride, uint32_t count, const void* place) {
  const accessor c = current_accessor(first);
  if (!c.block || !current_accessor(first + stride * (count - 1)).block) {
    for (uint32_t i = 0; i < count; ++i) check_value<bytes, 0>(first + stride * i, place);
    return;
  }
  const read_run run{reinterpret_cast<uintptr_t>(first), stride, count, bytes};
  if (is_read(c, run)) return;
  fast_access<effort::calls> fast(c, reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56, 0);
  for (uint32_t i = fast.check_run<bytes>(run); i < count; ++i) {
    const char* const at = first + stride * i;
    if (__builtin_expect(fast.check(reinterpret_cast<uintptr_t>(at), bytes), 1)) continue;
    check_aligned_of(c, at, bytes, 0, place);
  }
}

// Checks the reads of all iterations of a loop. False: each of them must be checked separately.
template <size_t bytes>
bool check_loop(const char* first, int64_t stride, uint64_t count, const void* place) {
  if (count > UINT32_MAX) return false;
  const accessor c = current_accessor(first);
  const char* const last = first + stride * static_cast<int64_t>(count - 1);
  if (!c.block) return !current_accessor(last).block;
  if (is_private(cohort::tools::current_thread(), last)) return false;
  const read_run run{reinterpret_cast<uintptr_t>(first), stride, static_cast<uint32_t>(count), bytes};
  if (is_read(c, run)) return true;
  fast_access<effort::calls> fast(c, reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56, 0);
  return fast.check_run<bytes>(run) == run.count;
}

// Checks the reads base[index + addend] of all iterations of a loop. False: each of them must be checked separately.
// pre: the reads of the indices, which have equal distances, were checked
template <size_t bytes, class Index>
bool check_gather(const char* first, int64_t stride, uint64_t count, const char* base, uint64_t scale, int8_t addend,
                  const void* place) {
  const accessor c = current_accessor(first);
  // Only the memory check shows that the words lie in an allocation or a variable, and not in the thread's own memory.
  if (!c.block || !checks_memory) return false;
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56;
  return gathered_reads<bytes, Index>(c, packed, first, stride, base, scale, addend).check(count);
}

// Calls `check` with the size of a value as a constant.
template <class Check>
auto with_size(uint32_t bytes, const Check& check) {
  switch (bytes) {
    case 1:
      return check(std::integral_constant<size_t, 1>());
    case 2:
      return check(std::integral_constant<size_t, 2>());
    case 4:
      return check(std::integral_constant<size_t, 4>());
    case 8:
      return check(std::integral_constant<size_t, 8>());
    default:
      return check(std::integral_constant<size_t, 16>());
  }
}

// Checks the access number `index` of a line. `kind`: as in cohort_check_several().
void check_one_of_several(const accessor& c, uint32_t kind, const char* address, const void* place, uint32_t index) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  with_size(1u << (kind & (kind_of_write - 1)), [&](auto size) {
    if (kind & kind_of_write) return check_and_learn<size, is_write>(c, at, place, index);
    return check_and_learn<size, 0>(c, at, place, index);
  });
}

}  // namespace

extern "C" {

void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}

#define COHORT_ACCESS(bytes)                                                                                  \
  void __tsan_read##bytes(void* p) { check_value<bytes, 0>(p, COHORT_HERE); }                                 \
  void __tsan_write##bytes(void* p) { check_value<bytes, is_write>(p, COHORT_HERE); }                         \
  void __tsan_unaligned_read##bytes(void* p) { check_access(p, bytes, 0, COHORT_HERE); }                      \
  void __tsan_unaligned_write##bytes(void* p) { check_access(p, bytes, is_write, COHORT_HERE); }              \
  void __tsan_volatile_read##bytes(void* p) { check_access(p, bytes, is_volatile, COHORT_HERE); }             \
  void __tsan_volatile_write##bytes(void* p) { check_access(p, bytes, is_write | is_volatile, COHORT_HERE); } \
  void __tsan_unaligned_volatile_read##bytes(void* p) { check_access(p, bytes, is_volatile, COHORT_HERE); }   \
  void __tsan_unaligned_volatile_write##bytes(void* p) {                                                      \
    check_access(p, bytes, is_write | is_volatile, COHORT_HERE);                                              \
  }                                                                                                           \
  void __tsan_read_write##bytes(void* p) { check_value<bytes, is_write | plain_update>(p, COHORT_HERE); }     \
  void __tsan_unaligned_read_write##bytes(void* p) { check_access(p, bytes, is_write | plain_update, COHORT_HERE); }
COHORT_ACCESS(1)
COHORT_ACCESS(2)
COHORT_ACCESS(4)
COHORT_ACCESS(8)
COHORT_ACCESS(16)

void cohort_check_reads(const char* first, int64_t stride, uint32_t count, uint32_t bytes) {
  const void* const place = COHORT_HERE;
  with_size(bytes, [=](auto size) { check_reads<size>(first, stride, count, place); });
}

void cohort_check_several(uint32_t kinds, const char* a, const char* b, const char* c, const char* d, const char* e) {
  const cohort::tools::thread_view thread = cohort::tools::current_thread();
  if (!thread || thread.block().runs_operator()) return;
  const accessor accessor = accessor_of(thread);
  const char* const all[] = {a, b, c, d, e};
  for (uint32_t i = 0; i < std::size(all); ++i, kinds >>= bits_of_kind) {
    const uint32_t kind = kinds & ((1u << bits_of_kind) - 1);
    if (kind == kind_of_none) return;
    // Most values have four bytes.
    if (kind == 2 && check_at_site<4, 0>(accessor, all[i], COHORT_HERE, i)) continue;
    if (kind == (2 | kind_of_write) && check_at_site<4, is_write>(accessor, all[i], COHORT_HERE, i)) continue;
    if (!is_private(thread, all[i])) check_one_of_several(accessor, kind, all[i], COHORT_HERE, i);
  }
}

bool cohort_check_loop(const char* first, int64_t stride, uint64_t count, uint32_t bytes) {
  const void* const place = COHORT_HERE;
  return with_size(bytes, [=](auto size) { return check_loop<size>(first, stride, count, place); });
}

bool cohort_check_gather(const char* first, int64_t stride, uint64_t count, const char* base, uint64_t scale,
                         uint32_t kind, uint32_t indices_are_checked) {
  const void* const place = COHORT_HERE;
  if (!indices_are_checked) return false;
  const auto addend = static_cast<int8_t>(kind >> 24);
  return with_size(kind & 255, [=](auto size) {
    if ((kind >> 8 & 255) == 8) return check_gather<size, int64_t>(first, stride, count, base, scale, addend, place);
    if (kind >> 16 & 1) return check_gather<size, int32_t>(first, stride, count, base, scale, addend, place);
    return check_gather<size, uint32_t>(first, stride, count, base, scale, addend, place);
  });
}

void __tsan_read_range(void* p, size_t bytes) { check_bytes(p, bytes, 0, COHORT_HERE); }
void __tsan_write_range(void* p, size_t bytes) { check_bytes(p, bytes, is_write, COHORT_HERE); }
void __tsan_vptr_read(void** p) { check_access(p, sizeof *p, 0, COHORT_HERE); }
void __tsan_vptr_update(void** p, void* value) {
  if (*p != value) check_access(p, sizeof *p, is_write, COHORT_HERE);
}

void* __tsan_memset(void* to, int value, size_t bytes) {
  check_bytes(to, bytes, is_write, COHORT_HERE);
  return std::memset(to, value, bytes);
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  check_bytes(from, bytes, 0, COHORT_HERE);
  check_bytes(to, bytes, is_write, COHORT_HERE);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  check_bytes(from, bytes, 0, COHORT_HERE);
  check_bytes(to, bytes, is_write, COHORT_HERE);
  return std::memmove(to, from, bytes);
}

}  // extern "C"

extern "C" void cohort_check_local(const void* address, uint64_t bytes, const void* base, uint64_t size,
                                   uint32_t writes) {
  using namespace cohort::check;
  if (!is_enabled(check_kind::memory) || !cohort_current_thread) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const uint64_t place = reinterpret_cast<uint64_t>(__builtin_return_address(0)) | std::min<uint64_t>(bytes, 255) << 56;
  check_local(c, {reinterpret_cast<uintptr_t>(address), place, writes ? uint8_t{is_write} : uint8_t{0}, bytes}, base,
              size);
}

extern "C" void cohort_check_aligned(const void* address, uint32_t alignment, uint32_t writes) {
  using namespace cohort::check;
  check_alignment(address, alignment, writes ? uint8_t{is_write} : uint8_t{0}, __builtin_return_address(0));
}
