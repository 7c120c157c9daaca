// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/story.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "engine/report/json_text.hpp"
#include "engine/report/report.hpp"
#include "engine/report/source_place.hpp"
#include "engine/report/text.hpp"
#include "engine/schedule/order_file.hpp"
#include "engine/settings/report_version.hpp"

namespace cohort::engine {

namespace {

// Steps that the text has before and after each switch, and after the last one.
constexpr size_t most_before = 3, most_after = 3, most_at_end = 6;

// Adjacent threads of a block that stop in the same way, one after another.
struct shown_step {
  uint64_t launch, block;
  uint32_t first, last;
  stop_kind how;
  std::string place;
  bool by_switch;  // another thread would run in the engine's own order
};

struct stop_words {
  const char *name, *before_place, *after_place, *without_place;
};
constexpr stop_words step_words[] = {{"stopped", "stops before ", "", "stops"},
                                     {"waits", "runs to ", " and waits", "runs until it waits"},
                                     {"polls", "runs to ", " and polls", "runs until it polls"},
                                     {"returns", "", "", "runs to its end"}};

const stop_words& words_for(stop_kind how) { return step_words[static_cast<size_t>(how)]; }

std::span<const order_step> steps_of(const order_record& run) { return {run.steps, run.step_count}; }
std::span<const order_switch> switches_of(const order_record& run) { return {run.switches, run.switch_count}; }

// Whether the thread of the step runs because of a switch.
bool begins_by_switch(const order_record& run, size_t step) {
  const order_step& now = run.steps[step];
  const bool is_first = step == 0 || run.steps[step - 1].launch != now.launch;
  const thread_point at = is_first ? thread_point() : run.steps[step - 1].stop;
  const auto all = switches_of(run);
  return std::any_of(all.begin(), all.end(), [&](const order_switch& s) {
    return s.launch == now.launch && s.at == at && s.block == now.stop.block && s.thread == now.stop.thread;
  });
}

// Whether threads have only polled since the thread has polled at this place.
bool polls_again(const std::vector<shown_step>& shown, const order_step& now, const std::string& place) {
  if (now.how != stop_kind::polls) return false;
  for (auto before = shown.rbegin(); before != shown.rend() && before->how == stop_kind::polls; ++before) {
    const bool is_same = before->launch == now.launch && before->block == now.stop.block && before->place == place &&
                         before->first <= now.stop.thread && now.stop.thread <= before->last;
    if (is_same) return true;
  }
  return false;
}

std::vector<shown_step> shown_steps(const order_record& run) {
  std::vector<const void*> addresses;
  for (const order_step& s : steps_of(run)) {
    if (s.place && std::find(addresses.begin(), addresses.end(), s.place) == addresses.end()) {
      addresses.push_back(s.place);
    }
  }
  const auto places = source_places(addresses);
  std::vector<shown_step> shown;
  for (size_t i = 0; i < run.step_count; ++i) {
    const order_step& s = run.steps[i];
    const std::string place = s.place ? places.at(s.place) : "";
    const bool by_switch = begins_by_switch(run, i);
    if (!by_switch && polls_again(shown, s, place)) continue;
    shown_step* const before = shown.empty() ? nullptr : &shown.back();
    if (before && !by_switch && before->launch == s.launch && before->block == s.stop.block &&
        before->last + 1 == s.stop.thread && before->how == s.how && before->place == place &&
        s.how != stop_kind::switched) {
      before->last = s.stop.thread;
    } else {
      shown.push_back({s.launch, s.stop.block, s.stop.thread, s.stop.thread, s.how, place, by_switch});
    }
  }
  return shown;
}

const launch_facts* launch_of(const order_record& run, uint64_t launch) {
  const std::span all(run.launches, run.launch_count);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& l) { return l.number == launch; });
  return found == all.end() ? nullptr : &found->facts;
}

std::string kernel_of(const launch_facts& l) {
  return l.plain_kernel ? plain_kernel_title(l.plain_kernel) : short_name(l.kernel ? l.kernel : "?");
}

