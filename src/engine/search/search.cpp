// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/search.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "engine/search/run.hpp"
#include "engine/world/world.hpp"

namespace cohort::engine {

namespace {

constexpr const char* title = "cohort: search: ";
constexpr int found_status = 1, refused_status = 2;
// A run may take this many times as long as the first one, and as many seconds more.
constexpr double time_factor = 20;
constexpr double time_margin = 10;
constexpr double first_time_limit = 600;
constexpr uint64_t progress_parts = 10;
constexpr size_t most_shown = 160;

void print(FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}
void say(const std::string& sentence) { print(stderr, title + sentence + "\n"); }

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

// Whether the text has a report of the engine, the runtime or the checker. Warnings and notes do not count.
bool has_report(const std::string& text) {
  constexpr std::string_view begin = "cohort: ";
  for (size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::string_view rest = std::string_view(text).substr(at + begin.size());
    if (rest.substr(0, 8) != "warning:" && rest.substr(0, 5) != "note:") return true;
  }
  return false;
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
    return title + std::to_string(done) + " of " + std::to_string(seeds_) + " seeds, none differs";
  }

  const bool is_terminal_ = isatty(STDERR_FILENO);
  const uint64_t seeds_;
};

class search {
 public:
  explicit search(const plan& p) : plan_(p) {}

  // Returns false in a copy of the process, which continues as the program. Does not return in this process.
  bool run() {
    if (!run_own_order()) return false;
    const progress shown_progress(plan_.number);
    for (uint64_t seed = 1; seed <= plan_.number; ++seed) {
      run_result r;
      if (!runs_.run(order(seed), limit_, r)) return false;
      if (!(r == own_)) {
        shown_progress.clear();
        return report(seed, r);
      }
      shown_progress.show(seed);
    }
    shown_progress.clear();
    say("no difference in " + std::to_string(plan_.number) + " seeds");
    end_as(own_);
  }

 private:
  plan order(uint64_t seed) const { return {false, seed, plan_.depth}; }

  // Makes two runs in the engine's own order, with which all others are compared.
  bool run_own_order() {
    run_result again;
    if (!runs_.run(order(0), first_time_limit, own_)) return false;
    if (!own_.ended) refuse("the program has not ended after 600 s in the engine's own order", own_);
    if (has_report(own_.err)) {
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
    if (!runs_.run(order(0), limit_, again)) return false;
    if (!(again == own_)) {
      say("two runs in one order differ, so a search has no meaning:");
      print(stderr, describe_difference(again, own_));
      end(refused_status);
    }
    return true;
  }

  [[noreturn]] static void refuse(const char* sentence, const run_result& r) {
    say(sentence + std::string(":"));
    print(stderr, r.err);
    end(found_status);
  }

  // A second run of the seed shows whether the order alone decides.
  bool report(uint64_t seed, const run_result& r) {
    run_result again;
    if (!runs_.run(order(seed), limit_, again)) return false;
    const std::string name = order(seed).text();
    say("seed " + std::to_string(seed) + " differs from the engine's own order:");
    print(stderr, describe_difference(r, own_));
    if (again == r) {
      print(stderr, "  COHORT_SCHEDULE=" + name + " repeats it\n");
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
  if (p && p->searches && is_possible()) search(*p).run();
}

}  // namespace

void warn_of_missing_search() {
  const std::optional<plan> p = read_plan();
  if (!p || !p->searches) return;
  std::fprintf(stderr, "cohort: warning: COHORT_SCHEDULE=%s has no effect in a program of several processes\n",
               p->text().c_str());
}

}  // namespace cohort::engine
