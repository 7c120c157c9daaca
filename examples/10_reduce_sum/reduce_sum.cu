// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums many floats in three ways: one block for each batch with a shared-memory tree, one block for each batch with
// warp shuffles, and one cooperative launch for the whole array. Each result is verified, then each kernel is timed.
//
// Float addition is exact on the input: its values are multiples of 1/4, small enough that no partial sum of a batch
// exceeds the 24 significant bits of a float. So every order of additions gives the host's sum, bit by bit.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 256;
constexpr unsigned block_warps = block_threads / 32;
constexpr long long chunk = 262144;  // elements that a block of the full sum adds in one iteration

// Device side ----------------------------------------------------------------------------------------

__device__ float strided_sum(const float* __restrict__ data, size_t count, unsigned first, unsigned stride) {
  float sum = 0.0f;
  for (size_t i = first; i < count; i += stride) sum += data[i];
  return sum;
}

// Sums with a tree in shared memory. All threads of the block call it, and all return the sum.
__device__ float tree_sum(const cg::thread_block& block, const float* data, size_t count) {
  __shared__ float scratch[block_threads];
  const unsigned rank = block.thread_rank();
  block.sync();  // all threads have read the previous result
  scratch[rank] = strided_sum(data, count, rank, block_threads);
  block.sync();
  for (unsigned width = block_threads / 2; width > 0; width /= 2) {
    if (rank < width) scratch[rank] += scratch[rank + width];
    block.sync();
  }
  return scratch[0];
}

// Sums with warp shuffles. All threads of the block call it, and all return the sum.
__device__ float shuffle_sum(const cg::thread_block& block, const float* data, size_t count) {
  __shared__ float of_warp[block_warps];
  const auto warp = cg::tiled_partition<32>(block);
  float sum = strided_sum(data, count, block.thread_rank(), block_threads);
  for (unsigned step = 16; step > 0; step /= 2) sum += warp.shfl_down(sum, step);
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = sum;
  block.sync();
  float total = 0.0f;
  for (unsigned w = 0; w < block_warps; ++w) total += of_warp[w];
  return total;
}

__global__ void batched_by_tree(const float* in, size_t per_batch, float* out) {
  const cg::thread_block block = cg::this_thread_block();
  const size_t batch = cg::this_grid().block_rank();
  const float sum = tree_sum(block, in + batch * per_batch, per_batch);
  if (block.thread_rank() == 0) out[batch] = sum;
}

__global__ void batched_by_shuffles(const float* in, size_t per_batch, float* out) {
  const cg::thread_block block = cg::this_thread_block();
  const size_t batch = cg::this_grid().block_rank();
  const float sum = shuffle_sum(block, in + batch * per_batch, per_batch);
  if (block.thread_rank() == 0) out[batch] = sum;
}

// Stores the sum of each chunk in `sums`, then folds `sums` to one value, with a barrier of the grid between the
// rounds. The sums of chunks are doubles, so their additions are exact for any number of chunks.
__global__ void full_sum(const float* in, size_t count, double* sums, double* out) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const size_t chunks = (count + chunk - 1) / chunk;
  for (size_t c = grid.block_rank(); c < chunks; c += grid.num_blocks()) {
    const size_t begin = c * chunk;
    const size_t length = count - begin < chunk ? count - begin : chunk;
    const float sum = tree_sum(block, in + begin, length);
    if (block.thread_rank() == 0) sums[c] = sum;
  }
  grid.sync();

  // Each round adds the upper half to the lower half.
  for (size_t left = chunks; left > 1;) {
    const size_t lower = (left + 1) / 2;
    for (size_t i = grid.thread_rank(); i + lower < left; i += grid.size()) sums[i] += sums[i + lower];
    grid.sync();
    left = lower;
  }
  if (grid.thread_rank() == 0) *out = sums[0];
}

// Host side ------------------------------------------------------------------------------------------

// Element `i` of the input, in units of 1/4: a hash of `i`, from -limit to limit.
static int quarters(uint64_t i, int limit) {
  uint64_t x = i * 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 32;
  return static_cast<int>((x & 0xffffffffull) * static_cast<uint64_t>(2 * limit + 1) >> 32) - limit;
}

// Returns the mean time of one call in milliseconds, measured with events on the stream.
static float time_of(const std::function<void()>& launch, long long warmups, long long repeats) {
  cudaEvent_t start, stop;
  EXAMPLE_CHECK(cudaEventCreate(&start));
  EXAMPLE_CHECK(cudaEventCreate(&stop));
  for (long long i = 0; i < warmups; ++i) launch();
  EXAMPLE_CHECK(cudaEventRecord(start, nullptr));
  for (long long i = 0; i < repeats; ++i) launch();
  EXAMPLE_CHECK(cudaEventRecord(stop, nullptr));
  EXAMPLE_CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0.0f;
  EXAMPLE_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXAMPLE_CHECK(cudaEventDestroy(start));
  EXAMPLE_CHECK(cudaEventDestroy(stop));
  return milliseconds / static_cast<float>(repeats);
}

static void print_rule(char mark) { std::printf("%s\n", std::string(50, mark).c_str()); }

