// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Monte Carlo with its own random generator: 64-bit arithmetic with __umul64hi, classes shared by host and
// device, double atomics, math functions, a lambda inside a kernel, warp-aggregated results, vector types.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

class counter_rng {
 public:
  __host__ __device__ explicit counter_rng(uint64_t seed, uint64_t stream)
      : state_(seed ^ (stream * 0x9e3779b97f4a7c15ull)) {}
  __host__ __device__ uint32_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
  }
  __host__ __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }

 private:
  uint64_t state_;
};

__global__ void pi_hits(uint64_t seed, int per_thread, unsigned long long* hits) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  counter_rng rng(seed, id);
  auto inside = [](float2 p) { return p.x * p.x + p.y * p.y < 1.0f; };
  unsigned mine = 0;
  for (int i = 0; i < per_thread; ++i) {
    float2 p;
    p.x = rng.uniform();
    p.y = rng.uniform();
    mine += inside(p);
  }
  mine = __reduce_add_sync(__activemask(), mine);
  if (threadIdx.x % 32 == 0) atomicAdd(hits, static_cast<unsigned long long>(mine));
}

// The mean of exp(-r T) * max(S - K, 0) over lognormal S: a call option.
__global__ void option(double* sum, double* sum_of_squares, int per_thread, float s0, float k, float r, float sigma,
                       float t) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  counter_rng rng(7, id);
  double total = 0, squares = 0;
  for (int i = 0; i < per_thread; ++i) {
    const float u = 1.0f - rng.uniform(), v = rng.uniform();
    float s, c;
    sincosf(6.28318530718f * v, &s, &c);
    const float z = sqrtf(-2.0f * logf(u)) * c;
    const float price = s0 * expf((r - 0.5f * sigma * sigma) * t + sigma * sqrtf(t) * z);
    const double payoff = fmaxf(price - k, 0.0f) * expf(-r * t);
    total += payoff;
    squares += payoff * payoff;
  }
  atomicAdd(sum, total);
  atomicAdd(sum_of_squares, squares);
}

__global__ void integer_functions(const ulonglong2* in, ulonglong4* out) {
  const unsigned long long a = in[threadIdx.x].x, b = in[threadIdx.x].y;
  out[threadIdx.x] = make_ulonglong4(__umul64hi(a, b), __popcll(a) + 100ull * __clzll(b), __brevll(a),
                                     __ffsll(static_cast<long long>(b)));
}

int main() {
  bool ok = true;
  const int blocks = 16, threads = 128, per_thread = 200;
  unsigned long long *d_hits, hits = 0, expected = 0;
  cudaMalloc(&d_hits, sizeof(hits));
  cudaMemset(d_hits, 0, sizeof(hits));
  pi_hits<<<blocks, threads>>>(2026, per_thread, d_hits);
  cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
  for (int id = 0; id < blocks * threads; ++id) {
    counter_rng rng(2026, id);
    for (int i = 0; i < per_thread; ++i) {
      const float x = rng.uniform(), y = rng.uniform();
      // Fused and unfused arithmetic may differ for points on the circle itself; these seeds have none.
      expected += x * x + y * y < 1.0f;
    }
  }
  const double n = static_cast<double>(blocks) * threads * per_thread;
  std::printf("pi is about %.4f (%llu hits, host %llu)\n", 4.0 * hits / n, hits, expected);
  ok = ok && std::llabs(static_cast<long long>(hits - expected)) <= 2 && std::fabs(4.0 * hits / n - 3.14159265) < 0.02;

  double *d_sums, sums[2];
  cudaMalloc(&d_sums, sizeof(sums));
  cudaMemset(d_sums, 0, sizeof(sums));
  const float s0 = 100, k = 105, r = 0.03f, sigma = 0.2f, t = 1.0f;
  option<<<blocks, threads>>>(d_sums, d_sums + 1, per_thread, s0, k, r, sigma, t);
  cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
  const double mean = sums[0] / n, error = std::sqrt((sums[1] / n - mean * mean) / n);
  const double d1 = (std::log(s0 / k) + (r + 0.5 * sigma * sigma) * t) / (sigma * std::sqrt(t)),
               d2 = d1 - sigma * std::sqrt(t);
  const double exact =
      s0 * 0.5 * std::erfc(-d1 / std::sqrt(2.0)) - k * std::exp(-r * t) * 0.5 * std::erfc(-d2 / std::sqrt(2.0));
  std::printf("option: %.4f +- %.4f, formula %.4f\n", mean, error, exact);
  ok = ok && std::fabs(mean - exact) < 5 * error && error < 0.1;

  ulonglong2 pairs[2] = {{0xdeadbeefcafebabeull, 0x123456789abcdef0ull}, {1, 1ull << 40}};
  ulonglong2* d_in;
  ulonglong4 *d_out, out[2];
  cudaMalloc(&d_in, sizeof(pairs));
  cudaMalloc(&d_out, sizeof(out));
  cudaMemcpy(d_in, pairs, sizeof(pairs), cudaMemcpyHostToDevice);
  integer_functions<<<1, 2>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) {
    const unsigned long long a = pairs[i].x, b = pairs[i].y;
    unsigned long long reversed = 0, ones = 0, leading = 0, first = 0;
    for (int bit = 0; bit < 64; ++bit) {
      if (a >> bit & 1) reversed |= 1ull << (63 - bit), ++ones;
      if ((b >> bit & 1) && first == 0) first = bit + 1;
    }
    while (!(b >> (63 - leading) & 1)) ++leading;
    ok = ok && out[i].x == static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64) &&
         out[i].y == ones + 100 * leading && out[i].z == reversed && out[i].w == first;
  }
  cudaFree(d_hits), cudaFree(d_sums), cudaFree(d_in), cudaFree(d_out);
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
