// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/registers.hpp"

#include "lower/ptx/emit/emission.hpp"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cohort::ptx {
namespace {

// Programs keep the lower 32 bits of an address in shared memory: on a GPU these are all. Here the distance from the
// start of the block's shared memory completes them.
llvm::Value* shared_address(builder& b, llvm::Value* low) {
  llvm::Value* own = call(b, port_call::cohort_static_shared);
  llvm::Value* distance = b.CreateSub(low, b.CreatePtrToInt(own, b.getInt32Ty()));
  return b.CreatePtrAdd(own, b.CreateSExt(distance, b.getInt64Ty()));
}

// The bits of "0f3f800000" and "0d3ff0000000000000"; none for other texts.
std::optional<llvm::APFloat> float_bits(llvm::StringRef text) {
  uint64_t pattern = 0;
  const bool is_single = text.starts_with_insensitive("0f");
  if ((!is_single && !text.starts_with_insensitive("0d")) || text.size() != (is_single ? 10u : 18u) ||
      text.drop_front(2).getAsInteger(16, pattern)) {
    return std::nullopt;
  }
  return llvm::APFloat(is_single ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble(),
                       llvm::APInt(is_single ? 32 : 64, pattern));
}

std::string no_such(std::string_view text, const char* what) {
  return "'" + std::string(text) + "' is no " + what + " of this assembly";
}

}  // namespace

llvm::Type* ir_type(builder& b, type type) {
  if (type.is_ieee()) {
    return type.bits == 16 ? b.getHalfTy() : type.bits == 32 ? b.getFloatTy() : b.getDoubleTy();
  }
  return b.getIntNTy(type.register_bits());
}

llvm::Value* cast(builder& b, llvm::Value* value, llvm::Type* type, bool is_signed) {
  if (value->getType() == type) {
    return value;
  }
  if (value->getType()->isIntegerTy() && type->isIntegerTy()) {
    return is_signed ? b.CreateSExtOrTrunc(value, type) : b.CreateZExtOrTrunc(value, type);
  }
  if (value->getType()->isPointerTy() && type->isIntegerTy()) {
    return b.CreatePtrToInt(value, type);
  }
  if (value->getType()->isIntegerTy() && type->isPointerTy()) {
    return b.CreateIntToPtr(value, type);
  }
  const bool is_of_one_size = value->getType()->getPrimitiveSizeInBits() == type->getPrimitiveSizeInBits();
  return is_of_one_size ? b.CreateBitCast(value, type) : nullptr;
}

llvm::AllocaInst* registers::new_slot(llvm::Type* type) {
  llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  slots_.push_back(llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type));
  return slots_.back();
}

llvm::AllocaInst* registers::make_slot(llvm::Type* type, llvm::Value* initial) {
  llvm::AllocaInst* slot = new_slot(type);
  // A value for a register that is read before it is written: LLVM drops what such a register decides.
  builder_.CreateStore(initial ? initial : llvm::PoisonValue::get(type), slot);
  return slot;
}

void registers::add_operand(llvm::Type* type, llvm::Value* initial, bool is_number) {
  auto* constant = is_number ? llvm::dyn_cast<llvm::ConstantInt>(initial) : nullptr;
  named_.push_back({"$" + std::to_string(named_.size()), make_slot(type, initial), constant});
}

void registers::set_operand(size_t number, llvm::Value* value) { builder_.CreateStore(value, named_[number].slot); }

llvm::Value* registers::operand_value(size_t number) { return load(named_[number]); }

bool registers::close_scope() {
  if (scopes_.empty()) {
    return false;
  }
  named_.resize(scopes_.back());
  scopes_.pop_back();
  return true;
}

void registers::declare_one(const std::string& name, llvm::Type* type, unsigned elements) {
  if (elements == 1) {
    named_.push_back({name, make_slot(type, nullptr)});
    return;
  }
  for (unsigned i = 0; i < elements; ++i) {
    named_.push_back({name + '.' + "xyzw"[i], make_slot(type, nullptr)});
  }
}

