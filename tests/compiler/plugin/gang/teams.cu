// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of the block and of tiles larger than a warp, in gangs that are narrower and wider than the tile. Values
// lie adjacent in the exchange area, or on the lanes' stacks. Blocks have all shapes; there are partial tiles and lanes
// that have returned.
#include <cohort/cohort.hpp>

#include <algorithm>
#include <vector>

#include "../check.hpp"

constexpr unsigned most_threads = 1024;

// Maps x -> m * x + c, modulo 2^32. Their composition is associative and not commutative.
struct affine {
  unsigned m, c;
};
struct compose {
  __host__ __device__ affine operator()(const affine& a, const affine& b) const { return {a.m * b.m, b.m * a.c + b.c}; }
};
// A value too large for the exchange area.
struct many {
  affine parts[5];
};
struct compose_many {
  __host__ __device__ many operator()(const many& a, const many& b) const {
    many result;
    for (int i = 0; i < 5; ++i) result.parts[i] = compose()(a.parts[i], b.parts[i]);
    return result;
  }
};
// An operator with a state; all lanes pass the same object.
struct scaled {
  unsigned by;
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a + b + by; }
};

__host__ __device__ affine affine_of(unsigned i) { return {2 * i + 3, i * 7919 + 1}; }
__host__ __device__ many many_of(unsigned i) {
  many result;
  for (unsigned k = 0; k < 5; ++k) result.parts[k] = affine_of(i + 100 * k);
  return result;
}
__host__ __device__ float float_of(unsigned i) { return 1.0f / static_cast<float>(i % 97 + 3); }
__host__ __device__ unsigned fold(const affine& a) { return a.m ^ a.c * 31; }
__host__ __device__ unsigned fold(const many& a) {
  unsigned result = 0;
  for (const affine& part : a.parts) result = result * 5 + fold(part);
  return result;
}

struct seen {
  unsigned reduced, scanned, before, shuffled, large, large_before, stateful, count, any, all, again;
  float real;
};

template <class Group>
__device__ seen use(const Group& group, unsigned value) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  const unsigned size = static_cast<unsigned>(cohort::count(group, true));  // fewer than size() in a partial tile
  seen s;
  s.reduced = fold(cohort::reduce(group, affine_of(value), compose()));
  s.scanned = fold(cohort::inclusive_scan(group, affine_of(value), compose()));
  s.before = fold(cohort::exclusive_scan(group, affine_of(value), compose()));
  s.shuffled = cohort::broadcast(group, 3 * value + 1, size / 2);
  s.large = fold(cohort::reduce(group, many_of(value), compose_many()));
  s.large_before = fold(cohort::exclusive_scan(group, many_of(value), compose_many()));
  s.stateful = cohort::reduce(group, value, scaled{s.shuffled % 2 + 5});
  s.count = static_cast<unsigned>(cohort::count(group, value % 3 == 0));
  s.any = cohort::any(group, rank == size - 1 && value % 2 == 0);
  s.all = cohort::all(group, value % 64 != 63);
  s.real = cohort::reduce(group, float_of(value), cohort::plus<float>());
  group.sync();
  s.again = 0;
  for (unsigned i = 0; i < 3; ++i) s.again = cohort::reduce(group, s.again * 3 + value + i, cohort::plus<unsigned>());
  return s;
}

__global__ void in_block(const unsigned* in, seen* out) {
  const auto block = cohort::this_thread_block();
  const unsigned rank = block.thread_rank();
  out[rank] = use(block, in[rank]);
}
template <unsigned Size>
__global__ void in_tile(const unsigned* in, seen* out) {
  const auto block = cohort::this_thread_block();
  const unsigned rank = block.thread_rank();
  out[rank] = use(cohort::tiled_partition<Size>(block), in[rank]);
}

// Threads that have returned take no part in the collectives.
__global__ void returned(const unsigned* in, unsigned* out, unsigned stay) {
  const auto block = cohort::this_thread_block();
  const unsigned rank = block.thread_rank();
  if (rank % 7 == 3 || rank >= stay) return;
  unsigned sum = cohort::reduce(block, in[rank], cohort::plus<unsigned>());
  if (rank % 5 == 1) return;
  sum = sum * 3 + cohort::inclusive_scan(block, in[rank], cohort::plus<unsigned>());
  const auto tile = cohort::tiled_partition<64>(block);
  sum = sum * 3 + tile.shfl(in[rank], 5);
  sum = sum * 3 + cohort::reduce(tile, in[rank], cohort::greater<unsigned>());
  out[rank] = sum * 3 + static_cast<unsigned>(cohort::count(tile, true));
}

