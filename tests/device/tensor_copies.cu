// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of boxes of tensors through tensor maps, against a model that computes each element's address.
#include <cuda.h>

#include <algorithm>
#include <string>

#include "bulk.hpp"
#include "check.hpp"

constexpr unsigned shared_bytes = 16384;

struct coordinates {
  int at[5];
  unsigned short offsets[3];
};

#define TENSOR_LOAD(rank, mode, list, last)                                                                    \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global" mode                                   \
               ".mbarrier::complete_tx::bytes [%0], [%1, {" list "}], [%2]" last ";" ::"r"(bulk::address(to)), \
               "l"(map), "r"(bulk::address(mbarrier)), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), \
               "r"(c.at[4]), "h"(c.offsets[0]), "h"(c.offsets[1]), "h"(c.offsets[2])                           \
               : "memory")
#define TENSOR_STORE(rank, name, mode, list)                                                                  \
  asm volatile(name "." #rank "d.global.shared::cta." mode ".bulk_group [%0, {" list "}], [%1];" ::"l"(map),  \
               "r"(bulk::address(from)), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) \
               : "memory")

template <int Rank, bool Im2col>
__device__ void load(void* to, const CUtensorMap* map, const coordinates& c, uint64_t* mbarrier) {
  if constexpr (Im2col) {
    if constexpr (Rank == 3) TENSOR_LOAD(3, ".im2col", "%3, %4, %5", ", {%8}");
    if constexpr (Rank == 4) TENSOR_LOAD(4, ".im2col", "%3, %4, %5, %6", ", {%8, %9}");
    if constexpr (Rank == 5) TENSOR_LOAD(5, ".im2col", "%3, %4, %5, %6, %7", ", {%8, %9, %10}");
  } else {
    if constexpr (Rank == 1) TENSOR_LOAD(1, "", "%3", "");
    if constexpr (Rank == 2) TENSOR_LOAD(2, ".tile", "%3, %4", "");
    if constexpr (Rank == 3) TENSOR_LOAD(3, ".tile", "%3, %4, %5", "");
    if constexpr (Rank == 4) TENSOR_LOAD(4, ".tile", "%3, %4, %5, %6", "");
    if constexpr (Rank == 5) TENSOR_LOAD(5, ".tile", "%3, %4, %5, %6, %7", "");
  }
}

template <int Rank, bool Im2col, bool Adds>
__device__ void store(const CUtensorMap* map, const coordinates& c, const void* from) {
  if constexpr (Adds) {
    if constexpr (Rank == 1) TENSOR_STORE(1, "cp.reduce.async.bulk.tensor", "add.tile", "%2");
    if constexpr (Rank == 3) TENSOR_STORE(3, "cp.reduce.async.bulk.tensor", "add.tile", "%2, %3, %4");
    if constexpr (Rank == 5) TENSOR_STORE(5, "cp.reduce.async.bulk.tensor", "add.tile", "%2, %3, %4, %5, %6");
  } else if constexpr (Im2col) {
    if constexpr (Rank == 3) TENSOR_STORE(3, "cp.async.bulk.tensor", "im2col_no_offs", "%2, %3, %4");
    if constexpr (Rank == 4) TENSOR_STORE(4, "cp.async.bulk.tensor", "im2col_no_offs", "%2, %3, %4, %5");
    if constexpr (Rank == 5) TENSOR_STORE(5, "cp.async.bulk.tensor", "im2col_no_offs", "%2, %3, %4, %5, %6");
  } else {
    if constexpr (Rank == 1) TENSOR_STORE(1, "cp.async.bulk.tensor", "tile", "%2");
    if constexpr (Rank == 2) TENSOR_STORE(2, "cp.async.bulk.tensor", "tile", "%2, %3");
    if constexpr (Rank == 3) TENSOR_STORE(3, "cp.async.bulk.tensor", "tile", "%2, %3, %4");
    if constexpr (Rank == 4) TENSOR_STORE(4, "cp.async.bulk.tensor", "tile", "%2, %3, %4, %5");
    if constexpr (Rank == 5) TENSOR_STORE(5, "cp.async.bulk.tensor", "tile", "%2, %3, %4, %5, %6");
  }
}

