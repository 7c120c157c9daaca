// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// curand_kernel.h against numbers that an H100 drew, and each thread of several blocks against a model on the host.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

enum class generator { xorwow, mrg32k3a, philox };

constexpr int words_of_vector = 37;

struct recorded {
  generator which;
  unsigned long long seed, subsequence, offset;
  unsigned int words[words_of_vector];
};

const recorded vectors[] = {
#include "curand_vectors.inc"
};

__device__ void put(unsigned int*& out, double number) {
  const unsigned long long bits = __double_as_longlong(number);
  *out++ = static_cast<unsigned int>(bits), *out++ = static_cast<unsigned int>(bits >> 32);
}

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                     unsigned int* out) {
  State state;
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 5; ++i) *out++ = curand(&state);
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 4; ++i) *out++ = __float_as_uint(curand_uniform(&state));
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 4; ++i) put(out, curand_uniform_double(&state));
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 5; ++i) *out++ = __float_as_uint(curand_normal(&state));
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 3; ++i) put(out, curand_normal_double(&state));
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 4; ++i) *out++ = curand_poisson(&state, 3.0);
  *out++ = curand(&state);
  curand_init(seed, subsequence, offset, &state);
  skipahead(7, &state);
  *out++ = curand(&state);
  skipahead(123456789012345, &state);
  *out++ = curand(&state);
  curand_init(seed, subsequence, offset, &state);
  skipahead_sequence(3, &state);
  *out++ = curand(&state);
  skipahead_sequence(0x123456789ab, &state);
  *out++ = curand(&state);
}

// Words 17 to 21 are normal floats, 22 to 27 normal doubles: a GPU's functions round differently there.
static bool agrees(const recorded& vector, const unsigned int* words, int i) {
  if (i >= 17 && i < 22) {
    float expected, number;
    memcpy(&expected, &vector.words[i], 4), memcpy(&number, &words[i], 4);
    return std::fabs(expected - number) <= 2e-6f * (1.0f + std::fabs(expected));
  }
  if (i >= 22 && i < 28) {
    double expected, number;
    const int first = i & ~1;
    memcpy(&expected, &vector.words[first], 8), memcpy(&number, &words[first], 8);
    return std::fabs(expected - number) <= 4e-15 * (1.0 + std::fabs(expected));
  }
  return words[i] == vector.words[i];
}

static int compare_with_gpu(unsigned int* words) {
  int failures = 0;
  for (const recorded& vector : vectors) {
    const auto kernel = vector.which == generator::xorwow     ? draw<curandStateXORWOW_t>
                        : vector.which == generator::mrg32k3a ? draw<curandStateMRG32k3a_t>
                                                              : draw<curandStatePhilox4_32_10_t>;
    kernel<<<1, 1>>>(vector.seed, vector.subsequence, vector.offset, words);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < words_of_vector; ++i) {
      if (agrees(vector, words, i)) continue;
      ++failures;
      std::printf("generator %d seed %llx subsequence %llx offset %llx word %d: %x, not %x\n",
                  static_cast<int>(vector.which), vector.seed, vector.subsequence, vector.offset, i, words[i],
                  vector.words[i]);
    }
  }
  return failures;
}

constexpr int draws = 9;

__device__ int thread_rank() {
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return thread + blockIdx.x * blockDim.x * blockDim.y * blockDim.z;
}

// Threads draw different numbers of words, so the lanes of a warp diverge.
template <class State>
__global__ void draw_in_threads(unsigned int* out) {
  const int rank = thread_rank();
  State state;
  curand_init(99 + rank % 5, 0, rank, &state);
  for (int i = 0; i < draws - rank % 3; ++i) out[rank * draws + i] = curand(&state);
}

__global__ void draw_four(unsigned int* out) {
  const int rank = thread_rank();
  curandStatePhilox4_32_10_t state;
  curand_init(99 + rank % 5, 0, rank, &state);
  for (int i = 0; i < 2; ++i) {
    const uint4 four = curand4(&state);
    out[rank * draws + 4 * i] = four.x, out[rank * draws + 4 * i + 1] = four.y;
    out[rank * draws + 4 * i + 2] = four.z, out[rank * draws + 4 * i + 3] = four.w;
  }
  out[rank * draws + 8] = curand(&state);
}

