// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/async/pool_table.hpp"

#include <utility>

namespace cohort::runtime {

pool_table& pool_table::instance() {
  static pool_table* const all = new pool_table;
  return *all;
}

void pool_table::prepare() {
  while (default_of.size() < static_cast<size_t>(device_count())) {
    memory_pool* const made = add(static_cast<int>(default_of.size()), 0);
    default_of.push_back(made);
    current_of.push_back(made);
  }
}

memory_pool* pool_table::add(int device, size_t most_bytes) {
  auto fresh = std::make_shared<memory_pool>();
  fresh->device = device;
  fresh->most_bytes = most_bytes;
  memory_pool* const made = fresh.get();
  pools.emplace(made, std::move(fresh));
  return made;
}

}  // namespace cohort::runtime
