// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms of a device, compared with the host's standard library.
#include <algorithm>
#include <cstdint>
#include <cub/cub.cuh>
#include <cub/iterator/tex_obj_input_iterator.cuh>
#include <vector>

#include "../plugin/check.hpp"

struct is_odd {
  __host__ __device__ bool operator()(uint32_t x) const { return x & 1; }
};

__global__ void read_through(cub::TexObjInputIterator<double> from, double* to) {
  to[threadIdx.x] = from[threadIdx.x + 3];
}

template <class T>
T* managed(size_t count) {
  T* memory = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&memory, count * sizeof(T)));
  return memory;
}

// Calls an algorithm twice, as CUB's interface requires: for the size of its scratch memory, then to run.
template <class Algorithm>
void run(Algorithm algorithm, const char* what) {
  void* memory = nullptr;
  size_t bytes = 0;
  expect_success(algorithm(memory, bytes), what);
  EXPECT_SUCCESS(cudaMalloc(&memory, bytes));
  expect_success(algorithm(memory, bytes), what);
  expect_success(cudaDeviceSynchronize(), what);
  EXPECT_SUCCESS(cudaFree(memory));
}

template <class T>
void expect_all(const T* got, const std::vector<T>& wanted, const char* what) {
  for (size_t i = 0; i < wanted.size(); ++i) expect_equal(got[i], wanted[i], what, i);
}

int main() {
  for (const int count : {1, 1000, 100003}) {
    auto* in = managed<uint32_t>(count);
    auto* out = managed<uint32_t>(count);
    auto* wide = managed<uint64_t>(count);
    auto* wide_out = managed<uint64_t>(count);
    auto* number = managed<int>(1);
    auto* bins = managed<int>(16);
    uint32_t state = count;
    for (int i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      in[i] = state >> 3;
      wide[i] = static_cast<uint64_t>(state) << 20 | i;
    }
    const std::vector<uint32_t> words(in, in + count);
    const std::vector<uint64_t> wides(wide, wide + count);

    run([&](void* m, size_t& n) { return cub::DeviceReduce::Sum(m, n, in, out, count); }, "DeviceReduce::Sum");
    uint32_t sum = 0;
    for (const uint32_t word : words) sum += word;
    expect_equal(out[0], sum, "DeviceReduce::Sum");
    run([&](void* m, size_t& n) { return cub::DeviceReduce::Max(m, n, wide, wide_out, count); }, "DeviceReduce::Max");
    expect_equal(wide_out[0], *std::max_element(wides.begin(), wides.end()), "DeviceReduce::Max");

    run([&](void* m, size_t& n) { return cub::DeviceScan::InclusiveSum(m, n, wide, wide_out, count); }, "DeviceScan");
    std::vector<uint64_t> sums(wides);
    for (int i = 1; i < count; ++i) sums[i] += sums[i - 1];
    expect_all(wide_out, sums, "DeviceScan::InclusiveSum");

    run([&](void* m, size_t& n) { return cub::DeviceRadixSort::SortKeys(m, n, in, out, count); }, "SortKeys");
    std::vector<uint32_t> sorted(words);
    std::sort(sorted.begin(), sorted.end());
    expect_all(out, sorted, "DeviceRadixSort::SortKeys");
    run([&](void* m, size_t& n) { return cub::DeviceRadixSort::SortPairs(m, n, wide, wide_out, in, out, count); },
        "SortPairs");
    std::vector<std::pair<uint64_t, uint32_t>> pairs;
    for (int i = 0; i < count; ++i) pairs.emplace_back(wides[i], words[i]);
    std::sort(pairs.begin(), pairs.end());
    for (int i = 0; i < count; ++i) {
      expect_equal(wide_out[i], pairs[i].first, "SortPairs' keys", i);
      expect_equal(out[i], pairs[i].second, "SortPairs' values", i);
    }

    run([&](void* m, size_t& n) { return cub::DeviceSelect::If(m, n, in, out, number, count, is_odd()); }, "Select");
    std::vector<uint32_t> odd;
    std::copy_if(words.begin(), words.end(), std::back_inserter(odd), is_odd());
    expect_equal(*number, static_cast<int>(odd.size()), "the number that DeviceSelect::If took");
    expect_all(out, odd, "DeviceSelect::If");

    run([&](void* m,
            size_t& n) { return cub::DeviceHistogram::HistogramEven(m, n, in, bins, 17, 0u, 1u << 29, count); },
        "DeviceHistogram");
    std::vector<int> counts(16);
    for (const uint32_t word : words) ++counts[word >> 25];
    expect_all(bins, counts, "DeviceHistogram::HistogramEven");
  }

  // An iterator over a texture.
  double* const numbers = managed<double>(64);
  double* const read = managed<double>(32);
  for (int i = 0; i < 64; ++i) numbers[i] = 1.5 * i;
  cub::TexObjInputIterator<double> through;
  EXPECT_SUCCESS(through.BindTexture(numbers, 64 * sizeof(double)));
  read_through<<<1, 32>>>(through, read);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) expect_equal(read[i], 1.5 * (i + 3), "TexObjInputIterator", i);
  EXPECT_SUCCESS(through.UnbindTexture());
  return result();
}
