// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problems of the programs, and two functions for each: kernels with the launches that CUDA programs have
// (`cuda`), and loops with OpenMP (`openmp`). Each function exists for this CPU (`native`) and for any CPU with AVX2
// (`avx2`). Pointers are to host memory. A failed launch ends the program with the error.
#pragma once

#include <cstdint>

namespace bench {

namespace problems {

// Factorizes the matrix in place into L * U, without pivoting; L has a diagonal of ones. n % 16 == 0
struct lu {
  float* matrix;
  int n;
};

// Finds the cheapest path to each column, row by row: to[x] = cost + the least of three neighbours. A launch does
// `steps` rows.
struct pyramid_1d {
  const int32_t* cost;  // rows x columns
  int32_t* first;       // columns; first the costs above row 0, then scratch
  int32_t* second;      // columns; the result is in `first` if the number of launches is even, otherwise here
  int columns, rows, steps;
};

// Explicit steps of the heat equation with a source, on a plane whose border reflects.
struct heat_2d {
  const float* source;
  float* first;
  float* second;  // the result if `launches` is odd; if it is even, the result is in `first`
  int width, height, launches, steps;
};

// Jacobi steps with seven points in a box; points of the border keep their values.
struct stencil_3d {
  float* first;
  float* second;  // has the border of `first`, too; the result is in `first` if `steps` is even
  int width, height, depth, steps;
};

// Scores of the alignment of two sequences. score has n + 1 rows and columns; row 0 and column 0 are inputs.
// n % 16 == 0
struct wavefront {
  const int32_t* match;
  int32_t* score;
  int n, gap;
};

// Anisotropic diffusion of a plane in tiles; variance and mean are taken from the whole plane before each step.
struct diffusion {
  float* image;
  float* other;        // scratch; the result is in `image` if `steps` is even
  float* coefficient;  // scratch
  double* sums;        // scratch with 2 * 65 elements
  int width, height, steps;
  float rate;

  static constexpr int tile = 16;
  static int tiles(int points) { return (points + tile - 1) / tile; }
};

// Diffusion of a plane by columns, with tables of each row's and column's neighbours; the mean is a tree of sums.
struct despeckle {
  float* image;
  float* other;     // scratch; the result is in `image` if `steps` is even
  float* partials;  // scratch, an element for each 512 points
  const int32_t *north, *south, *west, *east;
  int rows, columns, steps;
};

// A layer of a neural network forward, and its weights after one step of training backward. inputs % 16 == 0
struct back_propagation {
  const float* input;  // inputs
  float* weights;      // inputs x hidden
  float* change;       // the last step's changes of `weights`
  const float* delta;  // hidden
  float* hidden;       // the result of the forward step
  float* partials;     // scratch: inputs / 16 x hidden
  int inputs;
  static constexpr int hidden_units = 16;
  static constexpr float rate = 0.3f, momentum = 0.3f;
};

// Computes out = matrix * vector for a matrix in compressed rows.
struct sparse_product {
  const int32_t* first;  // rows + 1
  const int32_t* column;
  const float* value;
  const float* vector;
  float* out;
  int rows;
};

// Finds the distance of each node from node 0, level by level; -1: there is no path.
struct breadth_first {
  const int32_t* first;  // nodes + 1
  const int32_t* edge;
  int32_t* distance;
  int32_t *frontier, *next;  // scratch, an element for each node
  int32_t* count;            // scratch, one element
  int nodes;
};

// Clusters points by Lloyd's algorithm. The coordinates of points are stored by axes.
struct k_means {
  const float* points;  // axes x n
  float* centers;       // clusters x axes; the initial ones, then the result
  float* sums;          // scratch: clusters x axes; zeros before and after a run
  int32_t* counts;      // scratch: clusters; zeros before and after a run
  int32_t* nearest;     // n
  int n, turns;
  static constexpr int axes = 4, clusters = 16;
};

// Computes the forces between particles that are closer than the width of a cell, in a box of side^3 cells.
struct particles {
  const float* position;  // cells x per_cell x {x, y, z, charge}
  float* force;           // cells x per_cell x {x, y, z, potential}
  int side;
  static constexpr int per_cell = 64;
};

struct radix_sort {
  uint32_t* keys;
  uint32_t* other;   // scratch
  uint32_t* counts;  // scratch: digits for each tile
  int n;
  static constexpr int tile = 1024, digits = 16;
};

// Computes inclusive prefix sums in one pass over the input.
struct lookback_scan {
  const int32_t* in;
  int32_t* out;
  uint64_t* states;  // scratch: an element for each tile, and one for the counter; zeros before a run
  int n;
  static constexpr int tile = 2048;
};

// Computes c = a * b for n x n matrices; n % 16 == 0
struct matrix_tiles {
  const float *a, *b;
  float* c;
  int n;
};

// Applies a separable filter of 2 * radius + 1 points along rows, then along columns; outside of the image are zeros.
struct convolution {
  const float* in;
  const float* filter;
  float* rows;  // scratch
  float* out;
  int width, height;
  static constexpr int radius = 8;
};

struct histogram {
  const uint8_t* in;
  uint32_t* counts;  // 256 counts, which are zeros before a run
  int n;
};

// Does steps of the Euler equations on the cells of a mesh, which have four neighbours each; values are stored by
// variables.
struct euler_mesh {
  const int32_t* neighbour;  // faces x elements; -1: a wall
  const float* normal;       // faces x axes x elements
  const float* volume;
  float* state;   // variables x elements: density, momentum of three axes, energy
  float* flux;    // scratch: variables x elements
  float* length;  // scratch: the step of each cell
  int elements, steps;
  static constexpr int faces = 4, axes = 3, variables = 5;
  static constexpr float gamma = 1.4f;
};

}  // namespace problems

// Calls X(name) for each program.
#define COHORT_BENCH_PROGRAMS(X) \
  X(lu)                          \
  X(pyramid_1d)                  \
  X(heat_2d)                     \
  X(stencil_3d)                  \
  X(wavefront)                   \
  X(diffusion)                   \
  X(despeckle)                   \
  X(back_propagation)            \
  X(sparse_product)              \
  X(breadth_first)               \
  X(k_means)                     \
  X(particles)                   \
  X(radix_sort)                  \
  X(lookback_scan)               \
  X(matrix_tiles)                \
  X(convolution)                 \
  X(histogram)                   \
  X(euler_mesh)

#define COHORT_BENCH_PROGRAM(name) void name(const problems::name& p);
namespace native::cuda {
COHORT_BENCH_PROGRAMS(COHORT_BENCH_PROGRAM)
}
namespace native::openmp {
COHORT_BENCH_PROGRAMS(COHORT_BENCH_PROGRAM)
}
namespace avx2::cuda {
COHORT_BENCH_PROGRAMS(COHORT_BENCH_PROGRAM)
}
namespace avx2::openmp {
COHORT_BENCH_PROGRAMS(COHORT_BENCH_PROGRAM)
}
#undef COHORT_BENCH_PROGRAM

}  // namespace bench
