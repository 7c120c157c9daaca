// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/smallest_order.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "engine/report/report.hpp"
#include "engine/schedule/random.hpp"
#include "engine/search/messages.hpp"
#include "engine/search/order_output.hpp"
#include "engine/search/shrink.hpp"
#include "engine/search/story.hpp"

namespace cohort::engine {

namespace {

constexpr double most_seconds = 60;  // time for all runs together
// A run may take this many times as long as the longer one of the failed run and the run in the engine's own order.
constexpr double run_time_factor = 4, run_time_margin = 2;
// A search for fewer switches tries orders of up to this many.
constexpr size_t most_searched = 4;
constexpr double seconds_of_a_depth = 10;
constexpr const char* usual_name = "cohort-order.json";

// The time limit of further runs. A run that was killed at its own limit gives no measure.
double limit_of(const run_result& own, const run_result& failed) {
  return std::max(own.seconds, failed.ended ? failed.seconds : 0) * run_time_factor + run_time_margin;
}

// The threads that the switches run and stop, each once.
std::vector<order_switch> threads_of(const std::vector<order_switch>& all) {
  std::vector<order_switch> threads;
  const auto add = [&](uint64_t block, uint32_t thread) {
    const bool is_known = std::any_of(threads.begin(), threads.end(),
                                      [&](const order_switch& t) { return t.block == block && t.thread == thread; });
    if (!is_known && block != no_block) threads.push_back({0, {}, block, thread});
  };
  for (const order_switch& s : all) {
    add(s.block, s.thread);
    add(s.at.block, s.at.thread);
  }
  return threads;
}

// The points of a run. Of equal turns of a loop that polls, only the last one is listed.
std::vector<thread_point> points_of(const order_record& run) {
  struct turns {
    std::vector<size_t> before, now;  // indices of the points of two turns
  };
  std::map<std::pair<uint64_t, uint32_t>, turns> threads;
  std::vector<bool> is_left_out(run.point_count);
  for (size_t i = 0; i < run.point_count; ++i) {
    const auto& [at, polls] = run.points[i];
    turns& t = threads[{at.block, at.thread}];
    t.now.push_back(i);
    if (!polls) continue;
    if (t.before.size() == t.now.size()) {
      for (const size_t repeated : t.before) is_left_out[repeated] = true;
    }
    t.before = std::exchange(t.now, {});
  }
  std::vector<thread_point> points;
  for (size_t i = 0; i < run.point_count; ++i) {
    if (!is_left_out[i]) points.push_back(run.points[i].at);
  }
  return points;
}

std::string count_of(size_t switches) { return std::to_string(switches) + (switches == 1 ? " switch" : " switches"); }

}  // namespace

smallest_order::smallest_order(runner& runs, const run_result& own, const run_result& failed)
    : runs_(runs), own_(own), failure_(failed, own), limit_(limit_of(own, failed)) {}

double smallest_order::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

run_result smallest_order::run(const switches& order) {
  plan p;
  p.kind = plan_kind::file;
  p.file = runs_.file_of(order);
  return runs_.run(p, limit_, true);
}

std::optional<smallest_order::switches> smallest_order::follow(const switches& order) {
  is_late_ = is_late_ || seconds() > most_seconds;
  if (is_late_ || !(run_failure(run(order), own_) == failure_)) return std::nullopt;
  const order_record& noted = runs_.noted();
  return switches(noted.switches, noted.switches + noted.switch_count);
}

bool smallest_order::replace(switches& least, const switches& order) {
  std::optional<switches> followed = follow(order);
  if (!followed || followed->size() >= least.size()) return false;
  least = std::move(*followed);
  return true;
}

void smallest_order::join(switches& least) {
  const auto joined = [&](size_t first, size_t last) {
    switches order(least.begin(), least.begin() + static_cast<std::ptrdiff_t>(last + 1));
    order[first].block = order[last].block;
    order[first].thread = order[last].thread;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(first) + 1, order.end());
    order.insert(order.end(), least.begin() + static_cast<std::ptrdiff_t>(last) + 1, least.end());
    return order;
  };
  for (bool is_smaller = true; is_smaller && !is_late_;) {
    is_smaller = false;
    for (size_t distance = least.size(); distance-- > 1 && !is_smaller;) {
      for (size_t first = 0; first + distance < least.size() && !is_smaller; ++first) {
        is_smaller =
            least[first].launch == least[first + distance].launch && replace(least, joined(first, first + distance));
      }
    }
  }
}

