// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tools/tool_port.hpp"

#include <utility>

#include "runtime/error/error.hpp"
#include "runtime/guard/device_heap.hpp"
#include "runtime/guard/kernel_heap.hpp"
#include "runtime/library/library_operation.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/copy/copy_operation.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::tools {

bool operation_view::is_copy() const { return dynamic_cast<const runtime::copy_operation*>(&operation_) != nullptr; }

const char* operation_view::library_call() const {
  const auto* const call = dynamic_cast<const runtime::library_operation*>(&operation_);
  return call ? call->name() : nullptr;
}

bool operation_view::has_other_streams() const { return operation_.device && !operation_.device->streams.empty(); }

void operation_view::fail_device(cudaError_t error) const {
  if (operation_.device) runtime::record_failure(*operation_.device, error);
}

void follow_operations(operation_listener& listener, bool keeps_freed_memory) {
  runtime::installed_operation_listener = &listener;
  runtime::keeps_freed_memory = keeps_freed_memory;
}

bool find_allocation(const void* address, allocation* found) {
  runtime::allocation known;
  if (!runtime::allocation_table::instance().find(address, &known)) return false;
  *found = {known.base,
            known.bytes,
            runtime::is_own_device_memory(known.kind),
            known.kind == runtime::memory_kind::opened,
            known.kind == runtime::memory_kind::registered,
            known.exported};
  return true;
}

std::string kind_name_at(const void* address) {
  runtime::allocation known;
  return runtime::allocation_table::instance().find(address, &known) ? runtime::name_of(known) : "";
}

bool find_variable(const void* address, variable* found) {
  runtime::variable known{};
  if (!runtime::symbol_table::instance().find_variable_around(address, &known)) return false;
  *found = {static_cast<const char*>(known.address), known.bytes, (known.flags & cohort_variable_constant) != 0};
  return true;
}

bool find_nearest_variable(const void* address, named_variable* found) {
  runtime::named_variable known;
  if (!runtime::symbol_table::instance().find_nearest(address, &known)) return false;
  *found = {std::move(known.name), known.address, known.bytes};
  return true;
}

heap_place find_in_heap(const void* address) {
  const runtime::kernel_heap& heap = runtime::process_kernel_heap();
  heap_place found;
  found.is_in_heap = heap.holds(address);
  if (!found.is_in_heap) return found;
  runtime::memory_range block;
  found.has_block = heap.find_near(address, &block, &found.is_live);
  if (found.has_block) found.block = {block.base, block.bytes};
  return found;
}

}  // namespace cohort::tools
