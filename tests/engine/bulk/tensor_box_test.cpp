// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of adjacent elements in tensor copies, against a model that computes the address of each element separately.
#include "engine/bulk/tensor_box.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace {

using namespace cohort::engine;
using bytes = std::vector<unsigned char>;

constexpr size_t memory_bytes = 1 << 18, image_bytes = 1 << 16;
constexpr unsigned char untouched = 0xee, filler = 0x77;

struct memory {
  bytes global = bytes(memory_bytes);
  alignas(1024) unsigned char shared[image_bytes];
  memory() {
    for (size_t i = 0; i < memory_bytes; ++i) global[i] = static_cast<unsigned char>((i * 2654435761U) >> 13);
    std::memset(shared, untouched, sizeof shared);
  }
};

// Fills `m` and describes a tensor in it, with rows of odd lengths and gaps after them.
tensor_box random_box(memory& m, std::mt19937& random, uint8_t mode) {
  const auto up_to = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  tensor_box b{};
  cohort_tensor_map& map = b.map;
  map.mode = mode;
  map.type = static_cast<uint8_t>(up_to(cohort_tensor_types));
  map.rank = static_cast<uint8_t>(mode == cohort_tensor_tile ? 1 + up_to(5) : 3 + up_to(3));
  map.swizzle = static_cast<uint8_t>(up_to(4));
  map.address = reinterpret_cast<uint64_t>(m.global.data()) + 16;
  const unsigned element = tensor_type_bytes[map.type];
  const unsigned row_bytes = map.swizzle ? 16U << up_to(map.swizzle + 1) : 16 + 16 * up_to(7);
  map.box[0] = static_cast<uint16_t>(row_bytes / element);
  map.last[0] = up_to(2 * map.box[0]);
  map.steps[0] = 1;
  uint64_t stride = ((map.last[0] + 1) * element + 15) / 16 * 16 + 16 * up_to(2);
  for (unsigned i = 1; i < map.rank; ++i) {
    map.last[i] = up_to(4);
    map.strides[i - 1] = stride;
    stride *= map.last[i] + 1 + up_to(2);
    map.steps[i] = static_cast<uint8_t>(1 + up_to(3));
    map.box[i] = static_cast<uint16_t>(1 + up_to(4));
    b.coordinates[i] = static_cast<int>(up_to(8)) - 3;
  }
  b.coordinates[0] = static_cast<int>(up_to(2 * map.box[0])) - static_cast<int>(map.box[0]) / 2;
  if (mode == cohort_tensor_im2col) {
    map.box[1] = static_cast<uint16_t>(1 + up_to(60));
    for (unsigned i = 1; i + 1 < map.rank; ++i) {
      map.lower[i - 1] = static_cast<int16_t>(static_cast<int>(up_to(4)) - 2);
      const int most = static_cast<int>(map.last[i]) + 1 - map.lower[i - 1];  // the box has 1 or more positions
      map.upper[i - 1] =
          static_cast<int16_t>(-static_cast<int>(up_to(most > 1 ? most : 1)) + (most < 1 ? 1 - most : 0));
      const int positions = (static_cast<int>(map.last[i]) + map.upper[i - 1] - map.lower[i - 1]) / map.steps[i] + 1;
      b.coordinates[i] = map.lower[i - 1] + static_cast<int>(up_to(static_cast<unsigned>(positions))) * map.steps[i];
      b.offsets[i - 1] = static_cast<uint16_t>(up_to(3));
    }
  }
  return b;
}

// The coordinates of element `index` of the box.
void find_element(const tensor_box& b, size_t index, int64_t* at) {
  const cohort_tensor_map& m = b.map;
  at[0] = b.coordinates[0] + static_cast<int64_t>(index % m.box[0]);
  index /= m.box[0];
  if (m.mode == cohort_tensor_tile) {
    for (unsigned i = 1; i < m.rank; ++i) {
      size_t elements = 0;
      for (unsigned x = 0; x < m.box[i]; x += m.steps[i]) ++elements;
      at[i] = b.coordinates[i] + static_cast<int64_t>(index % elements) * m.steps[i];
      index /= elements;
    }
    return;
  }
  // In im2col mode the pixels are numbered: those of the first image's bounding box, then those of the next image's.
  const unsigned images = m.rank - 1U;
  int64_t positions[3], number = 0;
  for (unsigned i = images; i-- > 1;) {
    positions[i - 1] = (int64_t{m.last[i]} + m.upper[i - 1] - m.lower[i - 1]) / m.steps[i] + 1;
    number = number * positions[i - 1] + (b.coordinates[i] - m.lower[i - 1]) / m.steps[i];
  }
  number += static_cast<int64_t>(index);
  for (unsigned i = 1; i < images; ++i) {
    at[i] = m.lower[i - 1] + (number % positions[i - 1]) * m.steps[i] + b.offsets[i - 1];
    number /= positions[i - 1];
  }
  at[images] = b.coordinates[images] + number * m.steps[images];
}