bool smallest_order::search_fewer(switches& least, const switches& threads) {
  if (least.size() < 2) return false;
  const uint64_t launch = least.back().launch;
  // The switches of other launches stay.
  const auto is_other = [&](const order_switch& s) { return s.launch != launch; };
  switches base;
  std::copy_if(least.begin(), least.end(), std::back_inserter(base), is_other);
  runs_.note_points_of(launch);
  random_source random(least.size());
  // Lists that did not fail; each is extended by one more switch.
  std::vector<switches> level = {base};
  for (size_t depth = 1; base.size() + depth < least.size() && depth <= most_searched; ++depth) {
    const double end = std::min(seconds() + seconds_of_a_depth, most_seconds);
    std::vector<switches> passed;
    for (size_t i = 0; i < level.size() && seconds() < end; ++i) {
      run(level[i]);
      std::vector<thread_point> points = points_of(runs_.noted());
      // Only points after the last switch lead to a new order.
      if (level[i].size() > base.size()) {
        const auto last = std::find(points.begin(), points.end(), level[i].back().at);
        if (last != points.end()) points.erase(points.begin(), last + 1);
      } else {
        points.insert(points.begin(), thread_point());
      }
      // Each point with each thread, in a random order.
      std::vector<uint32_t> untried(points.size() * threads.size());
      std::iota(untried.begin(), untried.end(), 0);
      const size_t most_tries = depth == 1 ? untried.size() : (untried.size() + 3) / 4;
      for (size_t tries = 0; tries < most_tries && seconds() < end; ++tries) {
        std::swap(untried[tries], untried[tries + random.below(untried.size() - tries)]);
        const order_switch& target = threads[untried[tries] % threads.size()];
        const thread_point at = points[untried[tries] / threads.size()];
        if (at.block == target.block && at.thread == target.thread) continue;
        switches order = level[i];
        order.push_back({launch, at, target.block, target.thread});
        if (replace(least, order) || keep_running(least, order)) return true;
        passed.push_back(std::move(order));
      }
    }
    level = std::move(passed);
    for (size_t i = 0; i + 1 < level.size(); ++i) std::swap(level[i], level[i + random.below(level.size() - i)]);
  }
  return false;
}

bool smallest_order::keep_running(switches& least, switches order) {
  for (size_t added = 1; added < most_searched && order.size() + 1 < least.size(); ++added) {
    const order_switch last = order.back();
    const std::span points(runs_.noted().points, runs_.noted().point_count);
    auto point = points.begin();
    if (last.at != thread_point())
      point = std::find_if(point, points.end(), [&](const auto& p) { return p.at == last.at; });
    point = std::find_if(point, points.end(), [&](const auto& p) {
      return p.polls && p.at.block == last.block && p.at.thread == last.thread;
    });
    if (point == points.end()) return false;
    order.push_back({last.launch, point->at, last.block, last.thread, true});
    if (replace(least, order)) return true;
  }
  return false;
}

void smallest_order::find_and_print(const std::string& schedule, const std::string& path) {
  const order_record& noted = runs_.noted();
  const switches all(noted.switches, noted.switches + noted.switch_count);
  const std::optional<switches> followed = follow(all);
  if (!followed) {
    return say("the order of " + schedule + " has no smaller one: a run with its " + count_of(all.size()) +
               " alone ends otherwise");
  }
  const auto test = [&](const switches& order) { return follow(order); };
  switches least = shrink(*followed, test);
  join(least);
  while (search_fewer(least, threads_of(least))) least = shrink(least, test);
  const run_result last = run(least);  // this run notes its steps
  say(count_of(least.size()) + " of " + std::to_string(all.size()) + " in the order of " + schedule + " " +
      (least.size() == 1 ? "is" : "are") + " enough" + (is_late_ ? ", perhaps fewer (60 s are over):" : ":"));
  const shrunk_failure facts = {schedule, failure_.end, report_titles(last.err), all.size()};
  const std::string json = story_json(noted, facts);
  print_order(noted, json);
  write_order(path.empty() ? usual_name : path, json);
}

}  // namespace cohort::engine
