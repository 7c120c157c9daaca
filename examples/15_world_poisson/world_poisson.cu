// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves Poisson's equation on a square by conjugate gradients, over all processes of a job or all devices of one. Each
// rank holds a run of grid rows. Neighbours exchange their edge rows by put, and both dot products of a step are
// reductions over the world: their order is written down, so the result has the same bits on 1, 2 or 4 ranks.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <cohort/cohort.hpp>
#include <cohort/world_mpi.hpp>

#include "../support/options.hpp"

// The square has size x size unknowns. Each thread of the world owns a strip of adjacent rows, and each rank the strips
// of its threads.
struct square {
  int size;
  int strips;          // threads in all ranks
  int strips_of_rank;  // threads in one rank

  __host__ __device__ int first_row(int strip) const {
    return static_cast<int>(static_cast<long long>(size) * strip / strips);
  }
  __host__ __device__ int rows_of_rank(int rank) const {
    return first_row((rank + 1) * strips_of_rank) - first_row(rank * strips_of_rank);
  }
};

// The values of one rank, by row and column. Its first and its last row hold copies of rows of the neighbours.
struct field {
  double* values;
  int size;
  __device__ double& at(int row, int column) const { return values[static_cast<long long>(row) * size + column]; }
};

struct outcome {
  double error;             // largest difference from the exact solution
  double residue;           // square of the last step's residue
  unsigned long long bits;  // exclusive or of the solution's bits
};

__host__ __device__ inline double exact(int row, int column) { return (row * 7 + column * 3) % 11 - 5.0; }

// The five-point operator at one place, where `u(row, column)` is zero beyond the square.
template <class U>
__device__ double apply(const U& u, int row, int column) {
  return 4 * u(row, column) - u(row - 1, column) - u(row + 1, column) - u(row, column - 1) - u(row, column + 1);
}

// Symmetric memory for the four vectors of the method.
struct vectors {
  double *x, *r, *p, *q;
};

__global__ void solve(square s, vectors symmetric, outcome* results, int steps) {
  const auto world = cohort::this_world();
  const auto grid = cohort::this_grid();
  const int rank = static_cast<int>(world.rank()), strip = static_cast<int>(world.thread_rank());
  const int above = s.first_row(rank * s.strips_of_rank) - 1;  // global row of local row 0
  const int begin = s.first_row(strip) - above, end = s.first_row(strip + 1) - above;
  const field x{world.on(symmetric.x, world.rank()), s.size}, r{world.on(symmetric.r, world.rank()), s.size};
  const field p{world.on(symmetric.p, world.rank()), s.size}, q{world.on(symmetric.q, world.rank()), s.size};
  // Calls f(row, column) for each place of the thread's strip, with local rows.
  const auto each = [&](const auto& f) {
    for (int row = begin; row < end; ++row) {
      for (int column = 0; column < s.size; ++column) f(row, column);
    }
  };
  const auto dot = [&](const field& a, const field& b) {
    double sum = 0;
    each([&](int row, int column) { sum += a.at(row, column) * b.at(row, column); });
    return cohort::reduce(world, sum, cohort::plus<double>());
  };

  // The right-hand side comes from the exact solution, and the first guess is zero.
  each([&](int row, int column) {
    const auto u = [&](int i, int j) { return i < 0 || j < 0 || i >= s.size || j >= s.size ? 0.0 : exact(i, j); };
    x.at(row, column) = 0;
    r.at(row, column) = p.at(row, column) = apply(u, row + above, column);
  });
  double rr = dot(r, r);
  for (int step = 0; step < steps && rr > 1e-22; ++step) {
    const size_t row_bytes = static_cast<size_t>(s.size) * sizeof(double);
    if (grid.thread_rank() == 0 && rank > 0) {
      const long long behind = s.rows_of_rank(rank - 1) + 1;
      cohort::put(world, symmetric.p + behind * s.size, &p.at(begin, 0), row_bytes, world.rank() - 1);
    }
    if (grid.thread_rank() + 1 == grid.num_threads() && world.rank() + 1 < world.num_ranks()) {
      cohort::put(world, symmetric.p, &p.at(end - 1, 0), row_bytes, world.rank() + 1);
    }
    world.sync();
    each([&](int row, int column) {
      const auto u = [&](int i, int j) { return j < 0 || j >= s.size ? 0.0 : p.at(i, j); };
      q.at(row, column) = apply(u, row, column);
    });
    const double alpha = rr / dot(p, q);
    each([&](int row, int column) {
      x.at(row, column) += alpha * p.at(row, column);
      r.at(row, column) -= alpha * q.at(row, column);
    });
    const double before = rr;
    rr = dot(r, r);
    each([&](int row, int column) { p.at(row, column) = r.at(row, column) + rr / before * p.at(row, column); });
  }

  double error = 0;
  unsigned long long bits = 0;
  each([&](int row, int column) {
    const double difference = x.at(row, column) - exact(row + above, column);
    error = fmax(error, fabs(difference));
    bits ^= static_cast<unsigned long long>(__double_as_longlong(x.at(row, column))) * (2u * (row + above) + 1);
  });
  const outcome found{cohort::reduce(world, error, cohort::greater<double>()), rr,
                      cohort::reduce(world, bits, cohort::bit_xor<unsigned long long>())};
  if (grid.thread_rank() == 0) *world.on(results, world.rank()) = found;
}

