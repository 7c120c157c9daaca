// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector types: CUDA's sizes and alignments, the make functions and equal layouts on host and device, dim3.
#include <type_traits>

#include "check.hpp"

#define SIZES(name, element, size2, align2, size3, size4, align4)                                       \
  static_assert(sizeof(name##1) == sizeof(element) && alignof(name##1) == alignof(element), #name "1"); \
  static_assert(sizeof(name##2) == size2 && alignof(name##2) == align2, #name "2");                     \
  static_assert(sizeof(name##3) == size3 && alignof(name##3) == alignof(element), #name "3");           \
  static_assert(sizeof(name##4) == size4 && alignof(name##4) == align4, #name "4");                     \
  static_assert(std::is_same<decltype(name##4 ::w), element>::value && std::is_trivial<name##4>::value, #name "4");

SIZES(char, signed char, 2, 2, 3, 4, 4)
SIZES(uchar, unsigned char, 2, 2, 3, 4, 4)
SIZES(short, short, 4, 4, 6, 8, 8)
SIZES(ushort, unsigned short, 4, 4, 6, 8, 8)
SIZES(int, int, 8, 8, 12, 16, 16)
SIZES(uint, unsigned int, 8, 8, 12, 16, 16)
SIZES(long, long, 16, 16, 24, 32, 16)
SIZES(ulong, unsigned long, 16, 16, 24, 32, 16)
SIZES(longlong, long long, 16, 16, 24, 32, 16)
SIZES(ulonglong, unsigned long long, 16, 16, 24, 32, 16)
SIZES(float, float, 8, 8, 12, 16, 16)
SIZES(double, double, 16, 16, 24, 32, 16)
static_assert(alignof(double4_16a) == 16 && alignof(double4_32a) == 32 && sizeof(double4_32a) == 32, "double4_32a");
static_assert(alignof(ulonglong4_32a) == 32 && alignof(long4_16a) == 16, "long4_16a");

struct record {
  char3 a;
  float2 b;
  short3 c;
  double4 d;
  uint3 e;
  longlong2 f;
};

// Stores the offsets of fields on the device, and a copy of the argument that was passed by value.
__global__ void look(record by_value, record* copy, size_t* offsets) {
  *copy = by_value;
  copy->a = make_char3(static_cast<signed char>(by_value.a.x + 1), 2, 3);
  copy->e = make_uint3(threadIdx.x, blockDim.y, gridDim.x);
  offsets[0] = offsetof(record, b), offsets[1] = offsetof(record, c), offsets[2] = offsetof(record, d);
  offsets[3] = offsetof(record, e), offsets[4] = offsetof(record, f), offsets[5] = sizeof(record);
  const dim3 block(blockDim);
  const uint3 place = blockIdx;
  offsets[6] = block.x * 10000 + block.y * 100 + block.z + place.x;
}

template <class V>
__global__ void double_all(V* values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  V v = values[i];
  v.x = v.x + v.x;
  values[i] = v;
}

int main() {
  record r{};
  r.a = make_char3(4, 5, 6), r.b = make_float2(1.5f, 2.5f), r.c = make_short3(-1, -2, -3);
  r.d = make_double4(1, 2, 3, 4), r.f = make_longlong2(1LL << 40, -1);
  check::managed<record> copy(1);
  check::managed<size_t> offsets(7);
  look<<<dim3(1), dim3(1, 1, 1)>>>(r, copy.data, offsets.data);
  check::synchronize();
  check::equal<size_t>("offset", offsets[0], 8);
  check::equal<size_t>("offset", offsets[1], 16);
  check::equal<size_t>("offset", offsets[2], 32);
  check::equal<size_t>("offset", offsets[3], 64);
  check::equal<size_t>("offset", offsets[4], 80);
  check::equal<size_t>("sizeof", offsets[5], 96);
  check::equal<size_t>("dim3", offsets[6], 10101);
  const record& c = copy[0];
  check::equal("char3", c.a.x * 100 + c.a.y * 10 + c.a.z, 523);
  check::equal("float2", c.b.x + 10 * c.b.y, 26.5f);
  check::equal("short3", c.c.x + 10 * c.c.y + 100 * c.c.z, -321);
  check::equal("double4", c.d.x + 10 * c.d.y + 100 * c.d.z + 1000 * c.d.w, 4321.0);
  check::equal("uint3", c.e.x + 10 * c.e.y + 100 * c.e.z, 110u);
  check::equal("longlong2", c.f.x + c.f.y, (1LL << 40) - 1);

  check::managed<ushort4> values(100);
  for (unsigned short i = 0; i < 100; ++i) values[i] = make_ushort4(i, 7, 8, 9);
  double_all<<<4, 32>>>(values.data, 100);
  check::synchronize();
  for (int i = 0; i < 100; ++i)
    check::equal("ushort4", values[i].x + values[i].y + values[i].z + values[i].w, 2 * i + 24, i);

  constexpr dim3 three(3, 4);
  static_assert(three.x == 3 && three.y == 4 && three.z == 1, "dim3 fills with 1");
  const dim3 from = make_uint3(5, 6, 7);
  check::equal("dim3 from uint3", from.x * 100 + from.y * 10 + from.z, 567u);
  return check::finish();
}