// Loads a box and writes all of shared memory to `image`.
template <int Rank, bool Im2col>
__global__ void load_box(const __grid_constant__ CUtensorMap map, coordinates c, unsigned bytes, unsigned start,
                         unsigned char* image) {
  extern __shared__ __align__(1024) unsigned char shared[];
  __shared__ uint64_t full;
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (unsigned i = rank; i < shared_bytes; i += threads) shared[i] = 0xee;
  if (rank == 0) bulk::init(&full, 1);
  bulk::fence();
  __syncthreads();
  if (rank == 0) {
    bulk::arrive_and_expect(&full, bytes);
    load<Rank, Im2col>(shared + start, &map, c, &full);
  }
  bulk::wait(&full, 0);
  for (unsigned i = rank; i < shared_bytes; i += threads) image[i] = shared[i];
}

template <int Rank, bool Im2col, bool Adds>
__global__ void store_box(const __grid_constant__ CUtensorMap map, coordinates c, const unsigned char* image) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (unsigned i = rank; i < shared_bytes; i += threads) shared[i] = image[i];
  bulk::fence();
  __syncthreads();
  if (rank == 0) {
    store<Rank, Im2col, Adds>(&map, c, shared);
    bulk::commit();
    bulk::wait_groups<0>();
  }
}

// A tensor of `Element`s with gaps after its rows.
template <class Element, int Rank>
struct tensor {
  cuuint64_t sizes[5] = {}, strides[5] = {};
  cuuint32_t box[5] = {}, steps[5] = {1, 1, 1, 1, 1};
  int lower[3] = {}, upper[3] = {};
  cuuint32_t channels = 0, pixels = 0;
  int swizzle = 0;
  coordinates start = {};

  // The distance in bytes between rows in shared memory.
  unsigned pitch() const { return swizzle ? 16u << swizzle : box[0] * static_cast<unsigned>(sizeof(Element)); }
  // The end of a box of `bytes` bytes in shared memory.
  unsigned end(unsigned bytes) const { return bytes / (box[0] * static_cast<unsigned>(sizeof(Element))) * pitch(); }
  size_t bytes() const { return Rank == 1 ? sizes[0] * sizeof(Element) : strides[Rank - 2] * sizes[Rank - 1]; }
};

template <class Element>
CUtensorMapDataType map_type() {
  return sizeof(Element) == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
         : sizeof(Element) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                : CU_TENSOR_MAP_DATA_TYPE_UINT32;
}

