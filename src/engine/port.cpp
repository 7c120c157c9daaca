// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of port.hpp, trace_port.hpp and world_port.hpp. Each is one call of an inline function of a lower
// floor; a wait is a chain of tail calls from here to the context switch.
#include <cohort/machine/cpu/library_version.hpp>
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/layouts.hpp>  // asserts the layouts
#include <cohort/machine/cpu/trace_port.hpp>
#include <cohort/machine/cpu/world_port.hpp>

#include <cstdarg>

#include "engine/execute/device_library.hpp"
#include "engine/execute/failed_lanes.hpp"
#include "engine/launch/admission.hpp"
#include "engine/launch/device.hpp"
#include "engine/launch/pool.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/report.hpp"
#include "engine/schedule/plan.hpp"
#include "engine/state/failure.hpp"
#include "engine/state/shared_memory.hpp"
#include "engine/sync/bulk_copies.hpp"
#include "engine/sync/convergence.hpp"
#include "engine/sync/gang/gang_copies.hpp"
#include "engine/sync/gang/gang_team.hpp"
#include "engine/sync/gang/gang_wait.hpp"
#include "engine/sync/mbarrier.hpp"
#include "engine/sync/named_barrier.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/rendezvous.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/suspend.hpp"
#include "engine/sync/team.hpp"
#include "engine/sync/warpgroup.hpp"
#include "engine/tensor/matrix_product.hpp"
#include "engine/trace/trace.hpp"
#include "engine/world/world.hpp"
#include "engine/world/world_transport.hpp"

using namespace cohort::engine;

// Source place of the kernel's call.
#define COHORT_CALLER __builtin_return_address(0)

// The definition repeats the TLS model: GCC ignores the model of the declaration otherwise.
__thread const cohort_thread_context* cohort_current_thread __attribute__((tls_model("initial-exec"))) = nullptr;

extern "C" {

const char COHORT_LIBRARY = 0;

// The light entries, for callers that preserve no registers (port/kernel_calls.hpp, COHORT_LIGHT_WAITS). Kernels call
// the entries without parameters directly; switch_entry_x86_64.S calls `_unsaved`, which takes its arguments in the
// usual registers.
void cohort_wait_warp_unsaved(uint32_t mask, cohort_resolve resolve, void* operands, const char* op_name);
void cohort_wait_team_unsaved(uint32_t size, cohort_resolve_team resolve, void* operand, const char* op_name);
void cohort_wait_block_light(void);
void cohort_wait_cluster_light(void);
void cohort_wait_grid_light(void);
void cohort_wait_multi_grid_light(void);
void cohort_gang_wait_block_unsaved(const uint32_t* lanes);

// ---------------------------------------------------------------------------------------------------
// Calls of port/calls.inc: waits of a kernel.

void cohort_wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* op_name) {
  return wait_warp<full_switch>(mask, resolve, operands, op_name, COHORT_CALLER);
}
void cohort_wait_warp_unsaved(uint32_t mask, cohort_resolve resolve, void* operands, const char* op_name) {
  return wait_warp<light_switch>(mask, resolve, operands, op_name, COHORT_CALLER);
}

uint32_t cohort_wait_converged(void) { return wait_converged(nullptr, COHORT_CALLER, __builtin_frame_address(0)); }
uint32_t cohort_wait_converged_at(const cohort_path* here) {
  return wait_converged(here, COHORT_CALLER, __builtin_frame_address(0));
}

void cohort_wait_block(void) { return wait_block<full_switch>(COHORT_CALLER); }
void cohort_wait_block_light(void) { return wait_block<light_switch>(COHORT_CALLER); }
uint32_t cohort_wait_block_count(int predicate) {
  return wait_block_vote(block_vote::count, predicate != 0, COHORT_CALLER);
}
int cohort_wait_block_all(int predicate) {
  return wait_block_vote(block_vote::all, predicate == 0, COHORT_CALLER) == 0;
}
int cohort_wait_block_any(int predicate) {
  return wait_block_vote(block_vote::any, predicate != 0, COHORT_CALLER) != 0;
}