int main(int argc, char** argv) {
  long long size = 128, strips = 64, steps = 1000;
  example::options("world_poisson", "Poisson's equation by conjugate gradients over several processes")
      .number("--size", size, 8, 8192, "rows and columns of unknowns")
      .number("--strips", strips, 1, 8192, "threads of all ranks; raised to a multiple of the ranks")
      .number("--steps", steps, 1, 1000000, "steps at most")
      .parse(argc, argv);
  cohort::world world;
  if (const cohort::error e = cohort::world::open(world)) {
    std::fprintf(stderr, "world_poisson: %s\n", cohort::message(e));
    return 1;
  }
  square s{static_cast<int>(size), 0, 0};
  s.strips_of_rank = static_cast<int>((strips + world.size() - 1) / world.size());
  s.strips = s.strips_of_rank * world.size();
  if (s.strips > s.size) {
    std::fprintf(stderr, "world_poisson: %d rows are too few for %d strips\n", s.size, s.strips);
    return 1;
  }
  int rows = 0;  // the most rows that a rank has
  for (int rank = 0; rank < world.size(); ++rank) rows = rows < s.rows_of_rank(rank) ? s.rows_of_rank(rank) : rows;
  const size_t values = static_cast<size_t>(rows + 2) * static_cast<size_t>(s.size);
  vectors v{};
  outcome* results = nullptr;
  if (world.allocate(v.x, values) || world.allocate(v.r, values) || world.allocate(v.p, values) ||
      world.allocate(v.q, values) || world.allocate(results, 1)) {
    return 1;
  }
  // A rank has blocks of at most 32 threads, which are all full.
  unsigned threads = 32;
  while (static_cast<unsigned>(s.strips_of_rank) % threads != 0) --threads;
  const cohort::config shape{static_cast<unsigned>(s.strips_of_rank) / threads, threads};
  if (cohort::launch_world(world, shape, solve, s, v, results, static_cast<int>(steps))) return 1;

  bool right = true;
  for (int rank = world.rank(); rank < world.rank() + world.local_size(); ++rank) {
    const outcome& found = *world.on(results, rank);
    right = right && found.error < 1e-8;
    if (rank == 0) {
      std::printf("%d x %d unknowns on %d ranks: error %.2e, residue %.2e\n", s.size, s.size, world.size(), found.error,
                  found.residue);
      std::printf("solution: bits %016llx\n", found.bits);
    }
  }
  return example::verdict(right, "the solution on each rank of this process");
}
