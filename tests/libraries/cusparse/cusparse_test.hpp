// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices in all formats and types, made from a dense model in complex numbers of double precision that shares no code
// with the library. Elements are small integers, so that sums and products are exact in all types.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace cusparse_test {

using number = std::complex<double>;
using numbers = std::vector<number>;
using bytes = std::vector<unsigned char>;

inline size_t at(int64_t i) { return static_cast<size_t>(i); }

inline bool is_complex(cudaDataType type) {
  return type == CUDA_C_16F || type == CUDA_C_16BF || type == CUDA_C_32F || type == CUDA_C_64F;
}
// The largest absolute value of the parts of random elements: sums of products in 16-bit types stay exact.
inline int digits_of(cudaDataType type) {
  const bool is_short = type == CUDA_R_16BF || type == CUDA_C_16BF || type == CUDA_R_16F || type == CUDA_C_16F;
  return is_short ? 1 : 3;
}

template <class T>
void append(bytes& to, T value) {
  const auto* const raw = reinterpret_cast<const unsigned char*>(&value);
  to.insert(to.end(), raw, raw + sizeof value);
}
template <class T>
T read_at(const bytes& from, size_t place) {
  T value;
  std::memcpy(&value, from.data() + place, sizeof value);
  return value;
}

inline void append_part(bytes& to, cudaDataType type, double part) {
  switch (type) {
    case CUDA_R_8I:
      return append(to, static_cast<int8_t>(part));
    case CUDA_R_32I:
      return append(to, static_cast<int32_t>(part));
    case CUDA_R_16F:
    case CUDA_C_16F:
      return append(to, __float2half_rn(static_cast<float>(part)));
    case CUDA_R_16BF:
    case CUDA_C_16BF:
      return append(to, __float2bfloat16_rn(static_cast<float>(part)));
    case CUDA_R_32F:
    case CUDA_C_32F:
      return append(to, static_cast<float>(part));
    default:
      return append(to, part);
  }
}
inline bytes encode(cudaDataType type, const numbers& values) {
  bytes made;
  for (const number& value : values) {
    append_part(made, type, value.real());
    if (is_complex(type)) append_part(made, type, value.imag());
  }
  return made;
}
inline double part_at(const bytes& from, cudaDataType type, size_t i) {
  switch (type) {
    case CUDA_R_8I:
      return read_at<int8_t>(from, i);
    case CUDA_R_32I:
      return read_at<int32_t>(from, 4 * i);
    case CUDA_R_16F:
    case CUDA_C_16F:
      return __half2float(read_at<__half>(from, 2 * i));
    case CUDA_R_16BF:
    case CUDA_C_16BF:
      return __bfloat162float(read_at<__nv_bfloat16>(from, 2 * i));
    case CUDA_R_32F:
    case CUDA_C_32F:
      return read_at<float>(from, 4 * i);
    default:
      return read_at<double>(from, 8 * i);
  }
}
inline numbers decode(cudaDataType type, const bytes& from, size_t count) {
  numbers values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(is_complex(type) ? number(part_at(from, type, 2 * i), part_at(from, type, 2 * i + 1))
                                      : number(part_at(from, type, i)));
  }
  return values;
}