void cohort_wait_team(uint32_t size, cohort_resolve_team resolve, void* operand, const char* op_name) {
  return wait_team<full_switch>(size, resolve, operand, op_name, COHORT_CALLER);
}
void cohort_wait_team_unsaved(uint32_t size, cohort_resolve_team resolve, void* operand, const char* op_name) {
  return wait_team<light_switch>(size, resolve, operand, op_name, COHORT_CALLER);
}

void cohort_wait_outer_team(int barrier, cohort_resolve_team resolve, void* operand, const char* op_name) {
  return wait_outer_team<full_switch>(barrier, resolve, operand, op_name, COHORT_CALLER);
}

uint32_t cohort_wait_arrive(int barrier, const char* op_name) { return arrive(barrier, op_name, COHORT_CALLER); }
void cohort_wait_token(int barrier, uint32_t token, const char*) { return wait_token(barrier, token, COHORT_CALLER); }

void cohort_wait_named(uint32_t number, uint32_t threads) { return wait_named(number, threads, COHORT_CALLER); }
void cohort_wait_named_arrive(uint32_t number, uint32_t threads) {
  return arrive_named(number, threads, COHORT_CALLER);
}
uint32_t cohort_wait_named_count(uint32_t number, uint32_t threads, int predicate) {
  return wait_named_vote(number, threads, block_vote::count, predicate != 0, COHORT_CALLER);
}
int cohort_wait_named_all(uint32_t number, uint32_t threads, int predicate) {
  return wait_named_vote(number, threads, block_vote::all, predicate == 0, COHORT_CALLER) == 0;
}
int cohort_wait_named_any(uint32_t number, uint32_t threads, int predicate) {
  return wait_named_vote(number, threads, block_vote::any, predicate != 0, COHORT_CALLER) != 0;
}

int cohort_wait_mbarrier(const uint64_t* mbarrier, uint32_t phase, int forever) {
  return wait_mbarrier(mbarrier, phase, forever != 0, COHORT_CALLER) ? 1 : 0;
}

void cohort_wait_cluster(void) { return wait_outer<full_switch>(cohort_barrier_cluster, COHORT_CALLER); }
void cohort_wait_cluster_light(void) { return wait_outer<light_switch>(cohort_barrier_cluster, COHORT_CALLER); }
void cohort_wait_grid(void) { return wait_outer<full_switch>(cohort_barrier_grid, COHORT_CALLER); }
void cohort_wait_grid_light(void) { return wait_outer<light_switch>(cohort_barrier_grid, COHORT_CALLER); }
void cohort_wait_multi_grid(void) { return wait_outer<full_switch>(cohort_barrier_multi_grid, COHORT_CALLER); }
void cohort_wait_multi_grid_light(void) { return wait_outer<light_switch>(cohort_barrier_multi_grid, COHORT_CALLER); }

void cohort_wait_copies(uint32_t stages) { return wait_copies(stages); }
void cohort_wait_bulk_start(const cohort_bulk_copy* copy) { return start_bulk_copy(*copy, COHORT_CALLER); }
void cohort_reduce_numbers(void* to, const void* from, size_t bytes, unsigned int reduction, unsigned int type) {
  return reduce_into(to, from, bytes, static_cast<cohort_bulk_reduction>(reduction),
                     static_cast<cohort_tensor_type>(type));
}
void cohort_wait_bulk_commit(void) { return commit_bulk_group(); }
void cohort_wait_bulk_groups(uint32_t left, int read) { return wait_bulk_groups(left, read != 0); }
void cohort_wait_yield(void) { return wait_yield(COHORT_CALLER); }
void cohort_wait_sleep(uint32_t) { return wait_yield(COHORT_CALLER); }

