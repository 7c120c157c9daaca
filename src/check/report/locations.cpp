// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/locations.hpp"

#include <cstdint>
#include <cstdio>

#include "check/memory/tool_ports.hpp"
#include "check/report/shared_variables.hpp"

namespace cohort::check {

namespace {

bool lies_in(const char* at, const char* first, size_t bytes) { return at >= first && at < first + bytes; }

std::string offset_in(const char* at, const char* first) { return "byte " + std::to_string(at - first) + " of "; }

std::string describe_shared(const char* at, tools::block_view b) {
  const uint32_t* const index = b.index();
  const std::string owner = "shared memory of block (" + std::to_string(index[0]) + ", " + std::to_string(index[1]) +
                            ", " + std::to_string(index[2]) + ")";
  const char* const fixed = b.static_shared().data();
  if (tools::contains(b.static_shared(), at)) {
    const std::string variable = describe_shared_variable(b.grid().kernel(), static_cast<size_t>(at - fixed));
    if (!variable.empty()) return variable + ", in " + owner;
    return offset_in(at, fixed) + "the static " + owner;
  }
  if (tools::contains(b.dynamic_shared(), at)) return offset_in(at, b.dynamic_shared().data()) + "the dynamic " + owner;
  return b.holds_shared(at) ? "the " + owner : "";
}

// Race reports call pinned memory by one name, whether cudaMallocHost allocated it or cudaHostRegister pinned it.
std::string title_of(const tools::allocation& memory) {
  return memory.is_registered ? "pinned host memory" : tools::kind_name_at(memory.base);
}

}  // namespace

std::string describe_location(const void* address, tools::block_view b) {
  const auto* const at = static_cast<const char*>(address);
  if (b) {
    if (std::string text = describe_shared(at, b); !text.empty()) return text;
    for (const tools::block_view member : b.cluster()) {
      if (std::string text = describe_shared(at, member); !text.empty()) return text;
    }
  }
  tools::allocation memory;
  if (tools::find_allocation(at, &memory)) {
    char base[32];
    std::snprintf(base, sizeof base, "%p", static_cast<const void*>(memory.base));
    return offset_in(at, memory.base) + std::to_string(memory.bytes) + " bytes of " + title_of(memory) + " at " + base;
  }
  tools::named_variable variable;
  if (tools::find_nearest_variable(at, &variable) && lies_in(at, variable.address, variable.bytes) &&
      !variable.name.empty()) {
    return offset_in(at, variable.address) + "the variable " + tools::name_of_symbol(variable.name.c_str());
  }
  char text[48];
  std::snprintf(text, sizeof text, "memory at %p", address);
  return text;
}

std::string allocated_at(const known_allocation& memory) {
  std::string text;
  const std::string made = memory.made ? place_of(*memory.made) : "";
  const std::string freed = memory.freed ? place_of(*memory.freed) : "";
  if (memory.freed) text += ", which were freed" + (freed.empty() ? "" : " at " + freed);
  if (!made.empty()) text += ",\n  allocated at " + made;
  return text;
}

std::string describe_beside(const char* at, const known_allocation& memory) {
  char base[32];
  std::snprintf(base, sizeof base, " at %p", static_cast<const void*>(memory.base));
  const std::string where = memory.freed && memory.contains(at)
                                ? offset_in(at, memory.base) + std::to_string(memory.bytes) + " bytes"
                                : distance_from(at, memory.base, memory.bytes);
  return where + base + allocated_at(memory);
}

}  // namespace cohort::check
