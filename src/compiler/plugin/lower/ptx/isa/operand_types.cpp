// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/operand_types.hpp"

#include <algorithm>

namespace cohort::ptx {
namespace {

bool is_plain(type each) { return each.kind == type_kind::bits || each.is_integer() || each.kind == type_kind::ieee; }

// PTX ISA 9.4.1, "operand size exceeding instruction-type size": true if an operand may be wider than the type. ptxas
// takes no wider operand in conversions of alternate floats (bf16, tf32).
bool takes_wider(const instruction& in) {
  const std::string_view name = in.form->name;
  const bool relaxes = name == "cvt" || name == "ld" || name == "ldu" || (name == "st" && !in.has("async"));
  return relaxes && std::all_of(in.types.begin(), in.types.end(), is_plain);
}

}  // namespace

type element_type(const operand& of) {
  type element = of.value_type;
  if (of.form->kind == operand_kind::parts) {
    element.bits /= static_cast<unsigned>(of.elements.size());
  }
  return element;
}

bool is_register_type(type own) {
  return own.is_predicate() || own.kind == type_kind::ieee || (own.elements == 1 && own.bits >= 8 && is_plain(own));
}

bool takes_register(const instruction& in, const operand& of, type own) {
  const type wanted = element_type(of);
  if (own.is_predicate() || wanted.is_predicate()) {
    return own.is_predicate() && (wanted.is_predicate() || of.form->kind == operand_kind::value_or_predicate);
  }
  const unsigned bits = own.register_bits(), needed = wanted.register_bits();
  if (bits < needed || (bits > needed && !takes_wider(in))) {
    return false;
  }
  if (own.kind == type_kind::bits || own.elements == 2 || wanted.kind == type_kind::bits) {  // .f16x2 is a name of .b32
    return true;
  }
  if (own.is_integer()) {
    const bool is_element = of.form->kind == operand_kind::vector && in.vector_size() > 1;
    return (wanted.is_integer() && wanted.elements == 1) || (is_element && wanted.is_ieee() && bits == needed);
  }
  return wanted == own;
}

bool takes_special_register(const instruction& in, const operand& of, std::string_view name) {
  const type wanted = element_type(of);
  const special_register_form* const found = find_special_register(name);
  if (!found) {
    return false;
  }
  const bool is_predicate = found->types.front().is_predicate();
  if (is_predicate || wanted.is_predicate()) {
    return is_predicate && wanted.is_predicate() && in.form->name == "mov";
  }
  if (!wanted.is_integer() && wanted.kind != type_kind::bits) {
    return false;
  }
  return std::any_of(found->types.begin(), found->types.end(), [&](type own) {
    return in.form->name == "mov" ? own.bits == wanted.bits : in.form->name == "cvt" && own.bits >= wanted.bits;
  });
}

bool takes_integer(type wanted) {
  return wanted.is_predicate() || wanted.is_integer() || wanted.kind == type_kind::bits;
}

bool takes_float(type wanted, unsigned bits) {
  return wanted.kind == type_kind::bits ? wanted.register_bits() == bits : wanted.is_ieee() && wanted.bits > 16;
}

}  // namespace cohort::ptx