// ---------------------------------------------------------------------------------------------------
// Calls of port/calls.inc: waits of gangs. The light entries of the others lead to the ordinary functions.

void cohort_gang_wait_block(const uint32_t* lanes) { return gang_wait_block<full_switch>(lanes, COHORT_CALLER); }
void cohort_gang_wait_block_unsaved(const uint32_t* lanes) {
  return gang_wait_block<light_switch>(lanes, COHORT_CALLER);
}
uint32_t cohort_gang_wait_block_count(const uint32_t* predicates, const uint32_t* lanes) {
  return gang_wait_block_vote(block_vote::count, predicates, lanes, COHORT_CALLER);
}
int cohort_gang_wait_block_all(const uint32_t* predicates, const uint32_t* lanes) {
  return gang_wait_block_vote(block_vote::all, predicates, lanes, COHORT_CALLER) == 0;
}
int cohort_gang_wait_block_any(const uint32_t* predicates, const uint32_t* lanes) {
  return gang_wait_block_vote(block_vote::any, predicates, lanes, COHORT_CALLER) != 0;
}
void cohort_gang_wait_team(uint32_t size, cohort_resolve_team resolve, void* const* operands, const uint32_t* lanes,
                           const char* op_name) {
  return gang_wait_team(size, resolve, operands, lanes, op_name, COHORT_CALLER);
}
uint32_t cohort_gang_wait_arrive(int barrier, const uint32_t* lanes, const char* op_name) {
  return gang_arrive(barrier, lanes, op_name, COHORT_CALLER);
}
void cohort_gang_wait_token(int barrier, const uint32_t* tokens, const uint32_t* lanes, const char*) {
  return gang_wait_token(barrier, tokens, lanes, COHORT_CALLER);
}
void cohort_gang_copy_later(void* const* to, const void* const* from, size_t bytes, const uint32_t* lanes) {
  return gang_copy_later(to, from, bytes, lanes);
}
void cohort_gang_copy_commit(const uint32_t* lanes) { return gang_commit_copies(lanes); }
void cohort_gang_wait_copies(uint32_t stages, const uint32_t* lanes) { return gang_wait_copies(stages, lanes); }
void cohort_gang_refuse_mask(uint32_t lane, uint32_t mask, const char* op_name) {
  gang_refuse_mask(lane, mask, op_name, COHORT_CALLER);
}
void cohort_gang_fail_assert(const char* expression, const char* file, int line, const char* function) {
  fail_gang_assert(expression, file, line, function);
}
void cohort_gang_wait_cluster(const uint32_t* lanes) {
  return gang_wait_outer(cohort_barrier_cluster, lanes, COHORT_CALLER);
}
void cohort_gang_wait_grid(const uint32_t* lanes) { return gang_wait_outer(cohort_barrier_grid, lanes, COHORT_CALLER); }
void cohort_gang_wait_multi_grid(const uint32_t* lanes) {
  return gang_wait_outer(cohort_barrier_multi_grid, lanes, COHORT_CALLER);
}
void cohort_gang_wait_yield(const uint32_t* lanes) { return gang_wait_yield(lanes, COHORT_CALLER); }

// ---------------------------------------------------------------------------------------------------
// Calls of port/calls.inc that never suspend.

void* cohort_cluster_map(const void* address, uint32_t rank) {
  return map_cluster_shared(address, rank, COHORT_CALLER);
}
uint32_t cohort_cluster_owner(const void* address) { return owner_of_cluster_shared(address, COHORT_CALLER); }
void* cohort_cluster_scratch(uint32_t rank) { return scratch_of_cluster(rank, COHORT_CALLER); }
void* cohort_tagged_shared(const void* tag, size_t size, size_t alignment) {
  return tagged_shared(tag, size, alignment, COHORT_CALLER);
}

