// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer access between devices, and their PCI bus ids, which are made up.
#include "runtime/device/device_peer.hpp"

#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

// Pairs (device, peer) with enabled access. Guarded by the scheduler's lock; never destroyed.
std::set<std::pair<int, int>>& enabled_peers() {
  static auto* const all = new std::set<std::pair<int, int>>;
  return *all;
}

}  // namespace

void forget_peers(int device) {
  std::erase_if(enabled_peers(), [device](const auto& pair) { return pair.first == device || pair.second == device; });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return host_call([&] {
    if (!can_access) return cudaErrorInvalidValue;
    if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
    *can_access = device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return device_call([&] {
    const int device = current_device().index;
    if (!is_device(peer) || peer == device) return cudaErrorInvalidDevice;
    if (flags != 0) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    return enabled_peers().emplace(device, peer).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return device_call([&] {
    if (!is_device(peer)) return cudaErrorInvalidDevice;
    auto held = scheduler::instance().lock();
    const bool was_enabled = enabled_peers().erase({current_device().index, peer}) > 0;
    return was_enabled ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return host_call([&] {
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(from) || !is_device(to) || from == to) return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
        *value = 1;
        return cudaSuccess;
      case cudaDevP2PAttrPerformanceRank:
      case cudaDevP2PAttrCudaArrayAccessSupported:
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
        *value = 0;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

// The form is domain:bus:device.function, where `device` is the number of the virtual device.
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return host_call([&] {
    if (!text || size <= 0) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    char full[16];
    const int length = std::snprintf(full, sizeof full, "0000:00:%02x.0", static_cast<unsigned>(device) & 0xffu);
    if (length >= size) return cudaErrorInvalidValue;
    std::memcpy(text, full, static_cast<size_t>(length) + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return host_call([&] {
    if (!device || !text) return cudaErrorInvalidValue;
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned place = 0;
    const bool with_domain = std::sscanf(text, "%x:%x:%x", &domain, &bus, &place) == 3;
    if (!with_domain) {
      domain = 0;
      if (std::sscanf(text, "%x:%x", &bus, &place) != 2) return cudaErrorInvalidValue;
    }
    if (domain != 0 || bus != 0 || !is_device(static_cast<int>(place))) return cudaErrorInvalidDevice;
    *device = static_cast<int>(place);
    return cudaSuccess;
  });
}

}  // extern "C"