// Bytes in device memory.
class device_bytes {
 public:
  explicit device_bytes(const bytes& values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(&at_, size_ + 1), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at_, values.data(), size_, cudaMemcpyHostToDevice), cudaSuccess);
  }
  device_bytes(const device_bytes&) = delete;
  ~device_bytes() { cudaFree(at_); }
  void* get() const { return at_; }
  // Waits for the work of all streams.
  bytes read() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    bytes values(size_);
    EXPECT_EQ(cudaMemcpy(values.data(), at_, size_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  size_t size_;
  void* at_ = nullptr;
};

// Numbers of a type in device memory.
class device_numbers {
 public:
  device_numbers(cudaDataType type, const numbers& values)
      : type_(type), count_(values.size()), memory_(encode(type, values)) {}
  void* get() const { return memory_.get(); }
  cudaDataType type() const { return type_; }
  numbers read() const { return decode(type_, memory_.read(), count_); }

 private:
  cudaDataType type_;
  size_t count_;
  device_bytes memory_;
};

// Indices of 32 or 64 bits in device memory.
class device_indices {
 public:
  device_indices(cusparseIndexType_t type, const std::vector<int64_t>& values)
      : type_(type), count_(values.size()), memory_(encode_indices(type, values)) {}
  void* get() const { return memory_.get(); }
  std::vector<int64_t> read() const {
    const bytes raw = memory_.read();
    std::vector<int64_t> values;
    for (size_t i = 0; i < count_; ++i) {
      values.push_back(type_ == CUSPARSE_INDEX_64I ? read_at<int64_t>(raw, 8 * i) : read_at<int32_t>(raw, 4 * i));
    }
    return values;
  }

 private:
  static bytes encode_indices(cusparseIndexType_t type, const std::vector<int64_t>& values) {
    bytes made;
    for (int64_t value : values) {
      type == CUSPARSE_INDEX_64I ? append(made, value) : append(made, static_cast<int32_t>(value));
    }
    return made;
  }
  cusparseIndexType_t type_;
  size_t count_;
  device_bytes memory_;
};

// A matrix of the model, row by row, and which of its elements are stored.
struct matrix {
  int64_t rows, columns;
  numbers values;
  std::vector<bool> stored;

  matrix(int64_t r, int64_t c) : rows(r), columns(c), values(at(r * c)), stored(at(r * c)) {}
  number& operator()(int64_t r, int64_t c) { return values[at(r * columns + c)]; }
  const number& operator()(int64_t r, int64_t c) const { return values[at(r * columns + c)]; }
  bool has(int64_t r, int64_t c) const { return stored[at(r * columns + c)]; }
  void put(int64_t r, int64_t c, number value) {
    values[at(r * columns + c)] = value;
    stored[at(r * columns + c)] = true;
  }
};

inline matrix apply(cusparseOperation_t op, const matrix& a) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return a;
  matrix turned(a.columns, a.rows);
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < a.columns; ++c) {
      if (!a.has(r, c)) continue;
      turned.put(c, r, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(a(r, c)) : a(r, c));
    }
  }
  return turned;
}
inline matrix product(const matrix& a, const matrix& b) {
  matrix result(a.rows, b.columns);
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < b.columns; ++c) {
      for (int64_t k = 0; k < a.columns; ++k) {
        if (a.has(r, k) && b.has(k, c)) result.put(r, c, result(r, c) + a(r, k) * b(k, c));
      }
    }
  }
  return result;
}

inline constexpr cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                                     CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

struct sparse_form {
  cusparseFormat_t format = CUSPARSE_FORMAT_CSR;
  cudaDataType type = CUDA_R_32F;
  cusparseIndexType_t index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseOrder_t block_order = CUSPARSE_ORDER_ROW;
  bool is_shuffled = false;  // COO elements in any order of rows
};

// A matrix in device memory with its descriptor. Formats of blocks store full blocks of the model: elements of a block
// that the model does not store are zeros.
class device_matrix {
 public:
  static constexpr int64_t block_rows = 2, block_columns = 3, ell_block = 2, slice_rows = 3;

  device_matrix(const matrix& m, const sparse_form& form) : form_(form), model_(m) {
    switch (form.format) {
      case CUSPARSE_FORMAT_CSR:
        add_compressed(m);
        create(&cusparseCreateCsr, m.rows, m.columns);
        break;
      case CUSPARSE_FORMAT_CSC:
        add_compressed(apply(CUSPARSE_OPERATION_TRANSPOSE, m));
        create(&cusparseCreateCsc, m.rows, m.columns);
        break;
      case CUSPARSE_FORMAT_COO:
        add_coo(m);
        break;
      case CUSPARSE_FORMAT_BSR:
        add_bsr(m);
        break;
      case CUSPARSE_FORMAT_BLOCKED_ELL:
        add_blocked_ell(m);
        break;
      default:
        add_sliced_ell(m);
    }
  }
  device_matrix(const device_matrix&) = delete;
  ~device_matrix() { EXPECT_EQ(cusparseDestroySpMat(descriptor_), CUSPARSE_STATUS_SUCCESS); }

