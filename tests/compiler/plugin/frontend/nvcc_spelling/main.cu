// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings that nvcc accepts and clang alone does not: spaces inside the brackets of a launch, asm operands without
// commas, PTX registers with one %, constraints that a macro makes, attributes behind __device__, macros for a #pragma,
// `register`, overloads of the removed warp functions, a dependent template without `template`, narrowing in braces,
// `this->` in `if constexpr`, pointers to arrays of variable length. What looks alike and is standard C++ keeps its
// meaning.
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../../check.hpp"
#include "library.hpp"
#include "spaced.hpp"

// clang-format off
template <int n> struct number { static constexpr int value = n; };

// `this->` before a static member in `if constexpr`, also of a dependent base class.
template <class T> struct base_of { static constexpr bool is_wide = sizeof(T) > 4; };
template <class T> struct with_base : base_of<T> {
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr bool of_function() { return true; }
  __host__ __device__ constexpr int kind() const {
    if constexpr (this->is_wide && !this -> is_signed) {
      return 1;
    } else if constexpr (!(this->is_wide) && of_function()) {
      return this->is_signed ? 2 : 3;
    }
    return 4;
  }
};
__global__ void kinds(int* out) {
  *out = with_base<unsigned long>().kind() * 100 + with_base<int>().kind() * 10 + with_base<unsigned>().kind();
}

struct stream {
  int total = 0;
  template <class T> stream& operator<< (T value) { total += static_cast<int>(value); return *this; }
};

__device__ float2 __shfl_down(float2 v, unsigned delta, int width = 32) {
  return make_float2(__shfl_down_sync(~0u, v.x, delta, width), __shfl_down_sync(~0u, v.y, delta, width));
}

__global__ void sums(float* out) {
  register int lane = threadIdx.x;
  float2 v = make_float2(1, lane);
  for (int d = 16; d > 0; d /= 2) { float2 w = __shfl_down(v, d); v.x += w.x; v.y += w.y; }
  if (lane == 0) { out[0] = v.x; out[1] = v.y; }
}

__global__ void no_commas(unsigned* out, unsigned a, unsigned b) {
  unsigned sum, difference;
  asm volatile ("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(a) "r"(b));
  asm("sub.u32 %0, %1, " "%2;" : "=r"(difference) : [x] "r"(a)[y] "r"(b) : "memory");
  out[0] = sum;
  out[1] = difference;
}

// Registers with one % and with two.
__global__ void single_percent(unsigned* out, unsigned a) {
  unsigned first, second, both;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(first));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(second));
  asm("{ .reg .u32 %tmp;\n mov.u32 %tmp, %tid.x;\n add.u32 %0, %tmp, %1; }" : "=r"(both) : "r"(a));
  if (threadIdx.x == 5) {
    out[0] = first * 100 + second;
    out[1] = both;
  }
}

// The constraints of the operands are strings only after the macro's expansion.
#define SUM(type, letter, c_type)                                                                                     \
  __device__ c_type sum_##type(c_type a, c_type b) {                                                                  \
    c_type c;                                                                                                         \
    asm("add." #type " %0, %1, %2;" : "=" #letter(c) : #letter(a), #letter(b));                                        \
    return c;                                                                                                         \
  }
SUM(f32, f, float)
SUM(f64, d, double)
SUM(u16, h, unsigned short)

__global__ void sums_by_macro(float* out) {
  out[0] = sum_f32(1.5f, 2);
  out[1] = static_cast<float>(sum_f64(2.25, 2)) + sum_u16(65535, 3);
}

struct counted {
  __host__ __device__ [[nodiscard]] int value() const { return count; }
  __device__ [[nodiscard]] [[maybe_unused]] static int twice(int i) { return 2 * i; }
  int count;
};

__device__
[[nodiscard]] int on_the_next_line(int i) { return i + 1; }

__global__ void attributes(counted c, int* out) { *out = counted::twice(c.value()) + on_the_next_line(1); }

struct pair { float x; int y; };
__host__ __device__ float narrowed(double x, float y) { pair p{x, y}; unsigned z[] = {p.y}; return p.x + z[0]; }

#define UNROLL_ALL #pragma unroll  // a comment
#define UNROLL_FOUR  #pragma unroll 4
__global__ void unrolled(int* out) {
  int sum = 0;
  UNROLL_ALL
  for (int i = 0; i < 8; ++i) sum += i;
  UNROLL_FOUR
  for (int i = 0; i < 8; ++i) sum += i;
  *out = sum;
}

template <class Allocator> struct rebound {
  using type = typename std::allocator_traits<Allocator>::rebind_alloc<short>;
};

template <class T, int kind> struct chosen;
template <class T> struct chosen<T, 1> { int size(int scale); };
template <class T> int chosen<T, 1>::size(int scale = 3) { return scale * static_cast<int>(sizeof(T)); }

