// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of each kind in the CPU's calling convention; each kernel takes one array of pointers to them.
#include <cstdint>
#include <cstring>

#include "../check.hpp"

template <int N>
struct bytes {
  unsigned char at[N];
};
struct empty {};
struct mixed {
  float f;
  int i;
};
struct mixed_wide {
  double d;
  int i;
  char c;
};
struct floats3 {
  float x, y, z;
};
struct bits {
  unsigned low : 3, high : 7;
  bool flag;
};
struct alignas(32) wide {
  double d[4];
};
struct counted {  // not trivially copyable: passed by reference
  int value;
  __host__ __device__ counted(int v) : value(v) {}
  __host__ __device__ counted(const counted& other) : value(other.value) {}
  __host__ __device__ ~counted() {}
};
union number {
  float f;
  int64_t i;
};
enum class color : unsigned char { red = 7, blue = 200 };

struct seen {
  int64_t values[32];
};

__global__ void scalars(seen* out, bool b, int8_t i8, uint8_t u8, int16_t i16, float f, double d, int64_t i64,
                        const char* text, color c, decltype(nullptr), long double ld, __int128 big) {
  int64_t v[] = {
      b, i8, u8, i16, int64_t(f * 4), int64_t(d * 8), i64, text[1], int64_t(c), int64_t(ld * 2), int64_t(big >> 64)};
  for (int i = 0; i < 11; ++i) out->values[i] = v[i];
}

template <int N>
__device__ int64_t hash(const bytes<N>& b) {
  int64_t h = N;
  for (int i = 0; i < N; ++i) h = h * 31 + b.at[i];
  return h;
}

__global__ void structs(seen* out, bytes<1> b1, bytes<2> b2, bytes<3> b3, empty, bytes<5> b5, bytes<8> b8,
                        bytes<12> b12, bytes<15> b15, bytes<16> b16, bytes<17> b17, bytes<24> b24, bytes<48> b48) {
  b24.at[0] += threadIdx.x;  // each thread has its own copy
  int64_t v[] = {hash(b1),  hash(b2),  hash(b3),  hash(b5),  hash(b8), hash(b12),
                 hash(b15), hash(b16), hash(b17), hash(b24), hash(b48)};
  for (int i = 0; i < 11; ++i) out[threadIdx.x].values[i] = v[i];
}

__global__ void mixtures(seen* out, mixed m, mixed_wide w, floats3 f3, float2 v2, float3 v3, float4 v4, double2 d2,
                         uchar4 u4, int3 i3, counted c, empty e, number n, bits field, wide a, dim3 d, ulonglong4 l4) {
  c.value += threadIdx.x;
  a.d[3] += threadIdx.x;
  int64_t v[] = {int64_t(m.f),
                 m.i,
                 int64_t(w.d),
                 w.i,
                 w.c,
                 int64_t(f3.x + 10 * f3.y + 100 * f3.z),
                 int64_t(v2.x + 10 * v2.y),
                 int64_t(v3.x + 10 * v3.y + 100 * v3.z),
                 int64_t(v4.x + 10 * v4.y + 100 * v4.z + 1000 * v4.w),
                 int64_t(d2.x + 10 * d2.y),
                 u4.x + 10 * u4.y + 100 * u4.z + 1000 * u4.w,
                 i3.x + 10 * i3.y + 100 * i3.z,
                 c.value,
                 n.i,
                 field.low,
                 field.high,
                 field.flag,
                 int64_t(a.d[0] + a.d[3]),
                 d.x * 100 + d.y * 10 + d.z,
                 int64_t(l4.x + l4.w),
                 sizeof(e)};
  for (int i = 0; i < 21; ++i) out[threadIdx.x].values[i] = v[i];
}

template <int N>
bytes<N> make(int start) {
  bytes<N> b;
  for (int i = 0; i < N; ++i) b.at[i] = static_cast<unsigned char>(start + 7 * i);
  return b;
}

template <int N>
int64_t host_hash(int start, int first_more = 0) {
  int64_t h = N;
  for (int i = 0; i < N; ++i) h = h * 31 + static_cast<unsigned char>(start + 7 * i + (i == 0 ? first_more : 0));
  return h;
}

int main() {
  seen* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 5 * sizeof *out));
  scalars<<<1, 1>>>(out, true, -5, 250, -300, 2.25f, -1.5, int64_t(1) << 40, "ab", color::blue, nullptr, 3.5L,
                    __int128(-9) * (__int128(1) << 64));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const int64_t scalar_values[] = {1, -5, 250, -300, 9, -12, int64_t(1) << 40, 'b', 200, 7, -9};
  for (int i = 0; i < 11; ++i) expect_equal(out->values[i], scalar_values[i], "scalar", i);

  structs<<<1, 5>>>(out, make<1>(1), make<2>(2), make<3>(3), empty(), make<5>(5), make<8>(8), make<12>(12),
                    make<15>(15), make<16>(16), make<17>(17), make<24>(24), make<48>(48));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 5; ++t) {
    const int64_t struct_values[] = {host_hash<1>(1),   host_hash<2>(2),      host_hash<3>(3),   host_hash<5>(5),
                                     host_hash<8>(8),   host_hash<12>(12),    host_hash<15>(15), host_hash<16>(16),
                                     host_hash<17>(17), host_hash<24>(24, t), host_hash<48>(48)};
    for (int i = 0; i < 11; ++i) expect_equal(out[t].values[i], struct_values[i], "struct", 100 * t + i);
  }

  number n;
  n.i = int64_t(5) << 33;
  bits field = {};
  field.low = 5, field.high = 99, field.flag = true;
  wide a = {{1, 2, 3, 4}};
  mixtures<<<1, 5>>>(out, mixed{3, 4}, mixed_wide{5, 6, 7}, floats3{1, 2, 3}, make_float2(4, 5), make_float3(6, 7, 8),
                     make_float4(1, 2, 3, 4), make_double2(5, 6), make_uchar4(1, 2, 3, 4), make_int3(7, 8, 9),
                     counted(40), empty(), n, field, a, dim3(1, 2, 3), make_ulonglong4(10, 0, 0, 20));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 5; ++t) {
    const int64_t values[] = {3, 4,  5, 6,     7,   321, 54, 876, 4321, 65, 4321, 987, 40 + t, int64_t(5) << 33,
                              5, 99, 1, 5 + t, 123, 30,  1};
    for (int i = 0; i < 21; ++i) expect_equal(out[t].values[i], values[i], "mixture", 100 * t + i);
  }
  return result();
}
