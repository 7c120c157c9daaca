// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A planned transform: its type, its sizes, and where its elements lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libraries/cufft/array.hpp"

namespace cohort::cufft {

enum class kind : unsigned char { complex_to_complex, real_to_complex, complex_to_real };

// The type of real numbers. Half and bfloat16 are computed in float.
enum class number : unsigned char { half, bfloat16, single_precision, double_precision };

struct transform_type {
  kind what;
  number real;

  bool operator==(const transform_type&) const = default;
};

// Strides of a caller, in elements.
struct strides {
  std::array<int64_t, 3> embed{};
  int64_t stride = 1;
  int64_t distance = 1;  // elements from one transform of the batch to the next
};

struct transform {
  transform_type type;
  int rank = 1;
  std::array<int64_t, 3> n{};
  int64_t batch = 1;
  bool has_strides = false;  // otherwise the arrays are packed, and in place rows of real numbers are padded
  strides in, out;
};

struct transform_arrays {
  array in, out;
};

size_t size_of(number real);
transform_arrays arrays_of(const transform& t, bool in_place);
bool has_real_input(const transform& t);
bool has_real_output(const transform& t);
size_t element_size(const transform& t, bool is_real);

// The number of floating-point operations, estimated as 5 n log2(n) for complex numbers.
double cost_of(const transform& t);

struct execution {
  const void* in;
  void* out;
  bool forward;
  size_t threads;
};

// Throws std::bad_alloc.
void execute(const transform& t, const execution& e);

}  // namespace cohort::cufft
