// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of arrays over the ranks of a world. Each process checks the results of its ranks.
#include <collective/rank_arrays.hpp>

#include "symmetric.hpp"
#include "the_world.hpp"

namespace {

using namespace testing_arrays;

template <class T, class Op>
COHORT_KERNEL void of_world(form what, T* in, T* out, std::size_t count, unsigned root, int rounds) {
  const auto world = cohort::this_world();
  const unsigned rank = world.rank();
  exchange<T, Op>(world, what, rank, world.num_ranks(), world.on(in, rank), world.on(out, rank), count, root, rounds);
}

struct world_test {
  template <class T, class Op>
  void run(form what, std::size_t count, model::extent grid, model::extent block, std::size_t shift = 0,
           int rounds = 1) const {
    cohort::world& w = testing_kernels::the_world();
    const auto ranks = static_cast<unsigned>(w.size());
    SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(what) << ", " << count << " elements of "
                                    << sizeof(T) << " bytes, " << ranks << " ranks of " << grid.count() << " x "
                                    << block.count() << " threads, shift " << shift);
    const std::size_t results = results_of(ranks, count, shift);
    T *in = nullptr, *out = nullptr;
    ASSERT_FALSE(w.allocate(in, operands_of(ranks, count, shift)));
    ASSERT_FALSE(w.allocate(out, results));
    const unsigned root = ranks * 2 / 3;
    cohort::config shape;
    shape.grid = testing_kernels::shape(grid);
    shape.block = testing_kernels::shape(block);
    ASSERT_FALSE(cohort::launch_world(w, shape, of_world<T, Op>, what, in + shift, out + shift, count, root, rounds));
    for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank) {
      const std::vector<T> found = testing_kernels::read_symmetric(w, out, rank, results);
      ASSERT_EQ(found.size(), results);
      expect_results<T, Op>(what, ranks, static_cast<unsigned>(rank), count, root, found, shift);
    }
    EXPECT_FALSE(w.free(out));
    EXPECT_FALSE(w.free(in));
  }
};

TEST(WorldArrays, EachFormInTheOrderOfTheRanks) { run_forms(world_test()); }
TEST(WorldArrays, ElementsOfAllSizes) { run_element_sizes(world_test()); }
TEST(WorldArrays, AnyAlignment) { run_alignments(world_test()); }
TEST(WorldArrays, LongArraysInManySteps) { run_long_arrays(world_test(), 100003); }
TEST(WorldArrays, BackToBack) { run_back_to_back(world_test()); }
TEST(WorldArrays, UnorderedSumsOfIntegers) { run_unordered(world_test()); }

}  // namespace