void* cohort_launch_owner(void) { return launch_owner(); }
int cohort_private_memory(const void* address) { return private_memory(address); }
int cohort_grid_is_cooperative(void) { return grid_is_cooperative(); }
uint64_t cohort_grid_number(void) { return grid_number(); }
int cohort_cluster_is_explicit(void) { return cluster_is_explicit(); }
uint32_t cohort_shared_bytes(uint32_t kind) { return shared_bytes(kind); }
uint32_t cohort_multi_grid_rank(void) { return multi_grid_rank(); }
uint32_t cohort_multi_grid_count(void) { return multi_grid_count(); }
void* cohort_multi_grid_scratch(size_t bytes) { return multi_grid_scratch(bytes, COHORT_CALLER); }
void cohort_multi_grid_put(size_t bytes, size_t offset, const void* from, size_t count) {
  return multi_grid_put(bytes, offset, from, count, COHORT_CALLER);
}

void cohort_mbarrier_completed(const uint64_t* mbarrier) { return mbarrier_completed(mbarrier); }

uint32_t cohort_multi_grid_phase(void) { return multi_grid_phase(); }
char* cohort_array_staging(uint32_t rank) { return array_staging(*current_block().grid->shared, rank, COHORT_CALLER); }
void cohort_array_put(uint32_t rank, size_t offset, const void* from, size_t bytes) {
  return array_put(*current_block().grid->shared, rank, offset, from, bytes);
}

void* cohort_world_address(const void* address, uint32_t rank) {
  return world_address(*current_block().grid->shared, address, rank, COHORT_CALLER);
}
void cohort_world_put(void* to, const void* from, size_t bytes, uint32_t rank) {
  return world_put(*current_block().grid->shared, to, from, bytes, rank, COHORT_CALLER);
}

void cohort_copy_later(void* to, const void* from, size_t bytes) { return copy_later(to, from, bytes); }
void cohort_copy_commit(void) { return commit_copies(); }

void cohort_fail(int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(COHORT_CALLER, error, message, arguments);
  // cppcheck-suppress va_end_missing; fail_with does not return
}
void cohort_fail_at(const void* place, int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(place, error, message, arguments);
  // cppcheck-suppress va_end_missing; fail_with does not return
}
void cohort_fail_assert(const char* expression, const char* file, int line, const char* function) {
  fail_assert(expression, file, line, function);
}

int cohort_print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int printed = print_from_kernel(format, arguments);
  va_end(arguments);
  return printed;
}
uint64_t cohort_clock(void) { return clock_ticks(); }
uint64_t cohort_nanoseconds(void) { return wall_clock_nanoseconds(); }
void cohort_multiply_matrices(uint32_t lanes, void* const* operands) { multiply_matrices(lanes, operands); }
void cohort_multiply_registers(uint64_t form, cohort_matrix_registers* registers) {
  multiply_registers(std::bit_cast<cohort_matrix_form>(form), *registers);
}
void cohort_start_warpgroup_product(uint32_t lanes, void* const* operands) { start_warpgroup_product(lanes, operands); }
void cohort_fence_warpgroup(uint32_t lanes, void* const* operands) { fence_warpgroup(lanes, operands); }
void cohort_fence_async_proxy(void) { note_proxy_fence(); }
void cohort_commit_warpgroup_products(uint32_t lanes, void* const* operands) {
  commit_warpgroup_products(lanes, operands);
}
void cohort_finish_warpgroup_products(uint32_t lanes, void* const* operands) {
  finish_warpgroup_products(lanes, operands);
}

// ---------------------------------------------------------------------------------------------------
// port/host.hpp: the host's side.

int cohort_device_count(void) { return device_count(); }
const cohort_device* cohort_device_get(int device) { return find_device(device); }
void cohort_describe_addresses_by(void (*describe)(const void* address, char* text, size_t size)) {
  describe_addresses_by(describe);
}
void cohort_set_stack_bytes(int device, size_t bytes) { return set_stack_bytes(device, bytes); }

