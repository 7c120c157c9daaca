// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a series over all threads of all processes of a job, in plain C++. Each rank gets the same bits.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <cohort/cohort.hpp>
#include <cohort/world_mpi.hpp>

#include "../support/options.hpp"

// The sums that one rank computes.
struct sums {
  double forward;   // sum of 1 / i^2 for all terms
  double from_all;  // sum of what all ranks have put into this one's memory
};

// Adds 1 / i^2 for i = 1 .. terms.
void add_series(long long terms, sums* result, double* slots) {
  const auto world = cohort::this_world();
  const auto grid = cohort::this_grid();
  double mine = 0;
  for (auto i = static_cast<long long>(world.thread_rank()); i < terms;
       i += static_cast<long long>(world.num_threads())) {
    const auto x = static_cast<double>(i + 1);
    mine += 1 / (x * x);
  }
  const double sum = cohort::reduce(world, mine, cohort::plus<double>());

  //! [world_sync]
  // One thread of each rank puts a share of the sum into the memory of every rank.
  if (grid.thread_rank() == 0) {
    const double share = sum / world.num_ranks();
    for (unsigned rank = 0; rank < world.num_ranks(); ++rank) {
      cohort::put(world, slots + world.rank(), &share, sizeof share, rank);
    }
  }
  world.sync();  // all puts have arrived
  const double* const arrived = world.on(slots, world.rank());
  //! [world_sync]
  if (grid.thread_rank() == 0) {
    sums* const own = world.on(result, world.rank());
    own->forward = sum;
    own->from_all = 0;
    for (unsigned rank = 0; rank < world.num_ranks(); ++rank) own->from_all += arrived[rank];
  }
}

int main(int argc, char** argv) {
  long long terms = 1000000, blocks = 2;
  example::options("world_sum", "a sum over all processes of a job")
      .number("--terms", terms, 1, 1000000000, "terms of the series")
      .number("--blocks", blocks, 1, 1024, "blocks of 64 threads on each rank")
      .parse(argc, argv);

  //! [launch_world]
  cohort::world world;
  if (const cohort::error e = cohort::world::open(world)) {
    std::fprintf(stderr, "world_sum: %s\n", cohort::message(e));
    return 1;
  }
  sums* result = nullptr;
  double* slots = nullptr;
  if (world.allocate(result, 1) || world.allocate(slots, static_cast<size_t>(world.size()))) return 1;
  const cohort::config shape{static_cast<unsigned>(blocks), 64};
  if (cohort::launch_world(world, shape, add_series, terms, result, slots)) return 1;
  //! [launch_world]

  const double pi = std::acos(-1.0);
  const double expected = pi * pi / 6 - 1.0 / static_cast<double>(terms);  // with an error of up to 1 / terms^2
  bool right = true;
  for (int rank = world.rank(); rank < world.rank() + world.local_size(); ++rank) {
    const sums& found = *world.on(result, rank);
    const double tolerance = 1e-9 + 1.0 / (static_cast<double>(terms) * static_cast<double>(terms));
    const bool close =
        std::fabs(found.forward - expected) < tolerance && std::fabs(found.from_all - found.forward) < 1e-12;
    unsigned long long bits = 0;
    std::memcpy(&bits, &found.forward, sizeof bits);
    std::printf("rank %d of %d: %.15f, bits %016llx: %s\n", rank, world.size(), found.forward, bits,
                close ? "right" : "WRONG");
    right = right && close;
  }
  return example::verdict(right, "the sum on each rank of this process");
}