  // True where the format can store a matrix of this size.
  static bool fits(const sparse_form& form, int64_t rows, int64_t columns) {
    if (form.format == CUSPARSE_FORMAT_BSR) return rows % block_rows == 0 && columns % block_columns == 0;
    return form.format != CUSPARSE_FORMAT_BLOCKED_ELL || (rows % ell_block == 0 && columns % ell_block == 0);
  }

  cusparseSpMatDescr_t get() const { return descriptor_; }
  numbers read_values() const { return values_->read(); }
  std::vector<int64_t> read_offsets() const { return offsets_->read(); }
  std::vector<int64_t> read_indices() const { return indices_->read(); }
  // The row and the column of each stored value; negative for padding.
  const std::vector<std::pair<int64_t, int64_t>>& places() const { return places_; }
  const matrix& model() const { return model_; }

 private:
  void add(int64_t index, int64_t row, int64_t column, number value) {
    index_list_.push_back(index < 0 ? -1 : index + form_.base);
    add_value(row, column, value);
  }
  void add_value(int64_t row, int64_t column, number value) {
    value_list_.push_back(value);
    places_.emplace_back(row, column);
  }
  void end_line(int64_t count) { offset_list_.push_back(count + form_.base); }
  void upload() {
    offsets_ = std::make_unique<device_indices>(form_.index_type, offset_list_);
    indices_ = std::make_unique<device_indices>(form_.index_type, index_list_);
    values_ = std::make_unique<device_numbers>(form_.type, value_list_);
  }

