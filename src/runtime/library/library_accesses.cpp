// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/library/library_accesses.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include "runtime/guard/memory_guard.hpp"
#include "runtime/memory/copy/memory_side.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

bool library_accesses::is_known(const library_operand& operand) const {
  const char* const first = static_cast<const char*>(operand.first);
  return std::any_of(std::begin(known_), std::end(known_), [&](const range& each) {
    return first >= each.first && first < each.end && operand.span() <= static_cast<size_t>(each.end - first) &&
           (each.writes || !operand.writes);
  });
}

const char* library_accesses::find_illegal(const library_operand& operand) {
  const char* const first = static_cast<const char*>(operand.first);
  if (is_known(operand)) return nullptr;
  if (!can_access(first)) return first;
  const memory_place found = find_memory(first, operand.span(), operand.writes);
  if (found == memory_side::outside) return found.illegal;
  if (found.end) known_[next_++ % std::size(known_)] = {first, found.end, operand.writes};
  return nullptr;
}

void library_accesses::report(const library_operand& operand, const void* illegal) const {
  const std::string description = illegal == operand.first && !illegal ? "a null pointer" : describe_illegal(illegal);
  std::fprintf(stderr, "cohort: %s %s illegal address %p: %s\n", call_, operand.writes ? "writes" : "reads", illegal,
               description.empty() ? "no allocation holds it" : description.c_str());
  if (operand.rows == 1 || operand.pitch == operand.row_bytes) {
    std::fprintf(stderr, "  %s: %zu bytes at %p\n", operand.argument, operand.row_bytes * operand.rows, operand.first);
  } else {
    std::fprintf(stderr, "  %s: %zu rows of %zu bytes, %zu bytes apart, at %p\n", operand.argument, operand.rows,
                 operand.row_bytes, operand.pitch, operand.first);
  }
}

cudaError_t library_accesses::note(const library_operand& operand) {
  if (operand.row_bytes == 0 || operand.rows == 0) return cudaSuccess;
  if (const char* const illegal = find_illegal(operand); illegal || !operand.first) {
    report(operand, illegal);
    return cudaErrorIllegalAddress;
  }
  operation_listener* const listener = installed_operation_listener;
  if (!listener) return cudaSuccess;
  const auto* const at = static_cast<const char*>(operand.first);
  if (operand.pitch == operand.row_bytes) {
    listener->accesses(at, operand.row_bytes * operand.rows, operand.writes);
  } else {
    for (size_t row = 0; row < operand.rows; ++row) {
      listener->accesses(at + row * operand.pitch, operand.row_bytes, operand.writes);
    }
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime
