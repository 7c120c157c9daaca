// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/image_ports.hpp"

// Each function that kernels may call: the functions of port/calls.inc that have a body, their light entries on x86-64,
// and the runtime API's device functions.
#define COHORT_ordinary(name) COHORT_PORT(name)
#if defined(__x86_64__)
#define COHORT_light(name) COHORT_PORT(name) COHORT_PORT(name##_light)
#else
#define COHORT_light(name) COHORT_PORT(name)
#endif

// Only the addresses are used. The type `char` stands for all, because no header declares all of these functions.
extern "C" {
#define COHORT_PORT(name) extern const char name[];
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) COHORT_PORT(name)
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) COHORT_##entries(name)
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) COHORT_light(name)
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) COHORT_PORT(name)
#include <cohort/machine/cpu/port/calls.inc>
COHORT_PORT(cudaGetErrorName)
COHORT_PORT(cudaGetErrorString)
#undef COHORT_PORT
}

namespace cohort::runtime {
namespace {

struct port {
  std::string_view name;
  const void* address;
};

#define COHORT_PORT(name) {#name, name},
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) COHORT_PORT(name)
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) COHORT_##entries(name)
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) COHORT_light(name)
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) COHORT_PORT(name)
const port ports[] = {
#include <cohort/machine/cpu/port/calls.inc>
    COHORT_PORT(cudaGetErrorName) COHORT_PORT(cudaGetErrorString)};
#undef COHORT_PORT

}  // namespace

const void* find_image_port(std::string_view name) {
  for (const port& p : ports) {
    if (p.name == name) return p.address;
  }
  return nullptr;
}

}  // namespace cohort::runtime