// The papers' recurrences, step by step from the beginning.
struct xorwow_model {
  std::vector<unsigned int> x;
  unsigned int counter;
  explicit xorwow_model(unsigned int seed) {
    const unsigned int low = 1099087573u * (seed ^ 0xaad26b49u), high = 2591861531u * 0xf7dcefddu;
    x = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low};
    counter = 6615241u + low + high;
  }
  unsigned int next() {
    const unsigned int oldest = x[x.size() - 5], newest = x.back(), mixed = oldest ^ oldest >> 2;
    x.push_back(newest ^ newest << 4 ^ mixed ^ mixed << 1);
    return x.back() + (counter += 362437);
  }
};
struct mrg_model {
  __int128 a[3], b[3];
  explicit mrg_model(unsigned int seed) {
    const __int128 low = seed ^ 0x55555555u, high = 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) a[i] = 12345 * (i == 1 ? high : low) % m1, b[i] = 12345 * (i == 1 ? low : high) % m2;
  }
  static constexpr __int128 m1 = 4294967087, m2 = 4294944443;
  unsigned int next() {
    const __int128 p = ((1403580 * a[1] - 810728 * a[0]) % m1 + m1) % m1;
    const __int128 q = ((527612 * b[2] - 1370589 * b[0]) % m2 + m2) % m2;
    a[0] = a[1], a[1] = a[2], a[2] = p, b[0] = b[1], b[1] = b[2], b[2] = q;
    return static_cast<unsigned int>(static_cast<double>(p <= q ? p - q + m1 : p - q) * 1.000000048662);
  }
};
struct philox_model {
  unsigned int seed, drawn = 0;
  explicit philox_model(unsigned int value) : seed(value) {}
  unsigned int next() {
    unsigned int c[4] = {drawn / 4, 0, 0, 0};
    for (unsigned int round = 0; round < 10; ++round) {
      const unsigned __int128 a = static_cast<unsigned __int128>(0xd2511f53u) * c[0];
      const unsigned __int128 b = static_cast<unsigned __int128>(0xcd9e8d57u) * c[2];
      const unsigned int next[] = {
          static_cast<unsigned int>(b >> 32) ^ c[1] ^ (seed + round * 0x9e3779b9u), static_cast<unsigned int>(b),
          static_cast<unsigned int>(a >> 32) ^ c[3] ^ (round * 0xbb67ae85u), static_cast<unsigned int>(a)};
      memcpy(c, next, sizeof c);
    }
    return c[drawn++ % 4];
  }
};

template <class Model>
static int compare_threads(const char* name, void (*kernel)(unsigned int*), bool all, unsigned int* words) {
  const dim3 block(7, 5, 3);
  const int threads = 3 * 7 * 5 * 3;
  memset(words, 0, threads * draws * sizeof *words);
  kernel<<<3, block>>>(words);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int failures = 0;
  for (int rank = 0; rank < threads; ++rank) {
    Model model(99 + rank % 5);
    for (int i = 0; i < rank; ++i) model.next();
    for (int i = 0; i < draws; ++i) {
      const unsigned int expected = all || i < draws - rank % 3 ? model.next() : 0;
      if (words[rank * draws + i] == expected) continue;
      ++failures;
      std::printf("%s: thread %d, draw %d: %x, not %x\n", name, rank, i, words[rank * draws + i], expected);
    }
  }
  return failures;
}

// Directions of bit k: 2^(31 - k) and, for the second dimension, the row k of Pascal's triangle modulo 2.
__global__ void draw_sobol(unsigned int* out, float* units, const unsigned int* directions) {
  const unsigned int rank = thread_rank();
  unsigned int vectors[32];
  for (int bit = 0; bit < 32; ++bit) vectors[bit] = directions[bit];
  curandStateSobol32_t state;
  curand_init(vectors, rank, &state);
  for (int i = 0; i < 3; ++i) out[4 * rank + i] = curand(&state);
  skipahead(rank, &state);
  units[rank] = curand_uniform(&state);
  curandStateScrambledSobol32_t scrambled;
  curand_init(vectors, 0x12345678u, rank, &scrambled);
  out[4 * rank + 3] = curand(&scrambled);
}

static unsigned int sobol_value(const unsigned int* directions, unsigned int index) {
  unsigned int value = 0;
  for (int bit = 0; bit < 31; ++bit) value ^= ((index >> bit ^ index >> (bit + 1)) & 1) * directions[bit];
  return value;
}

static int compare_sobol(unsigned int* words) {
  unsigned int* directions = words + 4096;
  float* units = reinterpret_cast<float*>(words + 8192);
  int failures = 0;
  for (int dimension = 0; dimension < 2; ++dimension) {
    directions[0] = 0x80000000u;
    for (int bit = 1; bit < 32; ++bit)
      directions[bit] = directions[bit - 1] >> 1 ^ (dimension == 1 ? directions[bit - 1] : 0);
    draw_sobol<<<3, dim3(7, 5, 3)>>>(words, units, directions);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (unsigned int rank = 0; rank < 315; ++rank) {
      for (unsigned int i = 0; i < 3; ++i) failures += words[4 * rank + i] != sobol_value(directions, rank + i);
      failures += words[4 * rank + 3] != (sobol_value(directions, rank) ^ 0x12345678u);
      const float unit = static_cast<float>(sobol_value(directions, 2 * rank + 3)) * 0x1p-32f + 0x1p-33f;
      failures += units[rank] != unit;
    }
  }
  if (failures != 0) std::printf("Sobol: %d wrong numbers\n", failures);
  return failures;
}