std::string registers::declare(llvm::ArrayRef<std::string> operands) {
  unsigned elements = 1;
  llvm::Type* element = nullptr;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string_view text = operands[i];
    while (i == 0 && text.starts_with('.')) {  // ".v4 .f32 first"
      const size_t end = std::min(text.find_first_of(" \t\n.", 1), text.size());
      const std::string_view word = text.substr(1, end - 1);
      text = trimmed(text.substr(end));
      const auto known = parse_type(word);
      if (word == "v2" || word == "v4") {
        elements = static_cast<unsigned>(word[1] - '0');
      } else if (!known || element) {
        return "a register has no type ." + std::string(word);
      } else {
        element = ir_type(builder_, *known);
      }
    }
    if (!element || text.empty()) {
      return ".reg needs a type and a name";
    }
    const size_t bracket = text.find('<');
    unsigned count = 0;
    if (bracket == std::string_view::npos) {
      declare_one(std::string(text), element, elements);
    } else if (!text.ends_with('>') ||
               llvm::StringRef(text.substr(bracket + 1, text.size() - bracket - 2)).getAsInteger(10, count)) {
      return "the number of registers is no number";
    }
    for (unsigned n = 0; n < count; ++n) {  // "%r<4>" declares %r0 to %r3
      declare_one(std::string(trimmed(text.substr(0, bracket))) + std::to_string(n), element, elements);
    }
  }
  return operands.empty() ? ".reg needs a type and a name" : "";
}

const registers::named* registers::find(std::string_view text) const {
  std::string name(text);
  if (text.starts_with("${")) {  // ${0:modifier}
    name = "$" + std::string(text.substr(2, text.find_first_of(":}") - 2));
  } else if (const size_t dot = name.rfind('.'); dot != std::string::npos && dot + 2 == name.size()) {
    if (const size_t color = std::string_view("rgba").find(name.back()); color != std::string_view::npos) {
      name.back() = "xyzw"[color];
    }
  }
  for (size_t i = named_.size(); i-- > 0;) {
    if (named_[i].name == name) {
      return &named_[i];
    }
  }
  return nullptr;
}

std::vector<std::string> registers::elements(const operand& operand, unsigned count) const {
  std::vector<std::string> names(operand.elements.begin(), operand.elements.end());
  if (operand.form->kind == operand_kind::vector && names.size() == 1 && count > 1) {
    const std::string vector = names[0];
    names.clear();
    for (unsigned i = 0; i < count; ++i) {
      names.push_back(vector + '.' + "xyzw"[i % 4]);
    }
  }
  return names;
}

llvm::Value* registers::read_integer(std::string_view operand, unsigned bits, bool is_signed) {
  llvm::Type* const type = builder_.getIntNTy(bits);
  if (const named* found = find(operand)) {
    return found->is_predicate() ? nullptr : cast(builder_, load(*found), type, is_signed);
  }
  llvm::StringRef text = operand;
  if (text.consume_front("%")) {
    llvm::Value* value = special_register(builder_, text);
    return value ? cast(builder_, value, type) : nullptr;
  }
  if (text == "WARP_SZ") {
    return llvm::ConstantInt::get(type, 32);
  }
  if (const auto number = float_bits(text)) {
    const llvm::APInt pattern = number->bitcastToAPInt();
    return pattern.getBitWidth() == bits ? llvm::ConstantInt::get(type, pattern) : nullptr;
  }
  text.consume_back("U");
  int64_t number = 0;
  uint64_t large = 0;
  if (!text.getAsInteger(0, number)) {
    return llvm::ConstantInt::getSigned(type, number);
  }
  return text.getAsInteger(0, large) ? nullptr : llvm::ConstantInt::get(type, large);
}

// "0f3f800000" and "0d3ff0000000000000" are bits, "1.5" is a decimal number.
llvm::Value* registers::read_float(std::string_view text, unsigned bits) {
  llvm::Type* const type = ir_type(builder_, {type_kind::ieee, bits});
  if (const named* found = find(text)) {
    return found->is_predicate() ? nullptr : cast(builder_, load(*found), type);
  }
  if (auto number = float_bits(text)) {
    bool is_inexact = false;
    number->convert(type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &is_inexact);
    return llvm::ConstantFP::get(type, *number);
  }
  double decimal = 0;
  return llvm::StringRef(text).getAsDouble(decimal) ? nullptr : llvm::ConstantFP::get(type, decimal);
}

