// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a kernel's functions on a fiber. No exception may leave a fiber.
#pragma once

#include <cxxabi.h>

#include <exception>
#include <string>
#include <typeinfo>

#include "../report/source_place.hpp"
#include "../state/worker.hpp"

namespace cohort::engine {

inline void fail_with_exception(worker& w, const std::string& type, const std::string& rest) {
  w.failed = {error_launch_failure, "an exception of type " + type + " left the kernel" + rest};
}

// False if an exception left the kernel: worker::failed states it.
template <class Call>
bool call_kernel(worker& w, Call call) {
  try {
    call();
    return true;
  } catch (const std::exception& e) {
    fail_with_exception(w, demangle(typeid(e).name()), std::string(": ") + e.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    fail_with_exception(w, type ? demangle(type->name()) : "unknown", "");
  }
  return false;
}

}  // namespace cohort::engine
