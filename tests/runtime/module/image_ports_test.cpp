// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a loaded image may call: exactly the rows of port/calls.inc that have a body.
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/module.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "runtime/image/image_ports.hpp"

namespace {

using cohort::runtime::find_image_port;

constexpr std::string_view callable[] = {
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) #name,
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) #name,
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) #name,
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) #name,
#include <cohort/machine/cpu/port/calls.inc>
};

TEST(ImagePorts, EachRowHasAnAddressOfItsOwn) {
  std::set<const void*> addresses;
  for (const std::string_view name : callable) {
    const void* address = find_image_port(name);
    EXPECT_NE(address, nullptr) << name;
    EXPECT_TRUE(addresses.insert(address).second) << name;
  }
}

TEST(ImagePorts, AddressesAreThoseOfTheFunctions) {
  EXPECT_EQ(find_image_port("cohort_wait_block"), reinterpret_cast<const void*>(&cohort_wait_block));
  EXPECT_EQ(find_image_port("cohort_gang_wait_team"), reinterpret_cast<const void*>(&cohort_gang_wait_team));
  EXPECT_EQ(find_image_port("cohort_heap_free"), reinterpret_cast<const void*>(&cohort_heap_free));
}

TEST(ImagePorts, NothingElseIsFound) {
  // Functions without an entry: position functions are loads, the host's functions are not for kernels, and `_unsaved`
  // is internal to the engine.
  for (const char* name : {"cohort_thread_index", "cohort_gang_lanes", "cohort_run", "cohort_wait_warp_unsaved",
                           "cohort_wait", "malloc", ""}) {
    EXPECT_EQ(find_image_port(name), nullptr) << name;
  }
}

}  // namespace
