// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "managed_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cohort/base/round_up.hpp>

#include "../guard/filler.hpp"

namespace cohort::runtime {

namespace {

// Each inaccessible page splits a mapping of the program, of which the system allows 65530.
constexpr size_t most_guarded = 1000;

char* start_of(const cohort_variable& v) { return static_cast<char*>(v.address); }

// The first page behind the variable.
char* page_behind(const cohort_variable& v) {
  return start_of(v) + detail::round_up<size_t>(v.bytes, cohort_padding_page);
}

bool protect(const cohort_variable& v, int access) {
  return mprotect(start_of(v) - cohort_padding_page, cohort_padding_page, access) == 0 &&
         mprotect(page_behind(v), cohort_padding_page, access) == 0;
}

}  // namespace

void managed_guard::add(const cohort_module& module, guard_mode mode) {
  if (mode == guard_mode::off || static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) > cohort_padding_page) return;
  has_filler_ = mode == guard_mode::strict;
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    const cohort_variable& v = module.variables[i];
    if (!(v.flags & cohort_variable_padded) || guarded_.size() >= most_guarded || !protect(v, PROT_NONE)) continue;
    guarded_.push_back(&v);
    if (has_filler_) fill_bytes(start_of(v) + v.bytes, page_behind(v));
  }
}

void managed_guard::remove(const cohort_module& module) {
  std::erase_if(guarded_, [&](const cohort_variable* v) {
    return v >= module.variables && v < module.variables + module.variable_count;
  });
}

bool managed_guard::find_damage(const char** at, const cohort_variable** beside) {
  for (const cohort_variable* v : guarded_) {
    *at = has_filler_ ? find_changed_byte(start_of(*v) + v->bytes, page_behind(*v)) : nullptr;
    if (!*at) continue;
    *beside = v;
    fill_bytes(start_of(*v) + v->bytes, page_behind(*v));
    return true;
  }
  return false;
}

const cohort_variable* managed_guard::find_nearest(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  for (const cohort_variable* v : guarded_) {
    if (at >= start_of(*v) - cohort_padding_page && at < page_behind(*v) + cohort_padding_page) return v;
  }
  return nullptr;
}

}  // namespace cohort::runtime
