// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "../../engine/report/source_place.hpp"
#include "../../engine/settings/settings.hpp"
#include "../../engine/state/block.hpp"
#include "../order/launches.hpp"
#include "locations.hpp"
#include "report_text.hpp"

namespace cohort::check {

namespace {

enum class report_mode { report, fail, json };

report_mode chosen_mode() {
  static const auto mode = static_cast<report_mode>(static_cast<int>(engine::read_setting("COHORT_CHECK", 0)));
  return mode;
}

using pair_key = std::tuple<const void*, const void*, uint8_t, uint8_t>;
// Never destroyed, as all tables of the checker: kernels run during exit, too.
std::mutex mutex;
std::map<pair_key, finding>& fresh = *new std::map<pair_key, finding>;

}  // namespace

void add_race(const record& a, uint32_t node, const accessor& c, const access& now) {
  const std::lock_guard lock(mutex);
  const auto code = [](uint64_t place) { return reinterpret_cast<const void*>(place & ((uint64_t{1} << 56) - 1)); };
  finding& found = fresh[{a.address(), code(now.place), a.flags, now.flags}];
  if (found.count++ != 0) return;
  const engine::block& b = *c.block->block;
  found.launch = facts_of_launch(c.block->launch->number);
  found.first = {a.flags, a.bytes(), a.address(), facts_of_launch(a.launch), a.block, a.first_thread, a.extent, ""};
  if (a.extent == threads_of_warp && is_lane(node)) {
    found.first.thread = a.first_thread + node - lanes_per_warp;
    found.first.extent = 0;
  }
  found.second = {now.flags, now.bytes(), code(now.place), found.launch, c.block->rank, c.thread, 0, ""};
  found.same_launch = a.launch == c.block->launch->number;
  found.common = common_extent(a, c);
  found.scopes = (a.flags & now.flags & is_strong) != 0;
  found.location = describe_location(reinterpret_cast<const void*>(now.address), b);
}

bool report_findings() {
  std::map<pair_key, finding> found;
  {
    const std::lock_guard lock(mutex);
    found.swap(fresh);
  }
  if (found.empty()) return false;
  std::vector<const void*> addresses;
  for (const auto& [key, pair] : found) {
    addresses.push_back(pair.first.code);
    addresses.push_back(pair.second.code);
  }
  const auto places = engine::source_places(addresses);
  // Code addresses of one pair of lines, in either order, are one finding.
  std::map<std::pair<std::string, std::string>, finding> lines;
  for (auto& [key, pair] : found) {
    pair.first.place = places.at(pair.first.code);
    pair.second.place = places.at(pair.second.code);
    auto names = std::minmax(pair.first.place, pair.second.place);
    const auto [at, is_new] = lines.emplace(std::pair(names.first, names.second), pair);
    if (!is_new) at->second.count += pair.count;
  }
  std::string text;
  for (const auto& [names, pair] : lines) text += chosen_mode() == report_mode::json ? json_of(pair) : text_of(pair);
  std::fputs(text.c_str(), stderr);
  return chosen_mode() == report_mode::fail;
}

}  // namespace cohort::check
