// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/managed_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cohort/base/red_zone.hpp>
#include <cohort/base/round_up.hpp>

#include "runtime/guard/filler.hpp"

namespace cohort::runtime {

namespace {

// Each inaccessible page splits a mapping of the program, of which the system allows 65530.
constexpr size_t most_guarded = 1000;

char* start_of(const cohort_variable& v) { return static_cast<char*>(v.address); }

// The first page after the variable.
char* page_behind(const cohort_variable& v) {
  return start_of(v) + detail::round_up<size_t>(v.bytes, cohort_padding_page);
}

void end_red_zones(const cohort_variable& v) {
  detail::end_red_zone(start_of(v) - cohort_padding_page, start_of(v));
  detail::end_red_zone(start_of(v) + v.bytes, page_behind(v) + cohort_padding_page);
}

void make_red_zones(const cohort_variable& v) {
  detail::make_red_zone(start_of(v) - cohort_padding_page, start_of(v));
  detail::make_red_zone(start_of(v) + v.bytes, page_behind(v) + cohort_padding_page);
}

// Makes the pages of padding inaccessible. With AddressSanitizer it only makes red zones, because its search for leaks
// reads all variables of the program.
bool close_padding(const cohort_variable& v) {
  make_red_zones(v);
  return detail::has_red_zones() || (mprotect(start_of(v) - cohort_padding_page, cohort_padding_page, PROT_NONE) == 0 &&
                                     mprotect(page_behind(v), cohort_padding_page, PROT_NONE) == 0);
}

}  // namespace

void managed_guard::add(const cohort_module& module, guard_mode mode) {
  if (mode == guard_mode::off || static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) > cohort_padding_page) return;
  has_filler_ = mode == guard_mode::strict;
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    const cohort_variable& v = module.variables[i];
    if (!(v.flags & cohort_variable_padded) || guarded_.size() >= most_guarded) continue;
    if (has_filler_) fill_bytes(start_of(v) + v.bytes, page_behind(v));
    if (close_padding(v)) guarded_.push_back(&v);
  }
}

void managed_guard::remove(const cohort_module& module) {
  std::erase_if(guarded_, [&](const cohort_variable* v) {
    const bool is_gone = v >= module.variables && v < module.variables + module.variable_count;
    if (is_gone) end_red_zones(*v);
    return is_gone;
  });
}

bool managed_guard::find_damage(const char** at, const cohort_variable** beside) {
  for (const cohort_variable* v : guarded_) {
    *at = has_filler_ ? find_changed_byte(start_of(*v) + v->bytes, page_behind(*v)) : nullptr;
    if (!*at) continue;
    *beside = v;
    end_red_zones(*v);
    fill_bytes(start_of(*v) + v->bytes, page_behind(*v));
    make_red_zones(*v);
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
