// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random launches: the ranks, sizes, reductions, scans, votes and broadcasts of the block, the cluster and the grid,
// against a sequential model. COHORT_PROPERTY_SEED and COHORT_PROPERTY_CASES set the seed and the number of cases.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "random_groups.hpp"

namespace {

using namespace conformance;

struct whole {
  unsigned long long rank, size, count;
  affine reduced, inclusive, exclusive, broadcast;
  int any, all;
};

struct question {
  unsigned int value;
  int predicate;
};

// The parameters of one launch, equal for all threads.
struct request {
  int op;
  unsigned long long root;  // the broadcast's root, taken modulo the group's size
};

template <class Group>
__device__ whole ask(const Group& g, const question& q, const request& r) {
  const affine value = affine::of(q.value);
  const chosen op{r.op};
  whole w;
  w.rank = g.thread_rank();
  w.size = g.num_threads();
  w.reduced = cg::reduce(g, value, op);
  w.inclusive = cg::inclusive_scan(g, value, op);
  w.exclusive = cg::exclusive_scan(g, value, op);
  w.count = cohort::count(g, q.predicate != 0);
  w.any = cohort::any(g, q.predicate != 0);
  w.all = cohort::all(g, q.predicate != 0);
  w.broadcast = cohort::broadcast(g, value, r.root % w.size);
  g.sync();
  return w;
}

constexpr int groups_of_thread = 3;

__global__ void ask_all(cohort::grid_workspace workspace, request r, const question* in, whole* out) {
  const cohort::grid_group grid = cohort::this_grid(workspace);
  const unsigned long long me = grid.thread_rank();
  whole* mine = out + groups_of_thread * me;
  mine[0] = ask(cg::this_thread_block(), in[me], r);
  mine[1] = ask(cg::this_cluster(), in[me], r);
  mine[2] = ask(grid, in[me], r);
}

// Compares one group with the model. `members` are in the order of their ranks; `which` selects the group among each
// thread's results.
void check_group(const std::vector<std::size_t>& members, int which, const request& r, const memory<question>& in,
                 const memory<whole>& out) {
  const chosen op{r.op};
  unsigned long long count = 0;
  for (std::size_t member : members) count += in[member].predicate != 0;
  affine total = affine::of(in[members[0]].value);
  for (std::size_t rank = 1; rank < members.size(); ++rank) total = op(total, affine::of(in[members[rank]].value));
  affine through{0, 0};
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const affine before = through, mine = affine::of(in[members[rank]].value);
    through = rank == 0 ? mine : op(through, mine);
    const whole& w = out[members[rank] * groups_of_thread + static_cast<std::size_t>(which)];
    SCOPED_TRACE("group " + std::to_string(which) + ", thread " + std::to_string(members[rank]));
    ASSERT_EQ(w.rank, rank);
    ASSERT_EQ(w.size, members.size());
    ASSERT_EQ(w.reduced, total);
    ASSERT_EQ(w.inclusive, through);
    ASSERT_EQ(w.exclusive, before);
    ASSERT_EQ(w.count, count);
    ASSERT_EQ(w.any, count != 0);
    ASSERT_EQ(w.all, count == members.size());
    ASSERT_EQ(w.broadcast, affine::of(in[members[r.root % members.size()]].value));
  }
}

// The blocks of each cluster, in the order of their ranks in the cluster.
std::vector<std::vector<std::size_t>> clusters_of(extent grid, extent cluster) {
  const auto places = model::enumerate(grid);
  const extent count{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  std::vector<std::vector<std::size_t>> clusters(count.count());
  for (std::size_t block = 0; block < places.size(); ++block) {
    const model::position p = places[block];
    clusters[(p.z / cluster.z * count.y + p.y / cluster.y) * count.x + p.x / cluster.x].push_back(block);
  }
  return clusters;  // model::enumerate counts x first, then y, then z, as ranks in a cluster do
}

void test_case(unsigned int seed) {
  SCOPED_TRACE(how_to_repeat(seed));
  std::mt19937 random(seed);
  auto below = [&](unsigned int n) { return static_cast<unsigned int>(random() % n); };
  const extent block = below(2) ? random_block(random) : extent{1 + below(70), 1, 1};
  const extent cluster = below(3) ? extent{1 + below(2), 1 + below(2), 1 + below(2)} : extent{1 + below(8), 1, 1};
  extent grid{cluster.x * (1 + below(2)), cluster.y * (1 + below(2)), cluster.z};
  if (block.count() > 256) grid = cluster;
  SCOPED_TRACE(text(grid) + " blocks of " + text(block) + ", clusters of " + text(cluster));
  const std::size_t threads = grid.count() * block.count();
  const request r{static_cast<int>(below(5)), random()};
  memory<question> in(threads);
  memory<whole> out(threads * groups_of_thread);
  const unsigned int odds = 1 + below(3000);
  for (question& q : in) q = {static_cast<unsigned int>(random()), below(odds) != 0};
  const cohort::config shape{cohort::dim3(grid.x, grid.y, grid.z), cohort::dim3(block.x, block.y, block.z), 0, -1,
                             cohort::dim3(cluster.x, cluster.y, cluster.z)};
  const cohort::error e =
      cohort::launch_cooperative(shape, ask_all, r, static_cast<const question*>(in.data()), out.data());
  if (e.number() == cudaErrorCooperativeLaunchTooLarge) return;  // too large for this device: skip the case
  ASSERT_FALSE(e) << cohort::message(e);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  std::vector<std::size_t> all;
  for (std::size_t b = 0; b < grid.count(); ++b) {
    std::vector<std::size_t> members;
    for (std::size_t t = 0; t < block.count(); ++t) members.push_back(b * block.count() + t);
    check_group(members, 0, r, in, out);
    all.insert(all.end(), members.begin(), members.end());
  }
  for (const std::vector<std::size_t>& blocks : clusters_of(grid, cluster)) {
    std::vector<std::size_t> members;
    for (std::size_t b : blocks) {
      for (std::size_t t = 0; t < block.count(); ++t) members.push_back(b * block.count() + t);
    }
    check_group(members, 1, r, in, out);
  }
  check_group(all, 2, r, in, out);
}

TEST(RandomLaunches, BlockClusterAndGrid) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  use_deep_stacks();
  const unsigned int first = first_seed(), cases = case_count(600);
  for (unsigned int i = 0; i < cases && !HasFailure(); ++i) test_case(first + i);
}

}  // namespace