template <class Element, int Rank, bool Im2col>
CUtensorMap encode(const tensor<Element, Rank>& t, void* memory) {
  CUtensorMap map;
  const auto swizzle = static_cast<CUtensorMapSwizzle>(t.swizzle);
  CUresult result;
  if constexpr (Im2col) {
    result = cuTensorMapEncodeIm2col(&map, map_type<Element>(), Rank, memory, t.sizes, t.strides, t.lower, t.upper,
                                     t.channels, t.pixels, t.steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  } else {
    result = cuTensorMapEncodeTiled(&map, map_type<Element>(), Rank, memory, t.sizes, t.strides, t.box, t.steps,
                                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  if (result != CUDA_SUCCESS) {
    std::printf("no tensor map: error %d\n", static_cast<int>(result));
    std::exit(2);
  }
  return map;
}

template <class Element, int Rank>
tensor<Element, Rank> random_tensor(check::generator& random, bool is_im2col) {
  tensor<Element, Rank> t;
  const auto up_to = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  t.swizzle = static_cast<int>(up_to(4));
  const unsigned row = (t.swizzle ? 16u << up_to(static_cast<unsigned>(t.swizzle) + 1) : 16 + 16 * up_to(5)) /
                       static_cast<unsigned>(sizeof(Element));
  t.box[0] = t.channels = row;
  t.sizes[0] = 1 + up_to(2 * row);
  const int unit = 16 / static_cast<int>(sizeof(Element));  // the first coordinate is a multiple of 16 bytes
  t.start.at[0] = (static_cast<int>(up_to(2 * row)) - static_cast<int>(row / 2)) / unit * unit;
  cuuint64_t stride = (t.sizes[0] * sizeof(Element) + 15) / 16 * 16 + 16 * up_to(2);
  for (int i = 1; i < Rank; ++i) {
    t.sizes[i] = 1 + up_to(4);
    t.strides[i - 1] = stride;
    stride *= t.sizes[i] + up_to(2);
    t.box[i] = 1 + up_to(Rank > 3 ? 3 : 5);
    t.steps[i] = 1 + up_to(3);
    t.start.at[i] = static_cast<int>(up_to(7)) - 2;
  }
  if (is_im2col) {
    t.pixels = 1 + up_to(50);
    for (int i = 1; i + 1 < Rank; ++i) {
      t.lower[i - 1] = static_cast<int>(up_to(3)) - 2;
      const int most = static_cast<int>(t.sizes[i]) - t.lower[i - 1];
      t.upper[i - 1] = -static_cast<int>(up_to(static_cast<unsigned>(most)));
      const int positions = (most - 1 + t.upper[i - 1]) / static_cast<int>(t.steps[i]) + 1;
      t.start.at[i] = t.lower[i - 1] + static_cast<int>(up_to(static_cast<unsigned>(positions)) * t.steps[i]);
      t.start.offsets[i - 1] = static_cast<unsigned short>(up_to(3));
    }
  }
  return t;
}

// Calls `with(offset in the tensor or -1, offset in shared memory)` for each element of the box, which begins at
// `start` of shared memory. Returns its bytes.
template <class Element, int Rank, class With>
unsigned for_each_element(const tensor<Element, Rank>& t, bool is_im2col, bool has_offsets, unsigned start, With with) {
  unsigned counts[5] = {t.box[0], 1, 1, 1, 1}, elements = t.box[0];
  for (int i = 1; i < Rank && !is_im2col; ++i) elements *= counts[i] = (t.box[i] + t.steps[i] - 1) / t.steps[i];
  if (is_im2col) elements *= t.pixels;
  for (unsigned e = 0; e < elements; ++e) {
    long at[5] = {};
    long rest = e;
    at[0] = t.start.at[0] + rest % t.box[0];
    rest /= t.box[0];
    for (int i = 1; i < Rank; ++i) {
      if (!is_im2col || i == Rank - 1) {
        const long count = is_im2col ? 1 << 20 : counts[i];
        at[i] = t.start.at[i] + rest % count * t.steps[i];
        rest /= count;
        continue;
      }
      // The pixels of the bounding box are numbered; those before the start are skipped.
      const long count = (static_cast<long>(t.sizes[i]) - 1 + t.upper[i - 1] - t.lower[i - 1]) / t.steps[i] + 1;
      rest += (t.start.at[i] - t.lower[i - 1]) / static_cast<long>(t.steps[i]);
      at[i] = t.lower[i - 1] + rest % count * t.steps[i] + (has_offsets ? t.start.offsets[i - 1] : 0);
      rest /= count;
    }
    bool inside = true;
    long offset = at[0] * static_cast<long>(sizeof(Element));
    for (int i = 0; i < Rank; ++i) {
      inside = inside && at[i] >= 0 && at[i] < static_cast<long>(t.sizes[i]);
      if (i > 0) offset += at[i] * static_cast<long>(t.strides[i - 1]);
    }
    // The swizzle depends on the address, so `start` moves the pattern too.
    const unsigned flat = start + e / t.box[0] * t.pitch() + e % t.box[0] * static_cast<unsigned>(sizeof(Element));
    const unsigned span = 1u << t.swizzle;
    const unsigned unit = flat / 16, place = unit / span * span + (unit % span ^ unit / 8 % span);
    with(inside ? offset : -1, place * 16 + flat % 16);
  }
  return elements * static_cast<unsigned>(sizeof(Element));
}

template <class Element, int Rank, bool Im2col>
void test_load(unsigned rounds) {
  check::generator random;
  random.state += Rank * 10 + sizeof(Element);
  for (unsigned round = 0; round < rounds; ++round) {
    const auto t = random_tensor<Element, Rank>(random, Im2col);
    check::managed<unsigned char> memory(t.bytes() + 64), image(shared_bytes);
    for (size_t i = 0; i < memory.count; ++i) memory[i] = static_cast<unsigned char>(random());
    const unsigned start = round % 5 * 128;
    std::vector<unsigned char> expected(8 * shared_bytes, 0xee);
    const unsigned bytes = for_each_element(t, Im2col, true, start, [&](long offset, unsigned place) {
      for (unsigned b = 0; b < sizeof(Element); ++b) {
        expected[place + b] = offset < 0 ? 0 : memory[static_cast<size_t>(offset) + b];
      }
    });
    if (start + t.end(bytes) > shared_bytes) continue;
    const CUtensorMap map = encode<Element, Rank, Im2col>(t, memory.data);
    load_box<Rank, Im2col>
        <<<1, round % 2 ? dim3(17) : dim3(8, 9), shared_bytes>>>(map, t.start, bytes, start, image.data);
    check::synchronize();
    const bool same = std::equal(expected.begin(), expected.begin() + shared_bytes, image.data);
    check::equal(Im2col ? "im2col load" : "load", same, true, Rank, sizeof(Element), round);
  }
}

template <class Element, int Rank, bool Im2col, bool Adds>
void test_store(unsigned rounds) {
  check::generator random;
  random.state += Rank * 100 + sizeof(Element);
  for (unsigned round = 0; round < rounds; ++round) {
    auto t = random_tensor<Element, Rank>(random, Im2col);
    check::managed<unsigned char> memory(t.bytes() + 64), image(shared_bytes);
    for (size_t i = 0; i < memory.count; ++i) memory[i] = static_cast<unsigned char>(random());
    for (size_t i = 0; i < image.count; ++i) image[i] = static_cast<unsigned char>(random());
    std::vector<unsigned char> expected(memory.data, memory.data + memory.count);
    for (int& at : t.start.at) at = !Im2col && at < 0 ? 0 : at;  // a store accepts no negative coordinates
    const unsigned bytes = for_each_element(t, Im2col, false, 0, [&](long offset, unsigned place) {
      if (offset < 0 || place + sizeof(Element) > shared_bytes) return;
      Element old, value;
      std::memcpy(&old, &expected[static_cast<size_t>(offset)], sizeof old);
      std::memcpy(&value, image.data + place, sizeof value);
      if (Adds) value = static_cast<Element>(old + value);
      std::memcpy(&expected[static_cast<size_t>(offset)], &value, sizeof value);
    });
    if (t.end(bytes) > shared_bytes) continue;
    const CUtensorMap map = encode<Element, Rank, Im2col>(t, memory.data);
    store_box<Rank, Im2col, Adds><<<1, 40, shared_bytes>>>(map, t.start, image.data);
    check::synchronize();
    check::equal(Adds     ? "reduction"
                 : Im2col ? "im2col store"
                          : "store",
                 std::equal(expected.begin(), expected.end(), memory.data), true, Rank, sizeof(Element), round);
  }
}

template <int Rank>
void test_rank() {
  test_load<unsigned char, Rank, false>(20);
  test_load<unsigned short, Rank, false>(20);
  test_load<unsigned, Rank, false>(20);
  test_store<unsigned short, Rank, false, false>(20);
  if constexpr (Rank >= 3) {
    test_load<unsigned short, Rank, true>(40);
    test_store<unsigned, Rank, true, false>(20);
  }
  if constexpr (Rank % 2 == 1) test_store<unsigned, Rank, false, true>(20);
}

// Turns a map of zeros into a map of a matrix of 12 rows of 20 floats, and loads 5 rows of 8 columns.
__global__ void make_map(CUtensorMap* map, const float* matrix, float* out) {
  __shared__ CUtensorMap local;
  __shared__ __align__(128) float box[5 * 8];
  __shared__ uint64_t full;
  if (threadIdx.x < 16) local.opaque[threadIdx.x] = 0;
  __syncwarp();
  const uint32_t at = bulk::address(&local);
#define REPLACE(field, value) \
  asm volatile("tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " value ";" ::"r"(at) : "memory")
  if (threadIdx.x == 0) {
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(matrix)
                 : "memory");
    asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], %1;" ::"r"(at), "r"(1) : "memory");
    asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(8) : "memory");
    asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(5) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(20) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(12) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at), "l"(80ull)
                 : "memory");
    asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(1)
                 : "memory");
    asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(1)
                 : "memory");
    REPLACE("elemtype", "7");
    REPLACE("interleave_layout", "0");
    REPLACE("swizzle_mode", "0");
    REPLACE("fill_mode", "0");
    bulk::init(&full, 1);
  }
  bulk::fence();
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
          map),
      "r"(at)
      : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  if (threadIdx.x == 0) {
    bulk::arrive_and_expect(&full, sizeof box);
    load<2, false>(box, map, {{16, 9}, {}}, &full);
  }
  bulk::wait(&full, 0);
  for (unsigned i = threadIdx.x; i < 40; i += blockDim.x) out[i] = box[i];
}