__global__ void load(const unsigned short* from, int* to) { *to = load_word(from); }

// Arrays of variable length, indexed as in C programs: equal declarations have one type everywhere.
static double at(void* memory, int rows, int columns, int index) {
  double (*grid)[rows][columns] = (double (*)[rows][columns])memory;
  const unsigned int (*words)[2 * columns] = (const unsigned int (*)[2 * columns])memory;
  grid[1][2][3] += 0.5;
  return grid[1][2][index] + (words[0][0] != 0);
}

// An assignment to an element has the same tokens, and converts as usual.
static int assigned(int (*all)[3]) {
  int (*two[2])[3] = {nullptr, nullptr};
  int (*(*pointers)[2])[3] = &two;
  (*pointers)[1] = (int (*)[3])all;
  if (all) (*pointers)[0] = (int (*)[3])(all + 1); else (*pointers)[0] = (int (*)[3])all;
  return (*(*pointers)[0])[1] + (*two[1])[2];
}

int main() {
  int* value;
  float* pair;
  unsigned* words;
  EXPECT_SUCCESS(cudaMallocManaged(&value, sizeof *value));
  EXPECT_SUCCESS(cudaMallocManaged(&pair, 2 * sizeof *pair));
  EXPECT_SUCCESS(cudaMallocManaged(&words, 2 * sizeof *words));

  store << < 1, 1 >> > (value, 5);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 5, "spaces in both brackets", 0);
  store<<<dim3(number<(8 >> 3)>::value), std::vector<std::vector<int>> (1).size() >> >(value, 6);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 6, "a space in the closing bracket", 0);
  launch_store(value, 8);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 8, "in a header", 0);

  words[0] = 0x12345;
  load<<<1, 1>>>(reinterpret_cast<unsigned short*>(words), value);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 0x2345, "in a library's header", 0);

  sums<<<1, 32>>>(pair);
  no_commas<<<1, 1>>>(words, 7, 3);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(pair[0], 32.0f, "own overload, x", 0);
  expect_equal(pair[1], 496.0f, "own overload, y", 0);
  expect_equal(words[0], 10u, "operands without a comma", 0);
  expect_equal(words[1], 4u, "named operands without a comma", 0);

  single_percent<<<1, 32>>>(words, 40);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(words[0], 505u, "registers with one %", 0);
  expect_equal(words[1], 45u, "a declared register with one %", 0);

  sums_by_macro<<<1, 1>>>(pair);
  attributes<<<1, 1>>>({4}, value);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(pair[0], 3.5f, "a constraint f from a macro", 0);
  expect_equal(pair[1], 6.25f, "constraints d and h from a macro", 0);
  expect_equal(*value, 10, "attributes behind __device__", 0);
  expect_equal(sizeof(*std::declval<rebound<std::allocator<char>>::type>().allocate(1)), sizeof(short), "rebind", 0);
  expect_equal(narrowed(0.5, 2.75f), 2.5f, "narrowing in braces", 0);
  unrolled<<<1, 1>>>(value);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 56, "a macro for a #pragma", 0);
  expect_equal(chosen<short, 1>().size(5), 10, "a late default argument", 0);

  kinds<<<1, 1>>>(value);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 123, "this-> in if constexpr", 0);
  expect_equal(with_base<long>().kind(), 4, "this-> in if constexpr, on the host", 0);

  std::vector<double> grid(2 * 3 * 4, 1.0);
  grid[0] = 0;
  expect_equal(at(grid.data(), 3, 4, 3), 1.5, "arrays of variable length", 0);
  int all[2][3] = {{1, 2, 3}, {4, 5, 6}};
  expect_equal(assigned(all), 8, "an assignment of a pointer to an array", 0);

  stream s;
  s.operator<< <int>(3).operator<< <long>(4);
  expect_equal(s.total, 7, "operator<< with template arguments", 0);
  std::vector<std::vector<std::vector<int>> > nested(2);
  expect_equal(nested.size(), size_t{2}, "nested template brackets", 0);
  const std::string text = "k << < 1, 1 >> > (x)", raw = R"x(asm("" : : "r"(1) "r"(2)) << < 1 >> > ()x";
  expect_equal(text.size(), size_t{20}, "a string", 0);
#define ENDING "st"
  expect_equal(std::string("la"ENDING) == "last", true, "a macro right behind a string", 0);
  expect_equal(raw.size(), size_t{39}, "a raw string", 0);
  expect_equal(raw.find(','), std::string::npos, "asm in a raw string", 0);
  expect_equal((64 >> 2) > (1), true, "a shift and a comparison", 0);  // k << < 1 >> > (
  return result();
}
