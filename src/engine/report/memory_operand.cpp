// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/memory_operand.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace cohort::engine {

namespace {

struct operand_prefix {
  const unsigned char* rest = nullptr;  // the ModRM byte and the bytes after it
  unsigned index_high = 0;              // bit 3 of the index register's number
  unsigned base_high = 0;               // bit 3 of the base register's number
  unsigned displacement_scale = 1;      // unit of a displacement of one byte, in bytes
};

bool is_operand_size_prefix(unsigned char byte) { return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0; }

bool one_byte_opcode_has_operand(unsigned char opcode) {
  if (opcode < 0x40) return (opcode & 7) < 4;
  if (opcode >= 0x80 && opcode <= 0x8f) return true;
  switch (opcode) {
    case 0x63:
    case 0x69:
    case 0x6b:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xc7:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xf6:
    case 0xf7:
    case 0xfe:
    case 0xff:
      return true;
    default:
      return false;
  }
}

// The scale of a displacement of one byte in EVEX instructions.
namespace evex {

// The size of a memory operand: a part of the vector, an element, or a number of bytes.
// displacement_scale() computes with the order of `vector` to `eighth` and of `bytes_1` to `bytes_32`, powers of two.
enum operand_size : uint8_t {
  vector,
  half,
  quarter,
  eighth,
  half_of_floats,  // conversions of float and int32 to double or int64: half a vector if EVEX.W is 0, else a vector
  low_halves,      // vmovddup: 8 bytes of a 128-bit vector, else a vector
  element,         // 4 bytes, or 8 if W is 1
  small_element,   // 1 byte, or 2 if W is 1
  bytes_1,
  bytes_2,
  bytes_4,
  bytes_8,
  bytes_16,
  bytes_32,
};

// The mandatory prefix of an instruction, one bit for each value of the field pp.
enum prefix : uint8_t { none = 1, p66 = 2, pf3 = 4, pf2 = 8, scalar = pf3 | pf2 };

struct operand_row {
  uint8_t map, mask, opcode;  // the row covers opcodes that are equal to `opcode` in the bits of `mask`
  uint8_t prefixes;
  operand_size size;
};

// The instructions whose memory operand is no full vector of elements. The first row that fits is used.
constexpr operand_row rows[] = {
    {1, 0xff, 0x12, pf2, low_halves},
    {1, 0xfa, 0x12, none | p66, bytes_8},  // vmovlps, vmovhps and their forms for double
    {1, 0xfe, 0x10, scalar, element},      // vmovss, vmovsd
    {1, 0xff, 0x2a, scalar, element},      // conversions
    {1, 0xfe, 0x2c, pf3, bytes_4},
    {1, 0xfe, 0x2c, pf2, bytes_8},
    {1, 0xfe, 0x78, pf3, bytes_4},
    {1, 0xfe, 0x78, pf2, bytes_8},
    {1, 0xff, 0x7b, scalar, element},
    {1, 0xff, 0x5a, none, half},
    {1, 0xfc, 0x78, p66, half_of_floats},
    {1, 0xff, 0x7a, pf3, half_of_floats},
    {1, 0xff, 0xe6, pf3, half_of_floats},
    {1, 0xfe, 0x2e, none | p66, element},  // comparisons
    {1, 0xff, 0xc2, scalar, element},
    {1, 0xff, 0x51, scalar, element},  // arithmetic
    {1, 0xfe, 0x58, scalar, element},
    {1, 0xff, 0x5a, scalar, element},
    {1, 0xfc, 0x5c, scalar, element},
    {1, 0xff, 0x6e, p66, element},  // vmovd, vmovq
    {1, 0xff, 0x7e, p66 | pf3, element},
    {1, 0xff, 0xd6, p66, element},
    {1, 0xff, 0xc4, p66, bytes_2},   // vpinsrw
    {1, 0xfc, 0xd0, p66, bytes_16},  // shifts by a register's value
    {1, 0xff, 0xe1, p66, bytes_16},
    {1, 0xff, 0xe2, p66, bytes_16},
    {1, 0xfc, 0xf0, p66, bytes_16},
    {2, 0xff, 0x13, p66, half},  // vcvtph2ps
    {2, 0xff, 0x10, pf3, half},  // narrowing and widening moves
    {2, 0xff, 0x11, pf3, quarter},
    {2, 0xff, 0x12, pf3, eighth},
    {2, 0xff, 0x13, pf3, half},
    {2, 0xff, 0x14, pf3, quarter},
    {2, 0xff, 0x15, pf3, half},
    {2, 0xef, 0x20, p66 | pf3, half},
    {2, 0xef, 0x21, p66 | pf3, quarter},
    {2, 0xef, 0x22, p66 | pf3, eighth},
    {2, 0xef, 0x23, p66 | pf3, half},
    {2, 0xef, 0x24, p66 | pf3, quarter},
    {2, 0xef, 0x25, p66 | pf3, half},
    {2, 0xbf, 0x18, p66, bytes_4},  // broadcasts
    {2, 0xbf, 0x19, p66, bytes_8},
    {2, 0xbf, 0x1a, p66, bytes_16},
    {2, 0xbf, 0x1b, p66, bytes_32},
    {2, 0xff, 0x78, p66, bytes_1},
    {2, 0xff, 0x79, p66, bytes_2},
    {2, 0xff, 0x2d, p66, element},  // scalar arithmetic
    {2, 0xff, 0x43, p66, element},
    {2, 0xfd, 0x4d, p66, element},
    {2, 0xff, 0xcb, p66, element},
    {2, 0xff, 0xcd, p66, element},
    {2, 0xf9, 0x99, p66, element},  // scalar fused multiply-add
    {2, 0xf9, 0xa9, p66, element},
    {2, 0xf9, 0xb9, p66, element},
    {2, 0xfe, 0x52, pf2, bytes_16},  // four iterations
    {2, 0xfe, 0x9a, pf2, bytes_16},
    {2, 0xfe, 0xaa, pf2, bytes_16},
    {2, 0xfe, 0x62, p66, small_element},  // expand and compress
    {2, 0xfc, 0x88, p66, element},
    {3, 0xfe, 0x0a, p66, element},  // scalar arithmetic
    {3, 0xff, 0x27, p66, element},
    {3, 0xfb, 0x51, p66, element},
    {3, 0xff, 0x57, p66, element},
    {3, 0xff, 0x67, p66, element},
    {3, 0xff, 0x14, p66, bytes_1},  // inserts and extracts of elements
    {3, 0xff, 0x15, p66, bytes_2},
    {3, 0xff, 0x16, p66, element},
    {3, 0xff, 0x17, p66, bytes_4},
    {3, 0xff, 0x20, p66, bytes_1},
    {3, 0xff, 0x21, p66, bytes_4},
    {3, 0xff, 0x22, p66, element},
    {3, 0xde, 0x18, p66, bytes_16},  // inserts and extracts of vectors
    {3, 0xde, 0x1a, p66, bytes_32},
    {3, 0xff, 0x1d, p66, half},      // vcvtps2ph
    {3, 0xff, 0x0a, none, bytes_2},  // scalar arithmetic of half precision
    {3, 0xff, 0x27, none, bytes_2},
    {3, 0xff, 0x57, none, bytes_2},
    {3, 0xff, 0x67, none, bytes_2},
    {3, 0xff, 0xc2, pf3, bytes_2},
    {5, 0xff, 0x1d, none, bytes_4},  // conversions to half precision
    {5, 0xff, 0x2a, pf3, element},
    {5, 0xff, 0x7b, pf3, element},
    {5, 0xff, 0x5a, pf2, bytes_8},
    {5, 0xff, 0x5a, none, quarter},  // conversions from half precision
    {5, 0xff, 0x5b, p66 | pf3, half},
    {5, 0xfe, 0x78, none, half},
    {5, 0xfc, 0x78, p66, quarter},
    {5, 0xef, 0x6e, p66, bytes_2},  // vmovw
    {5, 0xff, 0x7d, pf3 | pf2, vector},
    {5, 0x00, 0x00, pf3, bytes_2},  // the other instructions with this prefix are scalar
    {5, 0xfe, 0x2e, none, bytes_2},
    {6, 0xff, 0x13, none, bytes_2},
    {6, 0xff, 0x13, p66, half},
    {6, 0xff, 0x2d, p66, bytes_2},
    {6, 0xff, 0x43, p66, bytes_2},
    {6, 0xfd, 0x4d, p66, bytes_2},
    {6, 0xff, 0x57, scalar, bytes_4},  // complex numbers
    {6, 0xff, 0xd7, scalar, bytes_4},
    {6, 0xf9, 0x99, p66, bytes_2},  // scalar fused multiply-add
    {6, 0xf9, 0xa9, p66, bytes_2},
    {6, 0xf9, 0xb9, p66, bytes_2},
};

// Whether a broadcast operand is an element of half precision.
bool has_half_precision(unsigned map, unsigned opcode, unsigned prefixes) {
  if (map == 3) return prefixes == none;
  if (map == 6) return prefixes == p66;
  // In map 5 the exceptions are conversions to half precision.
  return map == 5 && opcode != 0x1d && !(opcode == 0x5b && prefixes == none) && !(opcode == 0x7a && prefixes == pf2);
}

// The bytes that one step of the displacement counts (disp8*N), for the EVEX prefix at `code` and the opcode after it.
unsigned displacement_scale(const unsigned char* code) {
  const unsigned map = code[1] & 7, opcode = code[4], prefixes = 1u << (code[2] & 3);
  const bool is_wide = code[2] & 0x80, is_broadcast = code[3] & 0x10;
  const unsigned element_bytes = is_wide ? 8 : 4, vector_bytes = 16u << (code[3] >> 5 & 3);
  if (is_broadcast) return !is_wide && has_half_precision(map, opcode, prefixes) ? 2 : element_bytes;
  const operand_row* const found = std::find_if(std::begin(rows), std::end(rows), [&](const operand_row& row) {
    return row.map == map && (opcode & row.mask) == row.opcode && (prefixes & row.prefixes);
  });
  const operand_size size = found == std::end(rows) ? vector : found->size;
  if (size <= eighth) return vector_bytes >> size;
  if (size >= bytes_1) return 1u << (size - bytes_1);
  switch (size) {
    case half_of_floats:
      return is_wide ? vector_bytes : vector_bytes / 2;
    case low_halves:
      return vector_bytes == 16 ? 8 : vector_bytes;
    case element:
      return element_bytes;
    default:  // small_element
      return is_wide ? 2 : 1;
  }
}

}  // namespace evex

// Gathers and scatters, which access one address for each element. `opcode`: in the map 0F 38 of VEX or EVEX.
bool has_vector_of_addresses(unsigned char opcode) {
  return (opcode & 0xfc) == 0x90 || (opcode & 0xfc) == 0xa0 || (opcode & 0xfe) == 0xc6;
}

// EVEX: 62, three bytes, opcode. VEX: C5, one byte, opcode; or C4, two bytes, opcode. Their X and B are inverted.
std::optional<operand_prefix> read_vector_prefix(const unsigned char* code) {
  operand_prefix p;
  if (code[0] == 0xc5) {
    p.rest = code + 3;
    return p;
  }
  p.index_high = code[1] & 0x40 ? 0 : 8;
  p.base_high = code[1] & 0x20 ? 0 : 8;
  const bool is_evex = code[0] == 0x62;
  const unsigned char* const opcode = code + (is_evex ? 4 : 3);
  if ((code[1] & (is_evex ? 7 : 31)) == 2 && has_vector_of_addresses(*opcode)) return std::nullopt;
  if (is_evex) p.displacement_scale = evex::displacement_scale(code);
  p.rest = opcode + 1;
  return p;
}

std::optional<operand_prefix> read_prefix(const unsigned char* code) {
  while (is_operand_size_prefix(*code)) ++code;
  if (*code == 0xc4 || *code == 0xc5 || *code == 0x62) return read_vector_prefix(code);
  operand_prefix p;
  if (*code >= 0x40 && *code <= 0x4f) {  // REX
    p.index_high = *code & 2 ? 8 : 0;
    p.base_high = *code & 1 ? 8 : 0;
    ++code;
  }
  if (*code == 0x0f) {
    ++code;
    p.rest = code + (*code == 0x38 || *code == 0x3a ? 2 : 1);
    return p;
  }
  if (!one_byte_opcode_has_operand(*code)) return std::nullopt;
  p.rest = code + 1;
  return p;
}

}  // namespace

