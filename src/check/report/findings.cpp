// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/findings.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cohort/base/cuda_error.hpp>

#include "check/memory/enabled.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/happens_before.hpp"
#include "check/order/operations.hpp"
#include "check/report/locations.hpp"
#include "check/report/memory_findings.hpp"
#include "check/report/report_text.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

enum class report_mode { report, fail, json };

report_mode chosen_mode() {
  static const auto mode = static_cast<report_mode>(static_cast<int>(tools::read_setting("COHORT_CHECK", 0)));
  return mode;
}

// Without COHORT_CHECK, the first report names the setting: the program's exit status does not show a finding.
void name_choice(std::string& text) {
  static bool is_first = tools::read_form_setting("COHORT_CHECK") == nullptr;
  if (!std::exchange(is_first, false)) return;
  const size_t end = text.find("\ncohort: ");
  text.insert(end == std::string::npos ? text.size() : end + 1,
              "  the program goes on; COHORT_CHECK=fail makes its launches fail\n");
}

using pair_key = std::tuple<const void*, const void*, uint8_t, uint8_t>;
// Guards all findings. Never destroyed, because kernels may run during exit.
std::mutex mutex;
std::map<pair_key, finding>& fresh = *new std::map<pair_key, finding>;

}  // namespace

namespace {

// Counts the race, and describes both sides at its first occurrence. `common`: if both accesses are of one launch, the
// smallest extent (warp, block, cluster or grid) that has both. pre: the caller holds `mutex`
finding& add(const record& a, uint32_t node, uint32_t number, const access& now, tools::block_view b,
             uint8_t common = 0) {
  finding& found = fresh[{a.address(), now.code(), a.flags, now.flags}];
  if (in_one_launch(a.launch, number)) {
    found.in_launch = true;
    found.common = std::max(found.common, common);
  } else {
    found.across_launches = true;
  }
  if (found.count++ != 0) return found;
  found.operations[0] = a.launch;
  found.operations[1] = number;
  found.first = {a.flags, a.bytes(), a.address(), facts_of(a.launch), a.block, a.first_thread, a.extent, ""};
  if (a.extent == threads_of_warp && is_lane(node)) {
    found.first.thread = a.first_thread + node - lanes_per_warp;
    found.first.extent = 0;
  }
  found.second = {now.flags, now.bytes(), now.code(), facts_of(number), 0, 0, 0, ""};
  found.same_launch = a.launch == number;
  found.scopes = (a.flags & now.flags & is_strong) != 0;
  found.copies = ((a.flags | now.flags) & is_async_copy) != 0;
  found.plain_updates = is_plain_update(a.flags) && is_plain_update(now.flags);
  found.two_writes = a.flags & now.flags & is_write;
  found.one_write = !found.two_writes;
  found.location = describe_location(reinterpret_cast<const void*>(now.address), b);
  return found;
}

// The source line of an access. For a copy or fill it is the call that submitted it.
std::string place_of(const racing_access& a, const std::map<const void*, std::string>& places) {
  return a.is_call() ? place_of(*static_cast<const call_site*>(a.code)) : places.at(a.code);
}

// Merges code addresses of one pair of lines, in either order, into one finding.
std::string describe_races(std::map<pair_key, finding>& found, bool json) {
  std::vector<const void*> addresses;
  for (const auto& [key, pair] : found) {
    if (!pair.first.is_call()) addresses.push_back(pair.first.code);
    if (!pair.second.is_call()) addresses.push_back(pair.second.code);
  }
  const auto places = tools::source_places(addresses);
  std::map<std::pair<std::string, std::string>, finding> lines;
  for (auto& [key, pair] : found) {
    for (racing_access* side : {&pair.first, &pair.second}) {
      side->place = place_of(*side, places);
      if (!pair.same_launch && side->by.site) side->submission = place_of(*side->by.site);
    }
    auto names = std::minmax(pair.first.place, pair.second.place);
    const auto [at, is_new] = lines.emplace(std::pair(names.first, names.second), pair);
    if (!is_new) at->second.cover(pair);
  }
  std::string text;
  for (const auto& [names, pair] : lines) text += json ? json_of(pair) : text_of(pair);
  return text;
}

}  // namespace

void add_race(const record& a, uint32_t node, const accessor& c, const access& now) {
  if (!is_enabled(check_kind::race)) return;
  const std::lock_guard lock(mutex);
  finding& found = add(a, node, c.block->launch->number, now, c.block->block, common_extent(a, c));
  if (found.count > 1) return;
  found.second.block = c.block->rank;
  found.second.thread = c.thread;
}

void add_race(const record& a, uint32_t node, uint32_t operation, const access& now) {
  if (!is_enabled(check_kind::race)) return;
  const std::lock_guard lock(mutex);
  add(a, node, operation, now, {});
}

void begin_reports() { chosen_mode(); }

int report_findings() {
  std::map<pair_key, finding> found;
  {
    const std::lock_guard lock(mutex);
    for (auto at = fresh.begin(); at != fresh.end();) {
      // A race is not reported while one of its operations runs, because its count may still grow.
      const auto& [first, second] = at->second.operations;
      const auto next = std::next(at);
      if (!is_running(first) && !is_running(second)) found.insert(fresh.extract(at));
      at = next;
    }
  }
  const bool json = chosen_mode() == report_mode::json;
  int error = error_none;
  std::string text = take_memory_findings(json, &error) + take_sync_findings(json);
  if (!found.empty()) text += describe_races(found, json);
  if (text.empty()) return error_none;
  {
    const std::lock_guard lock(mutex);
    name_choice(text);
  }
  std::fputs(text.c_str(), stderr);
  return error == error_none && chosen_mode() == report_mode::fail ? int{error_launch_failure} : error;
}

}  // namespace cohort::check
