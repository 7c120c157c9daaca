// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/plan.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "engine/schedule/order_file.hpp"
#include "engine/schedule/own_order.hpp"
#include "engine/schedule/random.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

constexpr const char* variable = "COHORT_SCHEDULE";
constexpr uint64_t most_depth = 16;

schedule_counts own_counts;
schedule_counts* used_counts = &own_counts;
bool is_counted_elsewhere = false;

// Reads a decimal number and moves `text` to its end.
bool read_number(const char*& text, uint64_t& number) {
  if (*text < '0' || *text > '9') return false;
  number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    if (number > (~uint64_t{0} - 9) / 10) return false;
    number = number * 10 + static_cast<uint64_t>(*text - '0');
  }
  return true;
}

bool skip(const char*& text, const char* word) {
  const size_t length = std::strlen(word);
  if (std::strncmp(text, word, length) != 0) return false;
  text += length;
  return true;
}

void warn(const char* sentence) {
  std::fprintf(stderr, "cohort: warning: %s=%s %s\n", variable, active_plan()->text().c_str(), sentence);
}

// Called at the end of a process that is no run of a search: reports a schedule without an effect.
void report_missing_effect() {
  if (is_counted_elsewhere) return;
  const plan& p = *active_plan();
  const uint64_t switches = p.switches.size(), followed = own_order::followed_switches();
  if (followed < switches) {
    const std::string missing = std::to_string(switches - followed) + " of " + std::to_string(switches);
    warn(("did not apply " + missing + " switches: the file is of another program or another input").c_str());
  } else if (p.kind == plan_kind::file) {
    return;
  } else if (own_counts.choices == 0) {
    warn("had no effect: no launch had two threads or blocks that could run at once");
  } else if (active_plan()->depth > 1 && own_counts.preemption_points == 0) {
    warn("had no preemption: the program is not compiled with cohortcc --check, or its kernels have no atomics");
  }
}

void warn_of_settings_without_effect() {
  for (const setting* s = settings(); s->name; ++s) {
    const bool is_replaced = std::strcmp(s->name, "COHORT_WORKERS") == 0 || std::strcmp(s->name, "COHORT_GANGS") == 0;
    if (is_replaced && text_of(*s)) {
      std::fprintf(stderr, "cohort: warning: %s has no effect beside %s: one worker runs each thread by itself\n",
                   s->name, variable);
    }
  }
}

}  // namespace

namespace {

constexpr const char* kind_words[] = {"seed:", "file:", "search:", "shrink:"};  // indexed by plan_kind

}  // namespace

std::string plan::text() const {
  std::string text = kind_words[static_cast<size_t>(kind)];
  if (kind == plan_kind::file) return text + file;
  text += std::to_string(number);
  if (depth) text += ",depth:" + std::to_string(depth);
  if (!file.empty()) text += ",file:" + file;
  return text;
}

std::optional<plan> parse_plan(const char* text) {
  plan p;
  const char* const* word = kind_words;
  while (word != std::end(kind_words) && !skip(text, *word)) ++word;
  if (word == std::end(kind_words)) return std::nullopt;
  p.kind = static_cast<plan_kind>(word - kind_words);
  if (p.kind == plan_kind::file) {
    p.file = text;
    return *text ? std::optional(p) : std::nullopt;
  }
  if (!read_number(text, p.number)) return std::nullopt;
  uint64_t depth = 0;
  if (skip(text, ",depth:") && (!read_number(text, depth) || depth == 0 || depth > most_depth)) return std::nullopt;
  p.depth = static_cast<uint32_t>(depth);
  if (p.is_search() && skip(text, ",file:")) {
    p.file = text;
    if (p.file.empty()) return std::nullopt;
  } else if (*text) {
    return std::nullopt;
  }
  if (p.is_search() && p.number == 0) return std::nullopt;
  return p;
}

std::optional<plan> read_plan() {
  const char* text = read_form_setting(variable);
  if (!text) return std::nullopt;
  const std::optional<plan> p = parse_plan(text);
  if (!p) refuse_form_setting(variable);
  return p;
}

namespace {

std::optional<plan> read_active_plan() {
  std::optional<plan> p = read_plan();
  // A search replaces the setting in each of its runs. If it could not start, the engine's order applies.
  if (!p || p->is_search()) return std::nullopt;
  if (p->kind == plan_kind::file) {
    const std::string fault = read_order(p->file, p->switches);
    if (!fault.empty()) {
      std::fprintf(stderr, "cohort: %s: %s is no order of threads: %s\n", variable, p->file.c_str(), fault.c_str());
      std::exit(2);
    }
  }
  return p;
}

}  // namespace

const plan* active_plan() {
  static const std::optional<plan> active = read_active_plan();
  if (!active) return nullptr;
  static const bool prepared = [] {
    warn_of_settings_without_effect();
    std::atexit(report_missing_effect);
    return true;
  }();
  return prepared ? &*active : nullptr;
}

uint32_t select_number(uint32_t count) {
  static std::atomic<uint64_t> choices{0};
  const plan* const active = active_plan();
  if (!active || active->number == 0 || count < 2) return 0;
  return static_cast<uint32_t>(mix(active->number, choices.fetch_add(1)) % count);
}

void count_in(schedule_counts& shared) {
  used_counts = &shared;
  is_counted_elsewhere = true;
}

schedule_counts& counts() { return *used_counts; }

}  // namespace cohort::engine