llvm::Value* registers::read_number(std::string_view text, type type) {
  return type.is_predicate() ? read_predicate(text)
         : type.is_ieee()    ? read_float(text, type.bits)
                             : read_integer(text, type.register_bits(), type.is_signed());
}

llvm::Value* registers::read_predicate(std::string_view text) {
  const bool is_negated = text.starts_with('!');
  const named* found = find(trimmed(text.substr(is_negated ? 1 : 0)));
  if (!found || !found->is_predicate()) {
    return nullptr;
  }
  return is_negated ? builder_.CreateNot(load(*found)) : load(*found);
}

// "[$1+8]".
llvm::Value* registers::read_address(std::string_view text, bool may_be_short) {
  text = trimmed(text.substr(1, text.size() - (text.ends_with(']') ? 2 : 1)));
  const size_t plus = text.find('+');
  int64_t offset = 0;
  if (plus != std::string_view::npos && llvm::StringRef(trimmed(text.substr(plus + 1))).getAsInteger(0, offset)) {
    return nullptr;
  }
  const named* found = find(trimmed(text.substr(0, plus)));
  const bool is_short = found && found->slot->getAllocatedType()->isIntegerTy(32);
  if (!found || (is_short && !may_be_short)) {
    return nullptr;
  }
  llvm::Value* const base = load(*found);
  llvm::Value* pointer = is_short ? shared_address(builder_, base) : cast(builder_, base, builder_.getPtrTy());
  return pointer && offset ? builder_.CreatePtrAdd(pointer, builder_.getInt64(offset)) : pointer;
}

std::string registers::read(const instruction& instruction, const operand& operand,
                            llvm::SmallVectorImpl<llvm::Value*>& values) {
  const operand_form& form = *operand.form;
  if (form.kind == operand_kind::hint) {
    return "";
  }
  if (form.kind == operand_kind::address) {
    values.push_back(read_address(operand.text, instruction.is_in_shared(form)));
    return values.back() ? "" : no_such(operand.text, "address");
  }
  if (form.kind == operand_kind::tensor) {
    values.push_back(read_address(operand.text, false));
    if (!values.back()) {
      return no_such(operand.text.substr(1), "address");
    }
  }
  type element = operand.value_type;
  const unsigned count = form.kind == operand_kind::vector ? instruction.vector_size()
                         : form.kind == operand_kind::parts || form.kind == operand_kind::fragment
                             ? static_cast<unsigned>(operand.elements.size())
                             : 1;
  element.bits /= form.kind == operand_kind::parts ? count : 1;
  for (const std::string& text : elements(operand, count)) {
    llvm::Value* predicate = form.kind == operand_kind::value_or_predicate ? read_predicate(text) : nullptr;
    llvm::Value* value = predicate ? predicate : read_number(text, element);
    if (!value) {
      return no_such(text, element.is_predicate() ? "predicate" : "number");
    }
    if (form.kind == operand_kind::constant && !llvm::isa<llvm::ConstantInt>(value)) {
      return "operand " + std::string(form.name) + " is a constant";
    }
    values.push_back(value);
  }
  return "";
}

bool registers::write_one(std::string_view text, llvm::Value* value, bool is_signed) {
  if (text == "_") {
    return true;
  }
  const named* target = find(text);
  if (!target || target->constant || target->is_predicate() != value->getType()->isIntegerTy(1)) {
    return false;
  }
  llvm::Value* converted = cast(builder_, value, target->slot->getAllocatedType(), is_signed);
  if (converted) {
    builder_.CreateStore(converted, target->slot);
  }
  return converted != nullptr;
}

std::string registers::write(const operand& operand, llvm::ArrayRef<llvm::Value*> values) {
  const size_t count = values.size() - (operand.form->has_second ? 1 : 0);
  const std::vector<std::string> names = elements(operand, static_cast<unsigned>(count));
  for (size_t i = 0; i < names.size() && i < count; ++i) {
    if (!write_one(names[i], values[i], operand.value_type.is_signed())) {
      return no_such(names[i], operand.value_type.is_predicate() ? "predicate" : "register for the result");
    }
  }
  if (!operand.second.empty() && !write_one(operand.second, values.back(), false)) {
    return no_such(operand.second, "predicate");
  }
  return "";
}

}  // namespace cohort::ptx
