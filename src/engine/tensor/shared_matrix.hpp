// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix in shared memory as a matrix descriptor of wgmma names it (PTX ISA, matrix descriptor and strides). A line
// is a row of A or a column of B. Memory holds units of 16 bytes: adjacent elements of a line or, of a transposed
// matrix, one element each of eight adjacent lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cohort::engine {

class shared_matrix {
 public:
  /// Reads a descriptor, which has the lower 18 bits of an address: on a GPU these are all. `shared`: the start of the
  /// block's shared memory, a multiple of 1024.
  shared_matrix(uint64_t descriptor, const char* shared, bool is_transposed)
      : start_(reinterpret_cast<uintptr_t>(shared)),
        leading_(field(descriptor, 16)),
        stride_(field(descriptor, 32)),
        base_(static_cast<unsigned>(descriptor >> 49) & 7u),
        is_transposed_(is_transposed) {
    start_ += (field(descriptor, 0) - start_) & address_mask;
    const unsigned swizzle = static_cast<unsigned>(descriptor >> 62);  // 0: none, 1 to 3: spans of 128, 64 and 32 bytes
    units_ = swizzle == 0 ? 1 : 16u >> swizzle;
  }

  /// The unit of elements of a line: number `unit` of the line. pre: the matrix is not transposed
  const char* of_line(unsigned line, unsigned unit) const {
    return at(uintptr_t{line % 8} * unit_bytes * units_ + line / 8 * stride_ + unit % units_ * unit_bytes +
              unit / units_ * leading_);
  }
  /// The unit that has element `k` of the lines 8 * `lines` and following. pre: the matrix is transposed
  const char* of_lines(unsigned lines, unsigned k) const {
    const uintptr_t row = uintptr_t{k % 8} * unit_bytes * units_;
    return units_ == 1 ? at(row + k / 8 * leading_ + lines * stride_)
                       : at(row + k / 8 * stride_ + lines % units_ * unit_bytes + lines / units_ * leading_);
  }

  /// Calls use(address) for the units of `lines` lines from `first`, a multiple of 8: `k` elements, which take
  /// `line_bytes`.
  template <class Use>
  void for_each_unit(unsigned first, unsigned lines, unsigned k, unsigned line_bytes, Use use) const {
    const unsigned units = line_bytes / unit_bytes;
    for (unsigned i = 0; i < (is_transposed_ ? lines / 8 * k : lines * units); ++i) {
      use(is_transposed_ ? of_lines(first / 8 + i / k, i % k) : of_line(first + i / units, i % units));
    }
  }
  bool is_transposed() const { return is_transposed_; }

  static constexpr unsigned unit_bytes = 16;

 private:
  static constexpr uintptr_t address_mask = 0x3ffff;
  static uintptr_t field(uint64_t descriptor, unsigned from) { return (descriptor >> from & 0x3fffu) << 4; }

  // The address of a unit. The swizzle XORs the number of a 16-byte unit in its span with the number of its 128-byte
  // line, counted from the pattern's start.
  const char* at(uintptr_t offset) const {
    const uintptr_t address = start_ + offset;
    return reinterpret_cast<const char*>(address ^ ((((address >> 7) - base_) & (units_ - 1)) << 4));
  }

  uintptr_t start_, leading_, stride_;
  unsigned units_ = 1;  // units of 16 bytes in a span of the swizzle
  unsigned base_;
  bool is_transposed_;
};

}  // namespace cohort::engine