int cohort_max_blocks_per_sm(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes) {
  return most_blocks_per_sm(kernel, device, threads, dynamic_shared_bytes);
}
int cohort_max_clusters(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                        uint32_t cluster_blocks) {
  return most_clusters(kernel, device, threads, dynamic_shared_bytes, cluster_blocks);
}

int cohort_check_launch(const cohort_launch* launch) {
  return launch ? check_launch(*launch) : cohort::error_invalid_value;
}
int cohort_run(const cohort_launch* launch) { return run_launch(launch); }
int cohort_check_multi_device(const cohort_launch* launches, uint32_t count) {
  return check_multi_device(launches, count);
}
int cohort_run_multi_device(const cohort_launch* launches, uint32_t count) {
  return run_multi_device_launch(launches, count);
}

uint32_t cohort_select_number(uint32_t count) { return select_number(count); }
size_t cohort_copy_last_report(char* buffer, size_t size) { return copy_last_report(buffer, size); }

// ---------------------------------------------------------------------------------------------------
// world_port.hpp.

uint32_t cohort_launched_processes(void) { return launched_processes(); }
int cohort_world_shares_memory(void) { return shares_memory(); }
int cohort_world_open(const cohort_network* network, cohort_world** world) { return open_world(network, world); }
int cohort_world_close(cohort_world* world) { return close_world(world); }
uint32_t cohort_world_ranks(const cohort_world* world) { return world->ranks(); }
uint32_t cohort_world_first_rank(const cohort_world* world) { return world->first_rank(); }
uint32_t cohort_world_local_ranks(const cohort_world* world) { return world->view.local_ranks; }
int cohort_world_is_lost(const cohort_world* world) { return world->lost; }
void cohort_world_keep_after_loss(cohort_world* world, int keep) { world->keep_after_loss = keep != 0; }
int cohort_world_allocate(cohort_world* world, size_t bytes, void** memory) {
  return allocate_symmetric(*world, bytes, memory);
}
int cohort_world_free(cohort_world* world, void* memory) { return free_symmetric(*world, memory); }
void* cohort_world_on(const cohort_world* world, const void* address, uint32_t rank) {
  return symmetric_address(*world, address, rank);
}
int cohort_world_smallest(cohort_world* world, uint64_t value, uint64_t* smallest) {
  return find_smallest(*world, value, smallest);
}
int cohort_run_world(cohort_world* world, const cohort_launch* launches, uint32_t count) {
  return run_world_launch(*world, launches, count);
}
int cohort_world_refuse(cohort_world* world, int error) { return refuse_launch(*world, error); }
uint64_t cohort_world_launches(const cohort_world* world) { return world->launches; }

// ---------------------------------------------------------------------------------------------------
// trace_port.hpp.

int cohort_trace_is_on(void) { return trace::of_process() != nullptr; }
uint64_t cohort_trace_time(void) {
  const trace* t = trace::of_process();
  return t ? t->now() : 0;
}
void cohort_trace_slice(const char* category, const char* name, const char* arguments, uint64_t begin) {
  if (track* t = trace::host_track()) t->slice(category, name, arguments ? arguments : "", begin, t->now());
}
void cohort_trace_operation(int device, uint32_t stream, const char* category, const char* name, const char* arguments,
                            uint64_t begin) {
  if (trace* t = trace::of_process()) {
    t->record({device, stream}, category, name, arguments ? arguments : "", begin, t->now());
  }
}
void cohort_trace_mark(const char* category, const char* name, const char* arguments) {
  if (track* t = trace::host_track()) t->mark(category, name, arguments ? arguments : "", t->now());
}
void cohort_trace_range(const char* category, const char* name, const char* arguments, uint64_t id, int begins,
                        uint64_t time) {
  if (track* t = trace::host_track()) t->range(category, name, arguments ? arguments : "", id, begins != 0, time);
}

}  // extern "C"
