// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a warpgroup (wgmma): the rules that its warps must keep, and the moment at which a product is executed,
// which is the latest that PTX allows. These are the bodies of the functions of port/calls.inc: resolve functions,
// whose operands are those of port/warpgroup.hpp by lane.
#pragma once

#include <cstdint>

#include "engine/state/block.hpp"

namespace cohort::engine {

/// Notes a product of the warp, with the contents of A in registers and the places of D. Reports a broken rule in the
/// operands.
void start_warpgroup_product(uint32_t lanes, void* const* operands);
/// Orders the warp's accesses of registers before its next products.
void fence_warpgroup(uint32_t lanes, void* const* operands);
/// Ends the group of the products that the warp has started since the last call.
void commit_warpgroup_products(uint32_t lanes, void* const* operands);
/// Executes the products of all ended groups but the latest `left`, in the order of their starts: a later one may have
/// the accumulators of an earlier one.
void finish_warpgroup_products(uint32_t lanes, void* const* operands);

/// Tells listeners of a fence between ordinary accesses and those of asynchronous operations.
void note_proxy_fence();

/// The last lanes of `count` warps return. Fails the launch if all warps of a warpgroup have returned and one lacks a
/// product of the others.
void end_warps_of_products(const block& b, uint32_t first_warp, uint32_t count);

}  // namespace cohort::engine