static void test_made_map() {
  check::managed<float> matrix(12 * 20), out(40);
  check::managed<CUtensorMap> map(1);
  for (unsigned i = 0; i < 240; ++i) matrix[i] = static_cast<float>(i + 1);
  make_map<<<1, 32>>>(map.data, matrix.data, out.data);
  check::synchronize();
  for (unsigned i = 0; i < 40; ++i) {
    const unsigned column = 16 + i % 8, row = 9 + i / 8;
    check::equal("a map made by a kernel", out[i], column < 20 && row < 12 ? matrix[row * 20 + column] : 0.0f, i);
  }
}

// Wrong uses of a map: no map, a wrong rank, a wrong mode, an address that is no multiple of 128.
__global__ void broken(const __grid_constant__ CUtensorMap map, int which, const CUtensorMap* zeros) {
  __shared__ __align__(128) unsigned char shared[1024];
  __shared__ uint64_t full;
  bulk::init(&full, 1);
  bulk::fence();
  const coordinates c = {};
  if (which == 0) load<2, false>(shared, zeros, c, &full);
  if (which == 1) load<3, false>(shared, &map, c, &full);
  if (which == 2) load<4, true>(shared, &map, c, &full);
  if (which == 3) load<2, false>(shared + 64, &map, c, &full);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    const int which = std::atoi(argv[1]);
    check::managed<unsigned char> memory(65536);
    check::managed<CUtensorMap> zeros(1);
    if (which == 2) {
      tensor<unsigned char, 4> t = {{16, 4, 4, 4}, {16, 64, 256}, {16, 2, 2, 2}};
      broken<<<1, 1>>>(encode<unsigned char, 4, false>(t, memory.data), which, zeros.data);
    } else {
      tensor<unsigned char, 2> t = {{16, 4}, {16}, {16, 2}};
      broken<<<1, 1>>>(encode<unsigned char, 2, false>(t, memory.data), which, zeros.data);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
  }
  cudaFree(nullptr);
  test_rank<1>();
  test_rank<2>();
  test_rank<3>();
  test_rank<4>();
  test_rank<5>();
  test_made_map();
  return check::finish();
}
