// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes elements of a list while a test still holds (delta debugging: A. Zeller, R. Hildebrandt, "Simplifying and
// isolating failure-inducing input", 2002).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace cohort::engine {

// Returns a list without an element, or a run of elements, that the test could miss. `test(list)` returns a list that
// stands for `list` and is not longer, or nothing if the test does not hold. pre: the test holds for `list`
template <class T, class Test>
std::vector<T> shrink(std::vector<T> list, Test test) {
  using elements = std::vector<T>;
  const auto take = [&](const elements& candidate) {
    std::optional<elements> result = test(candidate);
    if (result) list = std::move(*result);
    return result.has_value();
  };
  if (list.empty() || take({})) return list;

  // The shortest beginning of the list for which the test holds: what follows a failure does not matter.
  // Short ones come first, because a run that hangs takes long.
  const elements all = list;
  const auto take_first = [&](size_t count) {
    return take(elements(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
  };
  size_t fails = 0, holds = all.size();
  for (size_t count = 1; count < holds; count *= 2) {
    if (take_first(count)) {
      holds = count;
    } else {
      fails = count;
    }
  }
  while (holds - fails > 1) {
    const size_t middle = (fails + holds) / 2;
    (take_first(middle) ? holds : fails) = middle;
  }

  for (size_t parts = 2; list.size() > 1;) {
    const size_t count = list.size();
    const auto at = [&](size_t part) { return list.begin() + static_cast<std::ptrdiff_t>(count * part / parts); };
    bool is_smaller = false;
    for (size_t part = 0; part < parts && !is_smaller; ++part) is_smaller = take(elements(at(part), at(part + 1)));
    if (is_smaller) {
      parts = 2;
      continue;
    }
    // Tries to leave out each part. With two parts this would repeat the tests of single parts.
    for (size_t part = parts; parts > 2 && part-- > 0 && !is_smaller;) {
      elements rest(list.begin(), at(part));
      rest.insert(rest.end(), at(part + 1), list.end());
      is_smaller = take(rest);
    }
    if (is_smaller) {
      parts = std::max<size_t>(std::min(parts - 1, list.size()), 2);
    } else if (parts == count) {
      break;
    } else {
      parts = std::min(2 * parts, count);
    }
  }
  return list;
}

}  // namespace cohort::engine