  void add_compressed(const matrix& lines) {
    const bool by_columns = form_.format == CUSPARSE_FORMAT_CSC;
    end_line(0);
    for (int64_t r = 0; r < lines.rows; ++r) {
      for (int64_t i = 0; i < lines.columns; ++i) {
        const int64_t c = r % 2 == 0 ? i : lines.columns - 1 - i;  // indices of a line may have any order
        if (lines.has(r, c)) add(c, by_columns ? c : r, by_columns ? r : c, lines(r, c));
      }
      end_line(static_cast<int64_t>(value_list_.size()));
    }
    upload();
  }
  void create(decltype(&cusparseCreateCsr) make, int64_t rows, int64_t columns) {
    EXPECT_EQ(make(&descriptor_, rows, columns, static_cast<int64_t>(value_list_.size()), offsets_->get(),
                   indices_->get(), values_->get(), form_.index_type, form_.index_type, form_.base, form_.type),
              CUSPARSE_STATUS_SUCCESS);
  }
  void add_coo(const matrix& m) {
    std::vector<std::pair<int64_t, int64_t>> order;
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) {
        if (m.has(r, c)) order.emplace_back(r, c);
      }
    }
    if (form_.is_shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(3));
    for (const auto& [r, c] : order) {
      offset_list_.push_back(r + form_.base);
      add(c, r, c, m(r, c));
    }
    upload();
    EXPECT_EQ(
        cusparseCreateCoo(&descriptor_, m.rows, m.columns, static_cast<int64_t>(value_list_.size()), offsets_->get(),
                          indices_->get(), values_->get(), form_.index_type, form_.base, form_.type),
        CUSPARSE_STATUS_SUCCESS);
  }
  static bool has_block(const matrix& m, int64_t row, int64_t column, int64_t height, int64_t width) {
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t c = 0; c < width; ++c) {
        if (m.has(row + r, column + c)) return true;
      }
    }
    return false;
  }
  void store_block(int64_t row, int64_t column, int64_t height, int64_t width) {
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t c = 0; c < width; ++c) model_.put(row + r, column + c, model_(row + r, column + c));
    }
  }
  void add_bsr(const matrix& m) {
    const bool by_rows = form_.block_order == CUSPARSE_ORDER_ROW;
    end_line(0);
    for (int64_t br = 0; br < m.rows / block_rows; ++br) {
      for (int64_t bc = 0; bc < m.columns / block_columns; ++bc) {
        const int64_t row = br * block_rows, column = bc * block_columns;
        if (!has_block(m, row, column, block_rows, block_columns)) continue;
        index_list_.push_back(bc + form_.base);
        store_block(row, column, block_rows, block_columns);
        for (int64_t i = 0; i < block_rows * block_columns; ++i) {
          const int64_t r = row + (by_rows ? i / block_columns : i % block_rows);
          const int64_t c = column + (by_rows ? i % block_columns : i / block_rows);
          add_value(r, c, m(r, c));
        }
      }
      end_line(static_cast<int64_t>(index_list_.size()));
    }
    upload();
    EXPECT_EQ(cusparseCreateBsr(&descriptor_, m.rows / block_rows, m.columns / block_columns,
                                static_cast<int64_t>(index_list_.size()), block_rows, block_columns, offsets_->get(),
                                indices_->get(), values_->get(), form_.index_type, form_.index_type, form_.base,
                                form_.type, form_.block_order),
              CUSPARSE_STATUS_SUCCESS);
  }
  void add_blocked_ell(const matrix& m) {
    const int64_t block_rows_of_m = m.rows / ell_block, block_columns_of_m = m.columns / ell_block;
    std::vector<std::vector<int64_t>> blocks(at(block_rows_of_m));
    size_t most = 0;
    for (int64_t br = 0; br < block_rows_of_m; ++br) {
      for (int64_t bc = 0; bc < block_columns_of_m; ++bc) {
        if (!has_block(m, br * ell_block, bc * ell_block, ell_block, ell_block)) continue;
        blocks[at(br)].push_back(bc);
        store_block(br * ell_block, bc * ell_block, ell_block, ell_block);
      }
      most = std::max(most, blocks[at(br)].size());
    }
    for (auto& line : blocks) {
      line.resize(most, -1);
      for (int64_t bc : line) index_list_.push_back(bc < 0 ? -1 : bc + form_.base);
    }
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t bc : blocks[at(r / ell_block)]) {
        for (int64_t i = 0; i < ell_block; ++i) {
          bc < 0 ? add_value(-1, -1, 7) : add_value(r, bc * ell_block + i, m(r, bc * ell_block + i));
        }
      }
    }
    upload();
    EXPECT_EQ(
        cusparseCreateBlockedEll(&descriptor_, m.rows, m.columns, ell_block, static_cast<int64_t>(most) * ell_block,
                                 indices_->get(), values_->get(), form_.index_type, form_.base, form_.type),
        CUSPARSE_STATUS_SUCCESS);
  }
  void add_sliced_ell(const matrix& m) {
    int64_t entries = 0;
    end_line(0);
    for (int64_t first = 0; first < m.rows; first += slice_rows) {
      std::vector<std::vector<int64_t>> lines(at(slice_rows));
      size_t most = 0;
      for (int64_t r = first; r < std::min(m.rows, first + slice_rows); ++r) {
        for (int64_t c = 0; c < m.columns; ++c) {
          if (m.has(r, c)) lines[at(r - first)].push_back(c);
        }
        most = std::max(most, lines[at(r - first)].size());
        entries += static_cast<int64_t>(lines[at(r - first)].size());
      }
      for (size_t k = 0; k < most; ++k) {
        for (int64_t r = 0; r < slice_rows; ++r) {
          const auto& line = lines[at(r)];
          k < line.size() ? add(line[k], first + r, line[k], m(first + r, line[k])) : add(-1, -1, -1, 7);
        }
      }
      end_line(static_cast<int64_t>(value_list_.size()));
    }
    upload();
    EXPECT_EQ(
        cusparseCreateSlicedEll(&descriptor_, m.rows, m.columns, entries, static_cast<int64_t>(value_list_.size()),
                                slice_rows, offsets_->get(), indices_->get(), values_->get(), form_.index_type,
                                form_.index_type, form_.base, form_.type),
        CUSPARSE_STATUS_SUCCESS);
  }

  sparse_form form_;
  matrix model_;
  std::vector<int64_t> offset_list_, index_list_;
  numbers value_list_;
  std::vector<std::pair<int64_t, int64_t>> places_;
  std::unique_ptr<device_indices> offsets_, indices_;
  std::unique_ptr<device_numbers> values_;
  cusparseSpMatDescr_t descriptor_ = nullptr;
};

