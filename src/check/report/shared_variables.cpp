// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/shared_variables.hpp"

#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "check/memory/tool_ports.hpp"

extern "C" {
extern __attribute__((weak)) const cohort_shared_variable __start_cohort_check_shared[];
extern __attribute__((weak)) const cohort_shared_variable __stop_cohort_check_shared[];
}

namespace cohort::check {

namespace {

using variable_list = std::vector<const cohort_shared_variable*>;

const variable_list& variables_of(const cohort_kernel& kernel) {
  static std::mutex mutex;
  static auto& by_kernel = *new std::map<const cohort_kernel*, variable_list>;
  static thread_local const cohort_kernel* latest = nullptr;
  static thread_local const variable_list* latest_list = nullptr;
  if (latest == &kernel) return *latest_list;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = by_kernel.try_emplace(&kernel);
  if (is_new && __start_cohort_check_shared) {
    for (const cohort_shared_variable* v = __start_cohort_check_shared; v != __stop_cohort_check_shared; ++v) {
      if (std::string_view(v->kernel) == kernel.name) at->second.push_back(v);
    }
  }
  latest = &kernel;
  latest_list = &at->second;
  return at->second;
}

const cohort_shared_variable* find_variable(const cohort_kernel& kernel, size_t offset) {
  for (const cohort_shared_variable* v : variables_of(kernel)) {
    if (offset >= v->offset && offset < v->offset + v->bytes) return v;
  }
  return nullptr;
}

std::string name_of(const cohort_shared_variable& v) {
  const std::string full = tools::name_of_symbol(v.name);
  const size_t scope = full.rfind("::");  // end of the name of the enclosing function
  return "the shared variable " + (scope == std::string::npos ? full : full.substr(scope + 2));
}

size_t distance(const cohort_shared_variable& v, size_t offset) {
  if (offset < v.offset) return v.offset - offset;
  return offset < v.offset + v.bytes ? 0 : offset - (v.offset + v.bytes) + 1;
}

}  // namespace

bool find_shared_variable(const cohort_kernel& kernel, size_t offset, size_t* first, size_t* bytes) {
  if (variables_of(kernel).empty()) return true;
  const cohort_shared_variable* const v = find_variable(kernel, offset);
  if (!v) return false;
  *first = v->offset;
  *bytes = v->bytes;
  return true;
}

std::string describe_shared_variable(const cohort_kernel& kernel, size_t offset) {
  const cohort_shared_variable* const v = find_variable(kernel, offset);
  return v ? "byte " + std::to_string(offset - v->offset) + " of " + name_of(*v) : "";
}

std::string distance_from(const char* at, const char* first, size_t bytes) {
  if (at >= first && at < first + bytes) {
    return "beyond the end of " + std::to_string(bytes) + " bytes, from byte " + std::to_string(at - first);
  }
  return tools::distance_from(reinterpret_cast<uintptr_t>(at), first, bytes);
}

std::string describe_beside_shared(const char* at, tools::block_view b) {
  const tools::memory_span fixed = b.static_shared(), dynamic = b.dynamic_shared();
  const auto lies_in_or_behind = [at](tools::memory_span memory) {
    return at >= memory.data() && at < memory.data() + memory.size() + unused_bytes;
  };
  const bool in_static = lies_in_or_behind(fixed);
  const bool in_dynamic = !dynamic.empty() && lies_in_or_behind(dynamic);
  if (!in_static && !in_dynamic) return "";
  const auto offset = static_cast<size_t>(at - fixed.data());
  const cohort_shared_variable* nearest = nullptr;
  for (const cohort_shared_variable* v : variables_of(b.grid().kernel())) {
    if (!nearest || distance(*v, offset) < distance(*nearest, offset)) nearest = v;
  }
  if (nearest && !in_dynamic)
    return distance_from(at, fixed.data() + nearest->offset, nearest->bytes) + " of " + name_of(*nearest);
  return distance_from(at, dynamic.data(), dynamic.size()) + " of dynamic shared memory";
}

}  // namespace cohort::check
