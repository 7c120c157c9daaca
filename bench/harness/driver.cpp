// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <regex>
#include <thread>
#include <utility>

#include "contradictions.hpp"
#include "cpus.hpp"
#include "process.hpp"

namespace bench {

namespace {

// The workers of a side poll for about a millisecond after their last launch. The next side begins after that.
constexpr std::chrono::milliseconds pause_between_sides{2};

// A row whose peer contradicts other rows is measured again, before it fails: another process may have disturbed it.
constexpr int repeats_of_contradictions = 2;

// The measuring processes, started at their first use: on one CPU or on all, with gangs or without.
class processes {
 public:
  explicit processes(int one_cpu) : one_cpu_(one_cpu) {}

  measuring_process& find(cpus on, gangs mode) {
    auto& made = all_[{on, mode}];
    if (!made) made = std::make_unique<measuring_process>(on == cpus::one ? one_cpu_ : -1, mode);
    return *made;
  }
  void forget(cpus on, gangs mode) { all_.erase({on, mode}); }

 private:
  int one_cpu_;
  std::map<std::pair<cpus, gangs>, std::unique_ptr<measuring_process>> all_;
};

// One side of a row in one turn: the process that measures it, and the number of the side there.
struct turn {
  gangs mode;
  size_t side;
};

class row_measurement {
 public:
  row_measurement(processes& all, row_spec spec, const plan& how) : all_(all), spec_(std::move(spec)), how_(how) {}

  measured_row run() {
    measured_row result{spec_, {}, {}, {}, ""};
    const auto missing = process(spec_.mode).make_row(spec_.name);
    if (!missing) return failed(result, spec_.mode);
    std::vector<turn> turns = {{spec_.mode, 0}};
    for (size_t i = 0; i < missing->size(); ++i) {
      if ((*missing)[i].empty()) turns.push_back({spec_.mode, i + 1});
    }
    const bool fibers = wants_fibers();
    if (fibers) {
      if (!process(gangs::off).make_row(spec_.name)) return failed(result, gangs::off);
      turns.push_back({gangs::off, 0});
    }
    std::vector<std::vector<double>> values(turns.size());
    if (const turn* lost = take_turns(turns, values)) return failed(result, lost->mode);
    result.ours = values[0];
    size_t next = 1;
    for (const std::string& reason : *missing) {
      result.missing.push_back(reason);
      result.peers.push_back(reason.empty() ? values[next++] : std::vector<double>{});
    }
    if (fibers) result.fibers = values.back();
    return result;
  }

 private:
  measuring_process& process(gangs mode) { return all_.find(spec_.on, mode); }

  bool wants_fibers() const {
    if (spec_.mode == gangs::off || !spec_.has_kernel) return false;
    return how_.both_modes || spec_.against_fibers.kind != bar_kind::none;
  }

  // Runs the sides in turns, in reverse order in every other round. Returns the turn whose process ended, or null.
  const turn* take_turns(const std::vector<turn>& turns, std::vector<std::vector<double>>& values) {
    const auto start = std::chrono::steady_clock::now();
    int rounds = spec_.rounds > 0 ? spec_.rounds : how_.most_rounds;
    for (int round = 0; round < rounds; ++round) {
      for (size_t i = 0; i < turns.size(); ++i) {
        const size_t at = round % 2 == 0 ? i : turns.size() - 1 - i;
        std::this_thread::sleep_for(pause_between_sides);
        const auto value = process(turns[at].mode).run(turns[at].side);
        if (!value) return &turns[at];
        values[at].push_back(*value);
      }
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      if (passed.count() > how_.seconds_per_row) rounds = std::clamp(round + 1, std::min(3, rounds), rounds);
    }
    return nullptr;
  }

  measured_row failed(measured_row result, gangs mode) {
    all_.forget(spec_.on, mode);
    result.failure = "the measuring process ended; its message is above";
    return result;
  }

  processes& all_;
  const row_spec spec_;
  const plan& how_;
};

}  // namespace

report measure(const suite& rows, const plan& how) {
  const int one_cpu = quietest_cpu();
  std::fprintf(stderr, "cohort_bench: rows of one core run on CPU %d\n", one_cpu);
  processes all(one_cpu);
  const std::regex filter(how.filter);
  std::vector<measured_row> measured;
  for (const suite_row& r : rows.rows()) {
    if (!how.part.empty() && r.part != how.part) continue;
    if (!std::regex_search(r.spec.name, filter)) continue;
    std::fprintf(stderr, "cohort_bench: %s: %s ...\n", r.part.c_str(), r.spec.name.c_str());
    measured.push_back(row_measurement(all, r.spec, how).run());
  }
  for (int again = 0;; ++again) {
    const auto contradictions = find_contradictions(measured);
    for (const contradiction& c : contradictions) {
      measured_row& row = measured[c.row];
      if (again == repeats_of_contradictions) {
        row.failure = c.text;
      } else {
        std::fprintf(stderr, "cohort_bench: %s: once more, because %s ...\n", row.spec.name.c_str(), c.text.c_str());
        row = row_measurement(all, row.spec, how).run();
      }
    }
    if (contradictions.empty() || again == repeats_of_contradictions) break;
  }
  report result(std::move(measured), one_cpu);
  if (!result.empty()) result.set_peer_versions(all.find(cpus::one, gangs::as_compiled).peer_versions());
  return result;
}

}  // namespace bench
