// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cusparse/compressed.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cohort::cusparse {

namespace {

size_t at(int64_t i) { return static_cast<size_t>(i); }

compressed sized(int64_t rows, int64_t columns, int64_t entries) {
  compressed c;
  c.rows = rows;
  c.columns = columns;
  c.entries = entries;
  return c;
}

// Copies the values at `places` and points the matrix to its own arrays.
void finish(compressed& c, const value_array& values, bool with_values) {
  c.offsets = {c.own_offsets.data(), CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO};
  c.indices = {c.own_indices.data(), CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO};
  c.entries = static_cast<int64_t>(c.own_indices.size());
  c.values = {nullptr, values.type};
  if (!with_values) return;
  const size_t size = size_of(values.type);
  c.own_values.resize(c.own_indices.size() * size);
  const char* const from = static_cast<const char*>(values.at);
  for (size_t k = 0; k < c.own_indices.size(); ++k) {
    std::memcpy(c.own_values.data() + k * size, from + at(c.place_of(static_cast<int64_t>(k))) * size, size);
  }
  c.values.at = c.own_values.data();
}

// Entries with row numbers. Sorted by rows, they keep their arrays; else a stable sort by rows copies them.
compressed compress_coo(const sparse_matrix& m, bool with_values) {
  compressed c = sized(m.rows, m.columns, m.entries);
  const index_array rows = m.offset_array(), columns = m.index_array_of_entries();
  std::vector<int64_t> counts(at(m.rows) + 1);
  bool is_sorted = true;
  int64_t last = 0;
  for (int64_t k = 0; k < m.entries; ++k) {
    const int64_t row = rows[k];
    is_sorted = is_sorted && row >= last;
    last = row;
    ++counts[at(row) + 1];
  }
  for (int64_t row = 0; row < m.rows; ++row) counts[at(row) + 1] += counts[at(row)];
  c.own_offsets = counts;
  if (is_sorted) {
    c.offsets = {c.own_offsets.data(), CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO};
    c.indices = columns;
    c.values = m.values;
    return c;
  }
  c.own_indices.resize(at(m.entries));
  c.places.resize(at(m.entries));
  for (int64_t k = 0; k < m.entries; ++k) {
    const size_t to = at(counts[at(rows[k])]++);
    c.own_indices[to] = columns[k];
    c.places[to] = k;
  }
  finish(c, m.values, with_values);
  return c;
}

void add_entry(compressed& c, int64_t column, int64_t place) {
  c.own_indices.push_back(column);
  c.places.push_back(place);
}

compressed compress_bsr(const sparse_matrix& m, bool with_values) {
  compressed c = sized(m.rows, m.columns, m.entries);
  const index_array offsets = m.offset_array(), columns = m.index_array_of_entries();
  const int64_t height = m.block_rows, width = m.block_columns;
  c.own_offsets.push_back(0);
  for (int64_t row = 0; row < m.rows; ++row) {
    const int64_t inner = row % height;
    for (int64_t block = offsets[row / height]; block < offsets[row / height + 1]; ++block) {
      for (int64_t k = 0; k < width; ++k) {
        const int64_t inside = m.block_order == CUSPARSE_ORDER_ROW ? inner * width + k : inner + k * height;
        add_entry(c, columns[block] * width + k, block * height * width + inside);
      }
    }
    c.own_offsets.push_back(static_cast<int64_t>(c.own_indices.size()));
  }
  finish(c, m.values, with_values);
  return c;
}

compressed compress_blocked_ell(const sparse_matrix& m, bool with_values) {
  compressed c = sized(m.rows, m.columns, m.entries);
  const index_array columns = m.index_array_of_entries();
  const int64_t size = m.block_rows, blocks = m.ell_columns / size;
  c.own_offsets.push_back(0);
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t column = columns[row / size * blocks + block];
      for (int64_t k = 0; column >= 0 && k < size && column * size + k < m.columns; ++k) {
        add_entry(c, column * size + k, row * m.ell_columns + block * size + k);
      }
    }
    c.own_offsets.push_back(static_cast<int64_t>(c.own_indices.size()));
  }
  finish(c, m.values, with_values);
  return c;
}

compressed compress_sliced_ell(const sparse_matrix& m, bool with_values) {
  compressed c = sized(m.rows, m.columns, m.entries);
  const index_array offsets = m.offset_array(), columns = m.index_array_of_entries();
  const int64_t height = m.slice_rows;
  c.own_offsets.push_back(0);
  for (int64_t row = 0; row < m.rows; ++row) {
    const int64_t slice = row / height;
    for (int64_t place = offsets[slice] + row % height; place < offsets[slice + 1]; place += height) {
      if (columns[place] >= 0) add_entry(c, columns[place], place);
    }
    c.own_offsets.push_back(static_cast<int64_t>(c.own_indices.size()));
  }
  finish(c, m.values, with_values);
  return c;
}

