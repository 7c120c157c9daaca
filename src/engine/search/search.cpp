// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/search.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "engine/search/failure.hpp"
#include "engine/search/messages.hpp"
#include "engine/search/run.hpp"
#include "engine/search/smallest_order.hpp"
#include "engine/world/world.hpp"

namespace cohort::engine {

namespace {

constexpr int found_status = 1, refused_status = 2;
// A run may take this many times as long as the first one, and as many seconds more.
constexpr double time_factor = 20;
constexpr double time_margin = 10;
constexpr double first_time_limit = 600;
constexpr uint64_t progress_parts = 10;
constexpr size_t most_shown = 160;

[[noreturn]] void end(int status) {
  std::fflush(nullptr);
  _exit(status);
}
[[noreturn]] void end_as(const run_result& r) {
  print(stdout, r.out);
  print(stderr, r.err);
  end(!r.ended ? found_status : WIFSIGNALED(r.status) ? 128 + WTERMSIG(r.status) : WEXITSTATUS(r.status));
}

// A line of program output, for a message: control characters are replaced, and its end may be left out.
std::string shown(std::string_view line) {
  std::string text = "\"";
  for (const char c : line.substr(0, most_shown)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text + (line.size() > most_shown ? "...\"" : "\"");
}

// The first line in which two texts differ.
std::string first_difference(const char* stream, std::string_view now, std::string_view before) {
  for (size_t number = 1;; ++number) {
    const size_t end_now = now.find('\n'), end_before = before.find('\n');
    const std::string_view a = now.substr(0, end_now), b = before.substr(0, end_before);
    const bool ends = end_now == now.npos || end_before == before.npos;
    if (a != b || ends) {
      return "  " + std::string(stream) + ", line " + std::to_string(number) + ": " + shown(a) + " instead of " +
             shown(b) + "\n";
    }
    now.remove_prefix(end_now + 1);
    before.remove_prefix(end_before + 1);
  }
}

std::string describe_difference(const run_result& now, const run_result& before) {
  std::string text;
  if (describe_end(now) != describe_end(before)) {
    text += "  " + describe_end(now) + " instead of " + describe_end(before) + "\n";
  }
  if (now.out != before.out) text += first_difference("stdout", now.out, before.out);
  if (now.err != before.err) text += first_difference("stderr", now.err, before.err);
  return text;
}

class progress {
 public:
  explicit progress(uint64_t seeds) : seeds_(seeds) {}

  void show(uint64_t done) const {
    if (is_terminal_) {
      print(stderr, "\r" + sentence(done));
    } else if (done % std::max<uint64_t>(seeds_ / progress_parts, 1) == 0) {
      print(stderr, sentence(done) + "\n");
    }
  }
  void clear() const {
    if (is_terminal_) print(stderr, "\r\033[K");
  }

 private:
  std::string sentence(uint64_t done) const {
    return search_title + std::to_string(done) + " of " + std::to_string(seeds_) + " seeds, none differs";
  }

  const bool is_terminal_ = isatty(STDERR_FILENO);
  const uint64_t seeds_;
};

class search {
 public:
  explicit search(const plan& p) : plan_(p) {}

  // Throws is_copy in a copy of the process, which continues as the program.
  [[noreturn]] void run() {
    run_own_order();
    if (plan_.kind == plan_kind::shrink) {
      const run_result r = runs_.run(order(plan_.number), limit_);
      if (!(r == own_)) report(plan_.number, r);
      say("seed " + std::to_string(plan_.number) + " does not differ from the engine's own order");
      end_as(own_);
    }
    const progress shown_progress(plan_.number);
    for (uint64_t seed = 1; seed <= plan_.number; ++seed) {
      const run_result r = runs_.run(order(seed), limit_);
      if (!(r == own_)) {
        shown_progress.clear();
        report(seed, r);
      }
      shown_progress.show(seed);
    }
    shown_progress.clear();
    say("no difference in " + std::to_string(plan_.number) + " seeds");
    end_as(own_);
  }

 private:
  plan order(uint64_t seed) const { return {plan_kind::seed, seed, plan_.depth}; }

  // Makes two runs in the engine's own order, with which all others are compared.
  void run_own_order() {
    own_ = runs_.run(order(0), first_time_limit);
    if (!own_.ended) refuse("the program has not ended after 600 s in the engine's own order", own_);
    if (!report_titles(own_.err).empty()) {
      if (own_.status != 0) refuse("the program fails in the engine's own order", own_);
      say("the run in the engine's own order has reports; other runs are compared with them");
    }
    if (own_.counts.choices == 0) {
      say("COHORT_SCHEDULE has no effect: no launch had two threads or blocks that could run at once");
      end_as(own_);
    }
    if (plan_.depth > 1 && own_.counts.preemption_points == 0) {
      say("no preemption: the program is not compiled with cohortcc --check, or its kernels have no atomics");
    }
    limit_ = own_.seconds * time_factor + time_margin;
    const run_result again = runs_.run(order(0), limit_);
    if (!(again == own_)) {
      say("two runs in one order differ, so a search has no meaning:");
      print(stderr, describe_difference(again, own_));
      end(refused_status);
    }
  }

  [[noreturn]] static void refuse(const char* sentence, const run_result& r) {
    say(sentence + std::string(":"));
    print(stderr, r.err);
    end(found_status);
  }

  // Repeats the run of the seed: an equal failure shows that the order is the only cause. The second run notes its
  // order, which is then shrunk.
  [[noreturn]] void report(uint64_t seed, const run_result& r) {
    const run_result again = runs_.run(order(seed), limit_, true);
    const std::string name = order(seed).text();
    say("seed " + std::to_string(seed) + " differs from the engine's own order:");
    print(stderr, describe_difference(r, own_));
    if (again == r) {
      print(stderr, "  COHORT_SCHEDULE=" + name + " repeats it\n");
      smallest_order(runs_, own_, r).find_and_print(name, plan_.file);
    } else {
      print(stderr, "  a second run of " + name + " was different again: the program depends on more than the order\n");
    }
    print(stderr, r.err);
    end(found_status);
  }

  const plan plan_;
  runner runs_;
  run_result own_;
  double limit_ = 0;
};

bool is_possible() { return launched_processes() == 1; }

// Runs before the program's constructors, so their output belongs to each run.
__attribute__((constructor(101))) void search_before_main() {
  const std::optional<plan> p = read_plan();
  if (!p || !p->is_search() || !is_possible()) return;
  try {
    search(*p).run();
  } catch (const is_copy&) {
  }
}

}  // namespace

void warn_of_missing_search() {
  const std::optional<plan> p = read_plan();
  if (!p || !p->is_search()) return;
  std::fprintf(stderr, "cohort: warning: COHORT_SCHEDULE=%s has no effect in a program of several processes\n",
               p->text().c_str());
}

}  // namespace cohort::engine