static void print_device() {
  int device = 0, clock = 0, width = 0, sms = 0;
  cudaDeviceProp properties;
  EXAMPLE_CHECK(cudaGetDevice(&device));
  EXAMPLE_CHECK(cudaGetDeviceProperties(&properties, device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  std::printf("Device: %s, %d SMs\n", properties.name, sms);
  std::printf("Memory: %.2f GiB\n", static_cast<double>(properties.totalGlobalMem) / (1024.0 * 1024.0 * 1024.0));
  std::printf("Bandwidth by the device's properties: %.1f GB/s (a GPU's is theoretical, a CPU device's is measured)\n",
              2.0 * clock * (width / 8) / 1e6);
}

// Prints the result of one part below its heading.
static bool report(const char* heading, size_t wrong, size_t checked, float milliseconds, double bytes) {
  std::printf("%s\n", heading);
  if (wrong == 0) {
    std::printf("Result: %zu of %zu sums equal the host's\n", checked, checked);
  } else {
    std::printf("Result: WRONG, %zu of %zu sums differ from the host's\n", wrong, checked);
  }
  std::printf("Mean time: %.3f ms\nBytes read and written per time: %.2f GB/s\n", milliseconds,
              bytes * 1e-6 / milliseconds);
  print_rule('-');
  return wrong == 0;
}

int main(int argc, char** argv) {
  bool quick = false;  // decides the defaults, so it is read before the other options
  for (int i = 1; i < argc; ++i) quick = quick || std::string(argv[i]) == "--quick";
  long long batches = quick ? 256 : 2048, elements = 262144, repeats = quick ? 3 : 10, warmups = quick ? 1 : 2;
  example::options("reduce_sum", "batched and full sums of floats, verified and timed")
      .number("--batches", batches, 1, 65535, "batches")
      .number("--elements", elements, 1, 1 << 22, "floats in a batch")
      .number("--repeats", repeats, 1, 100000, "timed launches of each kernel")
      .number("--warmups", warmups, 0, 100000, "launches before them")
      .flag("--quick", quick, "smaller defaults: 256 batches, 3 repeats, 1 warm-up")
      .parse(argc, argv);
  const size_t per_batch = static_cast<size_t>(elements), total = per_batch * static_cast<size_t>(batches);

  print_rule('~');
  print_device();
  print_rule('=');
  std::printf("Batches: %lld of %lld floats (%.1f MiB)\n", batches, elements,
              static_cast<double>(total) * sizeof(float) / (1024.0 * 1024.0));
  print_rule('=');

  // Copies one batch at a time, so the host needs no copy of the whole array. The host's sums are integers, which share
  // no arithmetic with the device's.
  const long long longest = elements > chunk ? elements : chunk;
  const int limit = static_cast<int>(((1 << 24) - 1) / longest);
  example::device_array<float> in(total), out(static_cast<size_t>(batches));
  std::vector<int64_t> expected(static_cast<size_t>(batches));
  std::vector<float> staging(per_batch);
  int64_t expected_total = 0;
  for (size_t b = 0; b < expected.size(); ++b) {
    for (size_t i = 0; i < per_batch; ++i) {
      const int q = quarters(b * per_batch + i, limit);
      staging[i] = static_cast<float>(q) * 0.25f;
      expected[b] += q;
    }
    expected_total += expected[b];
    EXAMPLE_CHECK(
        cudaMemcpy(in.get() + b * per_batch, staging.data(), per_batch * sizeof(float), cudaMemcpyHostToDevice));
  }

  bool right = true;
  struct batched_kernel {
    const char* name;
    void (*kernel)(const float*, size_t, float*);
  };
  const batched_kernel batched[] = {{"Batched sum, shared-memory tree", batched_by_tree},
                                    {"Batched sum, warp shuffles", batched_by_shuffles}};
  for (const batched_kernel& variant : batched) {
    const auto launch = [&] {
      variant.kernel<<<static_cast<unsigned>(batches), block_threads>>>(in.get(), per_batch, out.get());
      EXAMPLE_CHECK(cudaGetLastError());
    };
    EXAMPLE_CHECK(cudaMemset(out.get(), 0xff, out.bytes()));
    launch();
    EXAMPLE_CHECK_LAUNCH();
    const std::vector<float> sums = out.to_host();
    size_t wrong = 0;
    for (size_t b = 0; b < sums.size(); ++b)
      wrong += !(static_cast<double>(sums[b]) * 4.0 == static_cast<double>(expected[b]));
    right = report(variant.name, wrong, sums.size(), time_of(launch, warmups, repeats),
                   static_cast<double>(total + sums.size()) * sizeof(float)) &&
            right;
  }

  int device = 0, sms = 0;
  EXAMPLE_CHECK(cudaGetDevice(&device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  example::device_array<double> chunk_sums((total + chunk - 1) / chunk), full(1);
  const float* in_argument = in.get();
  double *sums_argument = chunk_sums.get(), *full_argument = full.get();
  size_t count_argument = total;
  void* arguments[] = {&in_argument, &count_argument, &sums_argument, &full_argument};
  const auto launch_full = [&] {
    EXAMPLE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(full_sum), dim3(static_cast<unsigned>(sms)),
                                              dim3(block_threads), arguments, 0, nullptr));
  };
  launch_full();
  EXAMPLE_CHECK_LAUNCH();
  const double sum = full.to_host()[0];
  const size_t wrong = sum * 4.0 == static_cast<double>(expected_total) ? 0 : 1;
  right = report("Full sum, one cooperative launch", wrong, 1, time_of(launch_full, warmups, repeats),
                 static_cast<double>(total + 1) * sizeof(float)) &&
          right;
  std::printf("The full sum: %.2f\n", sum);
  return example::verdict(right, "the sums of the batches by both kernels, and the full sum");
}
