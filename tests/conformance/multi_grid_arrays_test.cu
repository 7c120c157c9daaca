// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of the grids of a launch over several devices, which CUDA never had, against the model: on one, two and all
// devices.
#include <cohort/launch.hpp>
#include <collective/rank_arrays.hpp>

#include "conformance.hpp"
#include "machine.hpp"

namespace {

using namespace testing_arrays;

// The operands and results of a grid lie in its part of both arrays.
template <class T, class Op>
__global__ void of_multi_grid(form what, T* in, std::size_t operands, T* out, std::size_t results, std::size_t shift,
                              std::size_t count, unsigned root, int rounds) {
  const auto all = cohort::this_multi_grid();
  const unsigned rank = all.grid_rank();
  exchange<T, Op>(all, what, rank, all.num_grids(), in + rank * operands + shift, out + rank * results + shift, count,
                  root, rounds);
}

struct multi_grid_test {
  template <class T, class Op>
  void run(form what, std::size_t count, model::extent grid, model::extent block, std::size_t shift = 0,
           int rounds = 1) const {
    const int most = conformance::device_count();
    for (int devices : {1, 2, most}) {
      if (devices > most) continue;
      const auto ranks = static_cast<unsigned>(devices);
      SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(what) << ", " << count << " elements of "
                                      << sizeof(T) << " bytes, " << ranks << " grids of " << grid.count() << " x "
                                      << block.count() << " threads, shift " << shift);
      // Each rank's part of an array begins on a page of its own.
      constexpr std::size_t unit = 4096;
      const std::size_t operands = (operands_of(ranks, count, shift) + unit - 1) / unit * unit;
      const std::size_t results = (results_of(ranks, count, shift) + unit - 1) / unit * unit;
      conformance::memory<T> in(operands * ranks), out(results * ranks);
      std::memset(static_cast<void*>(out.data()), 0, results * ranks * sizeof(T));
      const unsigned root = ranks * 2 / 3;
      const cohort::error e = cohort::launch_multi_device(
          devices, {conformance::shape(grid), conformance::shape(block)}, of_multi_grid<T, Op>, what, in.data(),
          operands, out.data(), results, shift, count, root, rounds);
      ASSERT_EQ(e.number(), 0) << cohort::message(e);
      for (unsigned rank = 0; rank < ranks; ++rank) {
        const T* const begin = out.data() + rank * results;
        const std::vector<T> found(begin, begin + results_of(ranks, count, shift));
        expect_results<T, Op>(what, ranks, rank, count, root, found, shift);
      }
    }
  }
};

// nvcc takes ten minutes for all kernels, so tools/gpu_conformance.sh compiles them in pieces.
#if !defined(CONFORMANCE_PIECE)
#define IN_PIECE(number) 1
#else
#define IN_PIECE(number) (CONFORMANCE_PIECE == (number))
#endif

#if IN_PIECE(1)
TEST(MultiGridArrays, EachFormInTheOrderOfTheGrids) { run_forms(multi_grid_test()); }
#endif
#if IN_PIECE(2)
TEST(MultiGridArrays, SmallElements) { run_small_elements(multi_grid_test()); }
#endif
#if IN_PIECE(3)
TEST(MultiGridArrays, LargeElements) { run_large_elements(multi_grid_test()); }
#endif
#if IN_PIECE(4)
TEST(MultiGridArrays, AnyAlignment) { run_alignments(multi_grid_test()); }
#endif
#if IN_PIECE(5)
TEST(MultiGridArrays, LongArraysInManySteps) {
  run_long_arrays(multi_grid_test(), conformance::on_engine() ? 100003 : 3000017);
}
#endif
#if IN_PIECE(6)
TEST(MultiGridArrays, BackToBack) { run_back_to_back(multi_grid_test()); }
#endif
#if IN_PIECE(7)
TEST(MultiGridArrays, UnorderedSumsOfIntegers) { run_unordered(multi_grid_test()); }
#endif

}  // namespace
