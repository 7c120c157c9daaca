// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/sites.hpp"

#include <atomic>
#include <mutex>

namespace cohort::count {

namespace {

struct site_list {
  std::mutex mutex;
  std::vector<known_site> sites = std::vector<known_site>(1);
};

// Made at the first call, because constructors may launch kernels; never destroyed, because kernels may run during
// exit.
site_list& list() {
  static site_list& made = *new site_list;
  return made;
}

}  // namespace

uint32_t number_of(cohort_count_site& site) {
  std::atomic_ref<uint32_t> number(site.number);
  if (const uint32_t known = number.load(std::memory_order_acquire)) return known;
  site_list& all = list();
  const std::lock_guard lock(all.mutex);
  if (const uint32_t known = number.load(std::memory_order_relaxed)) return known;
  const auto mine = static_cast<uint32_t>(all.sites.size());
  all.sites.push_back({site.file ? site.file : "", site.function ? site.function : "", site.line, site.column,
                       site.bytes, static_cast<access_kind>(site.kind)});
  number.store(mine, std::memory_order_release);
  return mine;
}

std::vector<known_site> known_sites() {
  site_list& all = list();
  const std::lock_guard lock(all.mutex);
  return all.sites;
}

}  // namespace cohort::count
