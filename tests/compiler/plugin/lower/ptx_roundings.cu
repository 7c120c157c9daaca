// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of inline PTX with .rz, .rm and .rp over edge values, against the host CPU's rounding modes.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <vector>

#include "../check.hpp"

template <class T>
struct results {
  T sum[3], difference[3], product[3], quotient[3], fused[3], root[3], inverse[3];
};

#define DIRECTED(mode, type, letter, i)                                                                \
  asm("add." mode type " %0, %1, %2;" : "=" letter(r.sum[i]) : letter(x), letter(y));                  \
  asm("sub." mode type " %0, %1, %2;" : "=" letter(r.difference[i]) : letter(x), letter(y));           \
  asm("mul." mode type " %0, %1, %2;" : "=" letter(r.product[i]) : letter(x), letter(y));              \
  asm("div." mode type " %0, %1, %2;" : "=" letter(r.quotient[i]) : letter(x), letter(y));             \
  asm("fma." mode type " %0, %1, %2, %3;" : "=" letter(r.fused[i]) : letter(x), letter(y), letter(z)); \
  asm("sqrt." mode type " %0, %1;" : "=" letter(r.root[i]) : letter(x));                               \
  asm("rcp." mode type " %0, %1;" : "=" letter(r.inverse[i]) : letter(x));

#define KERNEL(name, number, type, letter)                                   \
  __global__ void name(results<number>* out, const number* numbers) {        \
    const number x = numbers[blockIdx.x], y = numbers[blockIdx.y];           \
    const number z = numbers[(7 * blockIdx.x + 3 * blockIdx.y) % gridDim.x]; \
    results<number> r;                                                       \
    DIRECTED("rz", type, letter, 0)                                          \
    DIRECTED("rm", type, letter, 1)                                          \
    DIRECTED("rp", type, letter, 2)                                          \
    out[blockIdx.y * gridDim.x + blockIdx.x] = r;                            \
  }
KERNEL(compute_singles, float, ".f32", "f")
KERNEL(compute_doubles, double, ".f64", "d")

// True for any two NaN; zeros must have equal signs.
template <class T>
static void expect_same(T got, T wanted, const char* what, int at) {
  const bool same = std::isnan(wanted) ? std::isnan(got) : got == wanted && std::signbit(got) == std::signbit(wanted);
  expect_equal(same, true, what, at);
}

// Volatile operands keep each operation between the changes of the mode.
template <class T>
static void test(const results<T>& r, T left, T right, T third, int at) {
  constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  volatile T x = left, y = right, z = third, wanted[7];
  for (int i = 0; i < 3; ++i) {
    std::fesetround(modes[i]);
    wanted[0] = x + y;
    wanted[1] = x - y;
    wanted[2] = x * y;
    wanted[3] = x / y;
    wanted[4] = std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
    wanted[5] = std::sqrt(static_cast<T>(x));
    wanted[6] = 1 / x;
    std::fesetround(FE_TONEAREST);
    expect_same<T>(r.sum[i], wanted[0], "add", at);
    expect_same<T>(r.difference[i], wanted[1], "sub", at);
    expect_same<T>(r.product[i], wanted[2], "mul", at);
    expect_same<T>(r.quotient[i], wanted[3], "div", at);
    expect_same<T>(r.fused[i], wanted[4], "fma", at);
    expect_same<T>(r.root[i], wanted[5], "sqrt", at);
    expect_same<T>(r.inverse[i], wanted[6], "rcp", at);
  }
}

template <class T, class Bits>
static void run(void (*kernel)(results<T>*, const T*), T largest, T least_normal, T least) {
  std::vector<T> numbers = {
      0,  1,       3,           T(0.1),           least,    least_normal, least_normal / 3,          7 * least,
      10, largest, largest / 3, 1 / least_normal, INFINITY, NAN,          std::nextafter(T(1), T(2))};
  for (size_t i = 0, count = numbers.size(); i < count; ++i) numbers.push_back(-numbers[i]);
  unsigned long long state = 1;
  for (int i = 0; i < 40; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Bits bits = static_cast<Bits>(state >> (64 - 8 * sizeof(Bits)));
    T number;
    std::memcpy(&number, &bits, sizeof number);
    numbers.push_back(number);
    numbers.push_back(T(1) + static_cast<T>(state >> 12) * T(0x1p-52));
  }
  const unsigned count = static_cast<unsigned>(numbers.size());
  T* in;
  results<T>* out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, count * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * count * sizeof *out));
  std::memcpy(in, numbers.data(), count * sizeof *in);
  kernel<<<dim3(count, count), 1>>>(out, in);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < count * count; ++i) {
    const unsigned x = i % count, y = i / count;
    test<T>(out[i], numbers[x], numbers[y], numbers[(7 * x + 3 * y) % count], static_cast<int>(i));
  }
}

int main() {
  run<float, unsigned>(compute_singles, 0x1.fffffep127f, 0x1p-126f, 0x1p-149f);
  run<double, unsigned long long>(compute_doubles, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074);
  return result();
}