// A dense matrix in device memory with its descriptor. Elements between its lines are 5.
class device_dense {
 public:
  device_dense(const matrix& m, cudaDataType type, cusparseOrder_t order, int64_t gap = 2)
      : rows_(m.rows), columns_(m.columns), order_(order), ld_((is_by_columns() ? m.rows : m.columns) + gap) {
    numbers stored(at(ld_ * (is_by_columns() ? m.columns : m.rows)), 5);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) stored[place(r, c)] = m(r, c);
    }
    memory_ = std::make_unique<device_numbers>(type, stored);
    EXPECT_EQ(cusparseCreateDnMat(&descriptor_, rows_, columns_, ld_, memory_->get(), type, order),
              CUSPARSE_STATUS_SUCCESS);
  }
  device_dense(const device_dense&) = delete;
  ~device_dense() { EXPECT_EQ(cusparseDestroyDnMat(descriptor_), CUSPARSE_STATUS_SUCCESS); }
  cusparseDnMatDescr_t get() const { return descriptor_; }
  void* data() const { return memory_->get(); }

  void expect(const matrix& expected, double tolerance = 0) const {
    const numbers found = memory_->read();
    std::vector<bool> is_element(found.size());
    for (int64_t r = 0; r < rows_; ++r) {
      for (int64_t c = 0; c < columns_; ++c) {
        is_element[place(r, c)] = true;
        ASSERT_LE(std::abs(found[place(r, c)] - expected(r, c)), tolerance)
            << "row " << r << ", column " << c << ": " << found[place(r, c)] << ", expected " << expected(r, c);
      }
    }
    for (size_t i = 0; i < found.size(); ++i) ASSERT_TRUE(is_element[i] || found[i] == number(5)) << "gap " << i;
  }

 private:
  bool is_by_columns() const { return order_ == CUSPARSE_ORDER_COL; }
  size_t place(int64_t r, int64_t c) const { return at(is_by_columns() ? r + c * ld_ : r * ld_ + c); }

  int64_t rows_, columns_;
  cusparseOrder_t order_;
  int64_t ld_;
  std::unique_ptr<device_numbers> memory_;
  cusparseDnMatDescr_t descriptor_ = nullptr;
};

class device_vector {
 public:
  device_vector(cudaDataType type, const numbers& values) : memory_(type, values) {
    EXPECT_EQ(cusparseCreateDnVec(&descriptor_, static_cast<int64_t>(values.size()), memory_.get(), type),
              CUSPARSE_STATUS_SUCCESS);
  }
  device_vector(const device_vector&) = delete;
  ~device_vector() { EXPECT_EQ(cusparseDestroyDnVec(descriptor_), CUSPARSE_STATUS_SUCCESS); }
  cusparseDnVecDescr_t get() const { return descriptor_; }
  numbers read() const { return memory_.read(); }

 private:
  device_numbers memory_;
  cusparseDnVecDescr_t descriptor_ = nullptr;
};

inline void expect_numbers(const numbers& found, const numbers& expected, double tolerance = 0) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_LE(std::abs(found[i] - expected[i]), tolerance)
        << "element " << i << ": " << found[i] << ", expected " << expected[i];
  }
}

class CusparseTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cusparseCreate(&handle_), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cusparseSetStream(handle_, stream_), CUSPARSE_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cusparseDestroy(handle_), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  number random(cudaDataType type) {
    std::uniform_int_distribution<int> digit(-digits_of(type), digits_of(type));
    const double re = digit(engine_), im = digit(engine_);
    return is_complex(type) ? number(re, im) : number(re);
  }
  numbers random_numbers(cudaDataType type, int64_t count) {
    numbers values(at(count));
    for (number& value : values) value = random(type);
    return values;
  }
  // Stores about a third of the elements; every fourth row is empty.
  matrix random_sparse(cudaDataType type, int64_t rows, int64_t columns) {
    matrix made(rows, columns);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        if (r % 4 != 3 && engine_() % 3 == 0) made.put(r, c, random(type));
      }
    }
    return made;
  }
  matrix random_dense(cudaDataType type, int64_t rows, int64_t columns) {
    matrix made(rows, columns);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) made.put(r, c, random(type));
    }
    return made;
  }

  cusparseHandle_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::mt19937 engine_{7};
};

// The types of two operands, a result and the computation.
struct types {
  cudaDataType a, b, c, compute;
};

}  // namespace cusparse_test
