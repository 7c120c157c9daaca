// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations between devices, and between a device and the host. All of them access one memory with the same
// instructions, so each link has the operations that device code has.
#include <iterator>

#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

constexpr unsigned both_signs = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned;
constexpr unsigned reduction = cudaAtomicCapabilityReduction;
constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
constexpr unsigned wide = cudaAtomicCapabilityScalar128;

// Index: cudaAtomicOperation.
constexpr unsigned capabilities_of[] = {
    both_signs | reduction | words,                                                   // add
    both_signs | reduction | words,                                                   // minimum
    both_signs | reduction | words,                                                   // maximum
    cudaAtomicCapabilityUnsigned | reduction | cudaAtomicCapabilityScalar32,          // increment
    cudaAtomicCapabilityUnsigned | reduction | cudaAtomicCapabilityScalar32,          // decrement
    both_signs | reduction | words,                                                   // and
    both_signs | reduction | words,                                                   // or
    both_signs | reduction | words,                                                   // exclusive or
    both_signs | words | wide,                                                        // exchange
    both_signs | words | wide,                                                        // compare and swap
    cudaAtomicCapabilitySigned | reduction | words | cudaAtomicCapabilityVector32x4,  // add of floating-point numbers
    0,  // minimum and maximum of floating-point numbers: device code has no such operation
    0,
};

cudaError_t describe(unsigned* capabilities, const cudaAtomicOperation* operations, unsigned count) {
  if (!capabilities || !operations || count == 0) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i) {
    if (static_cast<unsigned>(operations[i]) >= std::size(capabilities_of)) return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < count; ++i) capabilities[i] = capabilities_of[operations[i]];
  return cudaSuccess;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                                unsigned int count, int device) {
  return host_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    return describe(capabilities, operations, count);
  });
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                               unsigned int count, int from, int to) {
  return host_call([&] {
    if (!is_device(from) || !is_device(to) || from == to) return cudaErrorInvalidDevice;
    return describe(capabilities, operations, count);
  });
}

}  // extern "C"