size_t elements_of_model(const cohort_tensor_map& m) {
  if (m.mode == cohort_tensor_im2col) return size_t{m.box[0]} * m.box[1];
  size_t count = m.box[0];
  for (unsigned i = 1; i < m.rank; ++i) count *= (m.box[i] - 1U) / m.steps[i] + 1;
  return count;
}

// Calls `with(global or null, offset in the image)` for each element.
template <class With>
void for_each_element(const tensor_box& b, size_t start, With with) {
  const cohort_tensor_map& m = b.map;
  const size_t element = tensor_type_bytes[m.type];
  for (size_t e = 0; e < elements_of_model(m); ++e) {
    int64_t at[COHORT_TENSOR_RANKS];
    find_element(b, e, at);
    bool is_inside = true;
    auto* address = reinterpret_cast<unsigned char*>(m.address) + at[0] * static_cast<int64_t>(element);
    for (unsigned i = 0; i < m.rank; ++i) {
      is_inside = is_inside && at[i] >= 0 && at[i] <= int64_t{m.last[i]};
      if (i > 0) address += at[i] * static_cast<int64_t>(m.strides[i - 1]);
    }
    const size_t row_bytes = m.box[0] * element, pitch = m.swizzle == 0 ? row_bytes : size_t{16} << m.swizzle;
    const size_t flat = start + e * element / row_bytes * pitch + e * element % row_bytes, line = flat / 128,
                 unit = flat / 16 % 8, span = size_t{1} << m.swizzle;
    const size_t place = line * 128 + (unit / span * span + (unit % span ^ line % span)) * 16 + flat % 16;
    with(is_inside ? address : nullptr, place);
  }
}

class TensorBox : public testing::TestWithParam<int> {};

TEST_P(TensorBox, LoadsWhatTheModelLoads) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  for (int round = 0; round < 300; ++round) {
    memory m;
    const tensor_box b = random_box(m, random, GetParam() % 2 ? cohort_tensor_im2col : cohort_tensor_tile);
    const size_t start = 128 * (random() % 9), size = tensor_type_bytes[b.map.type];
    ASSERT_EQ(box_bytes(b.map), elements_of_model(b.map) * size);
    ASSERT_LE(start + elements_of_model(b.map) / b.map.box[0] * row_pitch(b.map), image_bytes);
    bytes expected(image_bytes, untouched);
    for_each_element(b, start, [&](const unsigned char* global, size_t at) {
      for (size_t i = 0; i < size; ++i) expected[at + i] = global ? global[i] : filler;
    });
    size_t moved = 0;
    for_each_run(b, reinterpret_cast<uintptr_t>(m.shared + start), [&](char* global, char* shared, size_t count) {
      moved += count;
      global ? std::memcpy(shared, global, count) : std::memset(shared, filler, count);
    });
    EXPECT_EQ(moved, box_bytes(b.map));
    ASSERT_EQ(0, std::memcmp(expected.data(), m.shared, image_bytes)) << "round " << round;
  }
}

TEST_P(TensorBox, StoresWhatTheModelStores) {
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 100);
  for (int round = 0; round < 300; ++round) {
    memory m;
    const tensor_box b = random_box(m, random, GetParam() % 2 ? cohort_tensor_im2col : cohort_tensor_tile);
    for (size_t i = 0; i < image_bytes; ++i) m.shared[i] = static_cast<unsigned char>((i * 40503U) >> 7);
    const size_t size = tensor_type_bytes[b.map.type];
    bytes expected = m.global;
    for_each_element(b, 0, [&](const unsigned char* global, size_t at) {
      if (global) std::memcpy(expected.data() + (global - m.global.data()), m.shared + at, size);
    });
    for_each_run(b, reinterpret_cast<uintptr_t>(m.shared), [&](char* global, const char* shared, size_t count) {
      if (global) std::memcpy(global, shared, count);
    });
    ASSERT_EQ(expected, m.global) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(TilesAndColumns, TensorBox, testing::Range(0, 8));

TEST(TensorBoxRows, BoundsOfTheLargestTensor) {
  tensor_box b{};
  b.map.rank = 1;
  b.map.type = cohort_tensor_f32;
  b.map.address = 1 << 20;
  b.map.last[0] = 0xffffffffU;
  b.map.box[0] = 8;
  b.map.steps[0] = 1;
  b.coordinates[0] = -4;
  int runs = 0;
  for_each_run(b, 0, [&](const char* global, const char* shared, size_t count) {
    EXPECT_EQ(count, 16U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(global), runs == 0 ? 0U : 1U << 20);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(shared), runs == 0 ? 0U : 16U);
    ++runs;
  });
  EXPECT_EQ(runs, 2);
}

}  // namespace