// "5", or "37 (5,1,0)" where the shape has several dimensions.
std::string rank_text(uint64_t rank, const uint32_t (&shape)[3]) {
  if (shape[1] * uint64_t{shape[2]} == 1) return number(rank);
  const uint32_t index[3] = {static_cast<uint32_t>(rank % shape[0]), static_cast<uint32_t>(rank / shape[0] % shape[1]),
                             static_cast<uint32_t>(rank / shape[0] / shape[1])};
  return number(rank) + " " + triple(index);
}

std::string step_line(const shown_step& s, const launch_facts& l) {
  const bool one = s.first == s.last;
  std::string line = s.by_switch ? "    switch to " : "    ";
  line += one ? "thread " + rank_text(s.first, l.block) : "threads " + number(s.first) + "-" + number(s.last);
  line += " of block " + rank_text(s.block, l.grid) + (s.by_switch ? ", which " : " ");
  const stop_words& w = words_for(s.how);
  std::string does = s.place.empty() ? w.without_place : w.before_place + s.place + w.after_place;
  if (!one && !s.by_switch) {
    // The plural: "runs to x and waits" is "run to x and wait".
    does = s.how == stop_kind::returns ? "run to their ends"
           : s.place.empty()           ? "run until they wait"
                                       : "run to " + s.place + (s.how == stop_kind::polls ? " and poll" : " and wait");
  }
  return line + does + "\n";
}

}  // namespace

std::string story_text(const order_record& run) {
  const std::vector<shown_step> steps = shown_steps(run);
  std::vector<size_t> switches;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].by_switch) switches.push_back(i);
  }
  const auto is_near = [&](size_t i) {
    return std::any_of(switches.begin(), switches.end(), [&](size_t at) {
      return i + most_before >= at && i <= at + (at == switches.back() ? most_at_end : most_after);
    });
  };
  std::string text;
  uint64_t launch = 0;
  bool has_gap = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    const launch_facts* const facts = launch_of(run, steps[i].launch);
    if (!is_near(i) || !facts) {
      has_gap = true;
      continue;
    }
    if (steps[i].launch != launch) {
      launch = steps[i].launch;
      text += "  launch " + number(launch) + ", kernel " + kernel_of(*facts) + " <<<" + triple(facts->grid) + ", " +
              triple(facts->block) + ">>>:\n";
    }
    if (has_gap) text += "    ...\n";
    has_gap = false;
    text += step_line(steps[i], *facts);
  }
  return text + (has_gap ? "    ...\n" : "");
}

std::string story_json(const order_record& run, const shrunk_failure& failure) {
  std::string reports, launches, steps;
  for (const std::string& title : failure.reports) reports += (reports.empty() ? "" : ", ") + quoted(title);
  for (size_t i = 0; i < run.launch_count; ++i) {
    const auto& [number_of_launch, l] = run.launches[i];
    launches += (launches.empty() ? "\n  {\"launch\": " : ",\n  {\"launch\": ") + number(number_of_launch) +
                ", \"kernel\": " + quoted(kernel_of(l)) + ", \"grid\": " + json_triple(l.grid) +
                ", \"block\": " + json_triple(l.block) + "}";
  }
  for (const shown_step& s : shown_steps(run)) {
    steps += (steps.empty() ? "\n  {\"launch\": " : ",\n  {\"launch\": ") + number(s.launch) +
             ", \"block\": " + number(s.block) + ", \"threads\": [" + number(s.first) + ", " + number(s.last) +
             "], \"does\": " + quoted(words_for(s.how).name);
    if (!s.place.empty()) steps += ", \"place\": " + engine::quoted(s.place);
    steps += s.by_switch ? ", \"switched\": true}" : "}";
  }
  return "{\"order\": " + engine::quoted(failure.schedule) + ", \"version\": " + number(report_version) +
         ", \"end\": " + engine::quoted(failure.end) + ", \"reports\": [" + reports +
         "], \"switches_before\": " + number(failure.switches_before) +
         ",\n\"switches\": " + switches_text({run.switches, run.switches + run.switch_count}) + ",\n\"launches\": [" +
         launches + "],\n\"steps\": [" + steps + "]}\n";
}

}  // namespace cohort::engine
