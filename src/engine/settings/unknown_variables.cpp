// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/unknown_variables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "engine/settings/environment.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

constexpr const char* prefix = "COHORT_";

// Variables of cohortcc and of the project's tests, which the engine does not use.
constexpr const char* variables_of_others[] = {"COHORT_CLANG",        "COHORT_EXTRA_PROGRAMS", "COHORT_FULL_SIZE",
                                               "COHORT_NVRTC",        "COHORT_OPENMPI5",       "COHORT_PROPERTY_CASES",
                                               "COHORT_PROPERTY_SEED"};
// Other variables of tests begin with this.
constexpr const char* test_prefix = "COHORT_TEST_";

std::vector<std::string> known_names() {
  std::vector<std::string> names(std::begin(variables_of_others), std::end(variables_of_others));
  for (const setting* s = settings(); s->name; ++s) names.emplace_back(s->name);
  return names;
}

// The number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
// (optimal string alignment).
size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::vector<size_t>> steps(from.size() + 1, std::vector<size_t>(to.size() + 1));
  for (size_t i = 0; i <= from.size(); ++i) {
    for (size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const size_t substituted = steps[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  }
  return steps[from.size()][to.size()];
}

// A mistyped name: a third of its letters behind the prefix are wrong at most.
bool is_similar(const std::string& name, size_t distance) {
  return distance <= std::max<size_t>(1, (name.size() - std::strlen(prefix)) / 3);
}

}  // namespace

std::string warn_of_variable(const std::string& name) {
  if (name.rfind(test_prefix, 0) == 0) return "";
  std::string nearest;
  size_t least = ~size_t{0};
  for (const std::string& known : known_names()) {
    const size_t distance = edit_distance(name, known);
    if (distance == 0) return "";
    if (distance < least) {
      least = distance;
      nearest = known;
    }
  }
  const std::string sentence = "cohort: warning: " + name + " is set, but Cohort has no such variable";
  if (is_similar(name, least)) return sentence + "; " + nearest + " has a similar name\n";
  return sentence + "; `cohort-info --env` lists them\n";
}

void warn_of_unknown_variables() {
  for (const std::string& name : variables_with_prefix(prefix)) {
    const std::string sentence = warn_of_variable(name);
    if (!sentence.empty()) std::fputs(sentence.c_str(), stderr);
  }
}

}  // namespace cohort::engine