// The distributions: mean and variance of many numbers.
template <class State>
__global__ void sum_numbers(double* sums, double lambda) {
  State state;
  curand_init(7, thread_rank(), 0, &state);
  double values[3] = {};
  for (int i = 0; i < 200; ++i) {
    const double number = curand_poisson(&state, lambda);
    values[0] += number, values[1] += (number - lambda) * (number - lambda);
    values[2] += log(curand_log_normal(&state, 0.5f, 0.25f));
  }
  for (int i = 0; i < 3; ++i) atomicAdd(&sums[i], values[i]);
}

template <class State>
static int compare_moments(const char* name, unsigned int* words) {
  double* sums = reinterpret_cast<double*>(words);
  int failures = 0;
  for (const double lambda : {2.5, 63.0, 64.0, 300.0, 4000.0, 5000.0}) {
    for (int i = 0; i < 3; ++i) sums[i] = 0.0;
    sum_numbers<State><<<4, dim3(8, 8)>>>(sums, lambda);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    const double n = 4 * 64 * 200, mean = sums[0] / n, variance = sums[1] / n, log_mean = sums[2] / n;
    // The limits are five standard errors.
    if (std::fabs(mean - lambda) > 5 * std::sqrt(lambda / n) || std::fabs(variance / lambda - 1) > 0.04 ||
        std::fabs(log_mean - 0.5) > 5 * 0.25 / std::sqrt(n)) {
      ++failures;
      std::printf("%s, lambda %g: mean %g, variance %g, log mean %g\n", name, lambda, mean, variance, log_mean);
    }
  }
  return failures;
}

// Draws of all threads of a block, one after the other.
__global__ void draw_mtgp32(curandStateMtgp32_t* states, unsigned int* words, float* floats, float* normals,
                            int draws) {
  const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned int first = blockIdx.x * draws * threads + rank;
  for (int i = 0; i < draws; ++i) words[first + i * threads] = curand(&states[blockIdx.x]);
  if (floats == nullptr) return;
  for (int i = 0; i < draws; ++i) floats[first + i * threads] = curand_uniform(&states[blockIdx.x]);
  for (int i = 0; i < draws; ++i) normals[first + i * threads] = curand_normal(&states[blockIdx.x]);
}

static unsigned int hash_of(const void* data, size_t bytes) {
  unsigned int value = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) value = (value ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return value;
}

// Hashes and normal numbers of an H200. A block of another shape draws the same sequence.
static int compare_mtgp32() {
  constexpr int blocks = 4, threads = 256, draws = 8, all = blocks * threads * draws, odd = 7 * 5 * 3;
  constexpr float last_normals[] = {-0.43710124492645264f, 1.0013612508773804f, 0.9088098406791687f,
                                    0.5681905746459961f};
  curandStateMtgp32_t* states;
  mtgp32_kernel_params_t* parameters;
  unsigned int *words, *odd_words;
  float* floats;
  int failures = cudaMalloc(&states, blocks * sizeof *states) != cudaSuccess;
  failures += cudaMalloc(&parameters, sizeof *parameters) != cudaSuccess;
  failures += cudaMallocManaged(&words, all * 4) != cudaSuccess;
  failures += cudaMallocManaged(&odd_words, all * 4) != cudaSuccess;
  failures += cudaMallocManaged(&floats, all * 8) != cudaSuccess;
  if (failures != 0) return failures;
  const auto set_up = [&] {
    failures += curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, blocks, 1234) != 0;
  };
  failures += curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters) != CURAND_STATUS_SUCCESS;
  failures +=
      curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, 201, 1) != CURAND_STATUS_OUT_OF_RANGE;
  set_up();
  draw_mtgp32<<<blocks, threads>>>(states, words, floats, floats + all, draws);
  set_up();
  draw_mtgp32<<<blocks, dim3(7, 5, 3)>>>(states, odd_words, nullptr, nullptr, draws);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  failures += hash_of(words, all * 4) != 0xbf96f2d8;
  failures += hash_of(floats, all * 4) != 0x4c981f7c;
  for (int i = 0; i < 4; ++i) failures += std::fabs(floats[2 * all - 4 + i] - last_normals[i]) > 2e-6f;
  for (int i = 0; i < blocks * odd * draws; ++i)
    failures += odd_words[i] != words[i / (odd * draws) * threads * draws + i % (odd * draws)];
  if (failures != 0) std::printf("MTGP32: %d failures\n", failures);
  return failures;
}

int main() {
  unsigned int* words;
  cudaMallocManaged(&words, 1 << 16);
  int failures = compare_with_gpu(words);
  failures += compare_threads<xorwow_model>("xorwow", draw_in_threads<curandStateXORWOW_t>, false, words);
  failures += compare_threads<mrg_model>("mrg32k3a", draw_in_threads<curandStateMRG32k3a_t>, false, words);
  failures += compare_threads<philox_model>("philox", draw_in_threads<curandStatePhilox4_32_10_t>, false, words);
  failures += compare_threads<philox_model>("philox, four at a time", draw_four, true, words);
  failures += compare_sobol(words);
  failures += compare_mtgp32();
  failures += compare_moments<curandStateXORWOW_t>("xorwow", words);
  failures += compare_moments<curandStatePhilox4_32_10_t>("philox", words);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
