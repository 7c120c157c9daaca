// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/memory_operand.hpp"

#include <cstring>

namespace cohort::engine {

namespace {

struct operand_prefix {
  const unsigned char* rest = nullptr;  // ModRM and what follows
  unsigned index_high = 0;              // bit 3 of the index register's number
  unsigned base_high = 0;               // bit 3 of the base register's number
  unsigned displacement_scale = 1;      // of a displacement of one byte
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

// EVEX: 62, three bytes, opcode. VEX: C5, one byte, opcode; or C4, two bytes, opcode. Their X and B are inverted.
std::optional<operand_prefix> read_vector_prefix(const unsigned char* code) {
  operand_prefix p;
  if (code[0] == 0xc5) {
    p.rest = code + 3;
    return p;
  }
  p.index_high = code[1] & 0x40 ? 0 : 8;
  p.base_high = code[1] & 0x20 ? 0 : 8;
  if (code[0] == 0xc4) {
    p.rest = code + 4;
    return p;
  }
  // A displacement of one byte counts vectors, or elements where the operand is broadcast.
  const bool broadcast = code[3] & 0x10;
  const unsigned element = code[2] & 0x80 ? 8 : 4;
  p.displacement_scale = broadcast ? element : 16u << (code[3] >> 5 & 3);
  p.rest = code + 5;
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