bool note(memory_accesses& memory, const libraries::memory_rows& rows, bool writes) {
  return rows.row_bytes == 0 || (writes ? memory.writes(rows) : memory.reads(rows));
}

bool note(memory_accesses& memory, const value_array& values, int64_t count, access how) {
  return how == access::pattern || note(memory, bytes_at(values.at, values.bytes(count)), how == access::writes);
}

// The numbers of offsets and of indices that a format stores.
std::pair<int64_t, int64_t> index_counts(const sparse_matrix& m) {
  switch (m.format) {
    case CUSPARSE_FORMAT_CSR:
      return {m.rows + 1, m.entries};
    case CUSPARSE_FORMAT_CSC:
      return {m.columns + 1, m.entries};
    case CUSPARSE_FORMAT_COO:
      return {m.entries, m.entries};
    case CUSPARSE_FORMAT_BSR:
      return {m.rows / m.block_rows + 1, m.entries / (m.block_rows * m.block_columns)};
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      return {0, (m.rows + m.block_rows - 1) / m.block_rows * (m.ell_columns / m.block_columns)};
    default:
      return {(m.rows + m.slice_rows - 1) / m.slice_rows + 1, m.stored};
  }
}

}  // namespace

bool report(memory_accesses& memory, const sparse_matrix& m, access values) {
  const auto [offsets, indices] = index_counts(m);
  const bool has_values = values == access::pattern || m.stored == 0 || m.values.at != nullptr;
  return has_values && note(memory, bytes_at(m.offsets, m.offset_array().bytes(offsets)), false) &&
         note(memory, bytes_at(m.indices, m.index_array_of_entries().bytes(indices)), false) &&
         note(memory, m.values, m.stored, values);
}

bool report_result(memory_accesses& memory, const sparse_matrix& m) {
  const auto [offsets, indices] = index_counts(m);
  const bool has_rows = m.format == CUSPARSE_FORMAT_COO;
  return (!has_rows || note(memory, bytes_at(m.offsets, m.offset_array().bytes(offsets)), true)) &&
         note(memory, bytes_at(m.indices, m.index_array_of_entries().bytes(indices)), true) &&
         note(memory, m.values, m.stored, access::writes);
}

bool report(memory_accesses& memory, const sparse_vector& v, access values) {
  return note(memory, bytes_at(v.indices, v.places().bytes(v.entries)), false) &&
         note(memory, v.values, v.entries, values);
}

bool report(memory_accesses& memory, const dense_vector& v, access values) {
  return note(memory, v.values, v.size, values);
}

bool report(memory_accesses& memory, const dense_matrix& m, access values) {
  const bool by_columns = m.order == CUSPARSE_ORDER_COL;
  const libraries::memory_rows lines{m.values.at, m.values.bytes(by_columns ? m.rows : m.columns), m.values.bytes(m.ld),
                                     at(by_columns ? m.columns : m.rows)};
  return lines.rows == 0 || note(memory, lines, values == access::writes);
}

compressed compress(const sparse_matrix& m, bool with_values) {
  switch (m.format) {
    case CUSPARSE_FORMAT_COO:
      return compress_coo(m, with_values);
    case CUSPARSE_FORMAT_BSR:
      return compress_bsr(m, with_values);
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      return compress_blocked_ell(m, with_values);
    case CUSPARSE_FORMAT_SLICED_ELLPACK:
      return compress_sliced_ell(m, with_values);
    default: {
      const bool by_rows = m.format == CUSPARSE_FORMAT_CSR;
      compressed c = sized(by_rows ? m.rows : m.columns, by_rows ? m.columns : m.rows, m.entries);
      c.offsets = m.offset_array();
      c.indices = m.index_array_of_entries();
      c.values = m.values;
      return c;
    }
  }
}

compressed transpose(const compressed& m, bool with_values) {
  compressed c = sized(m.columns, m.rows, m.entries);
  std::vector<int64_t> next(at(m.columns) + 1);
  const int64_t begin = m.rows > 0 ? m.offsets[0] : 0, end = m.rows > 0 ? m.offsets[m.rows] : 0;
  for (int64_t k = begin; k < end; ++k) ++next[at(m.indices[k]) + 1];
  for (int64_t column = 0; column < m.columns; ++column) next[at(column) + 1] += next[at(column)];
  c.own_offsets = next;
  c.own_indices.resize(at(end - begin));
  c.places.resize(at(end - begin));
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t k = m.offsets[row]; k < m.offsets[row + 1]; ++k) {
      const size_t to = at(next[at(m.indices[k])]++);
      c.own_indices[to] = row;
      c.places[to] = k;
    }
  }
  finish(c, m.values, with_values);
  // Entry numbers of the source become places in the program's array of values.
  for (int64_t& place : c.places) place = m.place_of(place);
  return c;
}

}  // namespace cohort::cusparse
