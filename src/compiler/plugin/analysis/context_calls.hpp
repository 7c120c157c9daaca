// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the engine's position functions: pure queries of a thread's position and of its block's memory.
#pragma once

#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class Function;
}  // namespace llvm

namespace cohort {

enum class context_value {
  thread_index,
  block_index,
  block_dim,
  grid_dim,
  static_shared,
  dynamic_shared,
  cluster_dim,
  device_index,
  exchange,
  variable_delta
};

// The position functions of machine/cpu/port.hpp.
struct context_function {
  const char* name;
  context_value value;
};
inline constexpr context_function context_functions[] = {
    {"cohort_thread_index", context_value::thread_index},   {"cohort_block_index", context_value::block_index},
    {"cohort_block_dim", context_value::block_dim},         {"cohort_grid_dim", context_value::grid_dim},
    {"cohort_static_shared", context_value::static_shared}, {"cohort_dynamic_shared", context_value::dynamic_shared},
    {"cohort_cluster_dim", context_value::cluster_dim},     {"cohort_device_index", context_value::device_index},
    {"cohort_exchange", context_value::exchange},           {"cohort_variable_delta", context_value::variable_delta},
};

// The value that `call` reads, if it calls a position function.
std::optional<context_value> read_by(const llvm::CallBase& call);
// All calls of position functions in `function`.
std::vector<llvm::CallInst*> context_calls(llvm::Function& function);

}  // namespace cohort
