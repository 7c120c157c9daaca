// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a layer whose weights are divided among devices: each device has partial sums of all activations. One
// kernel on all devices adds the partial sums, then the residual, and normalises each row by its root mean square.
#include <cmath>
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

constexpr unsigned int block_threads = 64;
constexpr float epsilon = 1e-5f;

// The operands and results of one device.
struct layer {
  const float *partial, *residual, *scale;
  float *hidden, *normalised;
};

__host__ __device__ inline float factor_of(float squares, int width) {
  return 1.0f / sqrtf(squares / static_cast<float>(width) + epsilon);
}

__global__ void end_of_layer(layer mine, int rows, int width) {
  //! [fused_all_reduce]
  const auto devices = cohort::this_multi_grid();
  const auto grid = cohort::this_grid();
  const auto block = cohort::this_thread_block();
  const size_t count = static_cast<size_t>(rows) * static_cast<size_t>(width);
  cohort::all_reduce(devices, mine.hidden, mine.partial, count, cohort::plus<float>(),
                     [&](size_t i, float sum) { return sum + mine.residual[i]; });
  grid.sync();  // other threads of this grid have stored some of the sums
  for (int row = static_cast<int>(blockIdx.x); row < rows; row += static_cast<int>(gridDim.x)) {
    const float* const from = mine.hidden + static_cast<size_t>(row) * static_cast<size_t>(width);
    float squares = 0;
    for (int i = static_cast<int>(threadIdx.x); i < width; i += static_cast<int>(blockDim.x))
      squares += from[i] * from[i];
    const float factor = factor_of(cohort::reduce(block, squares, cohort::plus<float>()), width);
    float* const to = mine.normalised + (from - mine.hidden);
    for (int i = static_cast<int>(threadIdx.x); i < width; i += static_cast<int>(blockDim.x)) {
      to[i] = from[i] * factor * mine.scale[i];
    }
  }
  //! [fused_all_reduce]
}

// Returns a small whole number. Sums and squares of these are exact, so the host's results have the same bits.
float number(unsigned int seed) { return static_cast<float>(static_cast<int>(seed * 2654435761u >> 28) - 8); }

int main(int argc, char** argv) {
  long long rows = 64, width = 512, blocks = 4, devices = 0;
  example::options("fused_all_reduce", "an all-reduce over devices with a residual and a norm in the same kernel")
      .number("--rows", rows, 1, 65536, "rows of activations")
      .number("--width", width, 1, 65536, "activations of a row")
      .number("--blocks", blocks, 1, 1024, "blocks of 64 threads on each device")
      .number("--devices", devices, 0, 64, "devices to use; 0 is all")
      .parse(argc, argv);
  const int count = example::devices_to_use("fused_all_reduce", devices);
  const size_t elements = static_cast<size_t>(rows * width);
  std::printf("%lld rows of %lld activations on %d device%s\n", rows, width, count, count == 1 ? "" : "s");

  std::vector<float> residual(elements), scale(static_cast<size_t>(width)), sums(elements);
  for (size_t i = 0; i < elements; ++i) residual[i] = number(static_cast<unsigned int>(i) + 7);
  for (size_t i = 0; i < scale.size(); ++i) scale[i] = number(static_cast<unsigned int>(i) + 3);

  using array = example::device_array<float>;
  std::vector<std::unique_ptr<array>> memory;
  std::vector<layer> layers;
  for (int d = 0; d < count; ++d) {
    EXAMPLE_CHECK(cudaSetDevice(d));
    std::vector<float> partial(elements);
    for (size_t i = 0; i < elements; ++i) {
      partial[i] = number(static_cast<unsigned int>(i) * 31 + static_cast<unsigned int>(d));
      sums[i] += partial[i];
    }
    const size_t first = memory.size();
    for (const std::vector<float>* values : {&partial, &residual, &scale})
      memory.push_back(std::make_unique<array>(*values));
    for (int i = 0; i < 2; ++i) memory.push_back(std::make_unique<array>(elements));
    layers.push_back({memory[first]->get(), memory[first + 1]->get(), memory[first + 2]->get(),
                      memory[first + 3]->get(), memory[first + 4]->get()});
  }
  EXAMPLE_CHECK(cudaSetDevice(0));
  const cohort::error failed =
      cohort::launch_multi_device(count, {static_cast<unsigned int>(blocks), block_threads}, end_of_layer,
                                  cohort::per_device(layers.data()), static_cast<int>(rows), static_cast<int>(width));
  if (failed) {
    std::fprintf(stderr, "fused_all_reduce: %s\n", cohort::message(failed));
    return 1;
  }

  std::vector<float> expected(elements);
  for (long long row = 0; row < rows; ++row) {
    const size_t first = static_cast<size_t>(row * width);
    float squares = 0;
    for (size_t i = first; i < first + scale.size(); ++i) {
      sums[i] += residual[i];
      squares += sums[i] * sums[i];
    }
    const float factor = factor_of(squares, static_cast<int>(width));
    for (size_t i = 0; i < scale.size(); ++i) expected[first + i] = sums[first + i] * factor * scale[i];
  }
  bool right = true;
  for (int d = 0; d < count; ++d) {
    EXAMPLE_CHECK(cudaSetDevice(d));
    const bool equal = memory[static_cast<size_t>(d) * 5 + 3]->to_host() == sums &&
                       memory[static_cast<size_t>(d) * 5 + 4]->to_host() == expected;
    std::printf("device %d: %s\n", d, equal ? "equal" : "WRONG");
    right = right && equal;
  }
  return example::verdict(right, "all sums and all norms, on every device, to the bit");
}
