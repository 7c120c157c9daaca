// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A world of GPUs: every call of the host, and the group with its symmetric memory. It compiles without a warning.
#include <cohort/cohort.hpp>
#if defined(WITH_MPI)
#include <cohort/world_mpi.hpp>
#else
#include <cohort/world.hpp>
#endif

__global__ void ring(cohort::grid_workspace workspace, int* memory, float* sums) {
  const auto world = cohort::this_world();
  const auto grid = cohort::this_grid(workspace);
  const unsigned int next = (world.rank() + 1) % world.num_ranks();
  const int mine = static_cast<int>(world.thread_rank());
  if (grid.thread_rank() == 0) cohort::put(world, memory, &mine, sizeof mine, next);
  auto token = world.barrier_arrive();
  world.barrier_wait(static_cast<decltype(token)&&>(token));
  if (grid.thread_rank() == 1) *world.on(memory + 1, next) = memory[0];
  world.sync();
  float value = cohort::reduce(world, static_cast<float>(memory[1]), cohort::plus<float>());
  value += cohort::inclusive_scan(world, value, cohort::plus<float>());
  value += cohort::exclusive_scan(world, value, cohort::plus<float>());
  value += cohort::broadcast(world, value, 3u) + static_cast<float>(cohort::count(world, value > 1));
  if (cohort::any(world, value > 1) && cohort::all(world, value < 5)) value = 0;
  value += cohort::invoke_one_broadcast(world, [&] { return value; });
  cohort::invoke_one(world, [&] { *sums = value; });
}

int main() {
  cohort::world w;
#if defined(WITH_MPI)
  if (cohort::open_world(w, MPI_COMM_WORLD)) return 1;
#else
  if (cohort::world::open(w)) return 1;
#endif
  int* memory = nullptr;
  float* sums = nullptr;
  w.on_loss(cohort::loss::keep);
  if (w.allocate(memory, 2) || w.allocate(sums, 1)) return 1;
  const cohort::config shape{cohort::largest_grid, 128};
  const float* const values[] = {w.on(sums, w.rank())};
  if (cohort::launch_world(w, shape, ring, memory, sums) || values[0] == nullptr || w.is_lost()) return 1;
  if (w.free(memory) || w.size() < w.local_size()) return 1;
  return w.close() ? 1 : 0;
}
