// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cohort: groups of threads and what they do together. Includes everything that a kernel may use.
#pragma once

#include "base/dim3.hpp"
#include "base/scope.hpp"
#include "collective/broadcast.hpp"
#include "collective/invoke.hpp"
#include "collective/memcpy_async.hpp"
#include "collective/op.hpp"
#include "collective/reduce.hpp"
#include "collective/scan.hpp"
#include "collective/sync.hpp"
#include "collective/vote.hpp"
#include "group/coalesced.hpp"
#include "group/concept.hpp"
#include "group/grid.hpp"
#include "group/partition.hpp"
#include "group/thread_block.hpp"
#include "group/thread_group.hpp"
#include "group/tile.hpp"