template <class T, class Op>
T in_order(const std::vector<T>& values, size_t end, const Op& op) {
  T result = values[0];
  for (size_t i = 1; i < end; ++i) result = op(result, values[i]);
  return result;
}

// The written tree of docs/collectives.md.
float tree_sum(std::vector<float> values) {
  for (size_t step = 1; step < values.size(); step *= 2) {
    for (size_t i = 0; i + step < values.size(); i += 2 * step) values[i] = values[i] + values[i + step];
  }
  return values[0];
}

void check_team(const char* what, const unsigned* in, const seen* out, unsigned size) {
  std::vector<affine> small;
  std::vector<many> large;
  std::vector<float> reals;
  unsigned count = 0, all = 1, sum = 0;
  for (unsigned i = 0; i < size; ++i) {
    small.push_back(affine_of(in[i]));
    large.push_back(many_of(in[i]));
    reals.push_back(float_of(in[i]));
    count += in[i] % 3 == 0;
    all &= in[i] % 64 != 63;
    sum += in[i];
  }
  unsigned again = 0;
  for (unsigned i = 0; i < 3; ++i) again = size * (again * 3 + i) + sum;
  const unsigned shuffled = 3 * in[size / 2] + 1;
  for (unsigned i = 0; i < size; ++i) {
    const seen& s = out[i];
    expect_equal(s.reduced, fold(in_order(small, size, compose())), what, i);
    expect_equal(s.scanned, fold(in_order(small, i + 1, compose())), what, i);
    expect_equal(s.before, fold(i ? in_order(small, i, compose()) : affine()), what, i);
    expect_equal(s.large, fold(in_order(large, size, compose_many())), what, i);
    expect_equal(s.large_before, fold(i ? in_order(large, i, compose_many()) : many()), what, i);
    expect_equal(s.shuffled, shuffled, what, i);
    expect_equal(s.stateful, sum + (size - 1) * (shuffled % 2 + 5), what, i);
    expect_equal(s.count, count, what, i);
    expect_equal(s.any, in[size - 1] % 2 == 0 ? 1u : 0u, what, i);
    expect_equal(s.all, all, what, i);
    expect_equal(s.again, again, what, i);
    expect_equal(s.real == tree_sum(reals), true, what, i);
  }
}

void check_teams(const char* what, void (*kernel)(const unsigned*, seen*), unsigned size, dim3 block,
                 const unsigned* in, seen* out) {
  const unsigned threads = block.x * block.y * block.z;
  kernel<<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < threads; i += size) check_team(what, in + i, out + i, std::min(size, threads - i));
}

void check_returned(const unsigned* in, unsigned* out, dim3 block) {
  const unsigned threads = block.x * block.y * block.z, stay = threads - threads / 4;
  auto first = [&](unsigned i) { return i % 7 != 3 && i < stay; };
  auto second = [&](unsigned i) { return first(i) && i % 5 != 1; };
  for (unsigned i = 0; i < threads; ++i) out[i] = 0;
  returned<<<1, block>>>(in, out, stay);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  unsigned sum = 0, scan = 0;
  for (unsigned i = 0; i < threads; ++i) sum += first(i) ? in[i] : 0;
  for (unsigned i = 0; i < threads; ++i) {
    if (!second(i)) {
      expect_equal(out[i], 0u, "returned", i);
      continue;
    }
    scan += in[i];
    const unsigned tile = i / 64 * 64;
    unsigned count = 0, most = 0;
    for (unsigned k = tile; k < tile + 64 && k < threads; ++k) {
      if (second(k)) ++count, most = std::max(most, in[k]);
    }
    const unsigned shuffled = tile + 5 < threads && second(tile + 5) ? in[tile + 5] : 0;
    expect_equal(out[i], (((sum * 3 + scan) * 3 + shuffled) * 3 + most) * 3 + count, "returned", i);
  }
}

int main() {
  unsigned *in, *out;
  seen* results;
  EXPECT_SUCCESS(cudaMallocManaged(&in, most_threads * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, most_threads * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&results, most_threads * sizeof(seen)));
  for (unsigned i = 0; i < most_threads; ++i) in[i] = i * 2654435761u >> 9;
  for (const dim3 block : {dim3(1), dim3(33), dim3(64), dim3(100), dim3(256), dim3(300), dim3(16, 6), dim3(32, 8),
                           dim3(7, 5, 3), dim3(128, 2, 2), dim3(1024)}) {
    check_teams("block", in_block, most_threads, block, in, results);
    check_teams("tile<64>", in_tile<64>, 64, block, in, results);
    check_teams("tile<128>", in_tile<128>, 128, block, in, results);
    check_teams("tile<512>", in_tile<512>, 512, block, in, results);
    check_returned(in, out, block);
  }
  return result();
}