std::optional<uint64_t> memory_operand(const unsigned char* code, const uint64_t (&registers)[16]) {
  const std::optional<operand_prefix> prefix = read_prefix(code);
  if (!prefix) return std::nullopt;
  const unsigned char* at = prefix->rest;
  const unsigned mode = *at >> 6;
  unsigned base = *at++ & 7;
  if (mode == 3) return std::nullopt;  // a register
  uint64_t address = 0;
  bool has_base = true;
  if (base == 4) {  // a scale, an index and a base follow
    const unsigned scale = *at >> 6;
    const unsigned index = (*at >> 3 & 7) | prefix->index_high;
    base = *at++ & 7;
    if (index != 4) address += registers[index] << scale;
    has_base = !(base == 5 && mode == 0);
  } else if (base == 5 && mode == 0) {
    return std::nullopt;  // relative to the instruction's end: a variable, which is aligned
  }
  if (has_base) address += registers[base | prefix->base_high];
  if (mode == 1) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a displacement has a sign
    const int64_t displacement = static_cast<int8_t>(*at);
    return address + static_cast<uint64_t>(displacement * prefix->displacement_scale);
  }
  if (mode == 2 || !has_base) {
    int32_t displacement;
    std::memcpy(&displacement, at, sizeof displacement);
    address += static_cast<uint64_t>(static_cast<int64_t>(displacement));
  }
  return address;
}

}  // namespace cohort::engine
