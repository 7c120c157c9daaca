// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/plan.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  if (own_counts.choices == 0) {
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

std::string plan::text() const {
  std::string text = (searches ? "search:" : "seed:") + std::to_string(number);
  if (depth) text += ",depth:" + std::to_string(depth);
  return text;
}

std::optional<plan> parse_plan(const char* text) {
  plan p;
  p.searches = skip(text, "search:");
  if (!p.searches && !skip(text, "seed:")) return std::nullopt;
  if (!read_number(text, p.number)) return std::nullopt;
  uint64_t depth = 0;
  if (skip(text, ",depth:") && (!read_number(text, depth) || depth == 0 || depth > most_depth)) return std::nullopt;
  p.depth = static_cast<uint32_t>(depth);
  if (*text || (p.searches && p.number == 0)) return std::nullopt;
  return p;
}

std::optional<plan> read_plan() {
  const char* text = read_form_setting(variable);
  if (!text) return std::nullopt;
  const std::optional<plan> p = parse_plan(text);
  if (!p) refuse_form_setting(variable);
  return p;
}

const plan* active_plan() {
  static const std::optional<plan> active = read_plan();
  // A search replaces the setting in each of its runs. If it could not start, the engine's order applies.
  if (!active || active->searches) return nullptr;
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
