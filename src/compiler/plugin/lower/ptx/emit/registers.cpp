// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/registers.hpp"

#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/isa/operand_types.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
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

// "1.5", "-2e3": a number of 64 bits.
std::optional<double> decimal(llvm::StringRef text) {
  double number = 0;
  const bool is_whole = text.find_first_of(".eE") == llvm::StringRef::npos || text.starts_with_insensitive("0x");
  return is_whole || text.getAsDouble(number) ? std::nullopt : std::optional(number);
}

// The type of an operand's register, by its constraint: "h", "r", "l" and "q" are bits.
type register_type(llvm::Type* of) {
  if (of->isFloatTy() || of->isDoubleTy()) {
    return {type_kind::ieee, of->isFloatTy() ? 32u : 64u};
  }
  return {type_kind::bits, of->isPointerTy() ? 64u : static_cast<unsigned>(of->getPrimitiveSizeInBits())};
}

std::string no_such(std::string_view text, const char* what) {
  if (text.starts_with('%')) {
    return "'" + std::string(text) + "' is no register of this assembly, and no special register that cohortcc has";
  }
  return "'" + std::string(text) + "' is no " + what + " of this assembly";
}

// Why the value is no constant of that operand, or "".
std::string refused_constant(const operand_form& form, llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (!constant) {
    return "operand " + std::string(form.name) + " is a constant";
  }
  if (form.is_natural && constant->isNegative()) {
    return "operand " + std::string(form.name) + " is negative";
  }
  if (form.numbers.empty() || llvm::is_contained(form.numbers, constant->getSExtValue())) {
    return "";
  }
  std::string text;
  for (const int64_t number : form.numbers) {
    text += (text.empty() ? "" : " or ") + std::to_string(number);
  }
  return "operand " + std::string(form.name) + " is " + text;
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
  auto bits_of = [&](llvm::Type* of) { return b.getIntNTy(of->isPointerTy() ? 64 : of->getPrimitiveSizeInBits()); };
  llvm::Value* const bits = value->getType()->isPointerTy() ? b.CreatePtrToInt(value, b.getInt64Ty())
                                                            : b.CreateBitCast(value, bits_of(value->getType()));
  llvm::Value* const resized = b.CreateZExtOrTrunc(bits, bits_of(type));
  return type->isPointerTy() ? b.CreateIntToPtr(resized, type) : b.CreateBitCast(resized, type);
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
  named_.push_back({"$" + std::to_string(named_.size()), register_type(type), make_slot(type, initial), type, constant,
                    initial == nullptr});
}

void registers::add_variable(llvm::Type* type, llvm::Value* variable) {
  named_.push_back({"$" + std::to_string(named_.size()), register_type(type), variable, type});
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

void registers::declare_one(const std::string& name, type own, unsigned elements) {
  llvm::Type* const type = ir_type(builder_, own);
  for (unsigned i = 0; i < elements; ++i) {
    const std::string full_name = elements == 1 ? name : name + '.' + "xyzw"[i];
    named_.push_back({full_name, own, make_slot(type, nullptr), type});
  }
}

std::string registers::declare(llvm::ArrayRef<std::string> operands) {
  unsigned elements = 1;
  std::optional<type> element;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string_view text = operands[i];
    while (i == 0 && text.starts_with('.')) {  // ".v4 .f32 first"
      const size_t end = std::min(text.find_first_of(" \t\n.", 1), text.size());
      const std::string_view word = text.substr(1, end - 1);
      text = trimmed(text.substr(end));
      const auto known = parse_type(word);
      if (word == "v2" || word == "v4") {
        elements = static_cast<unsigned>(word[1] - '0');
      } else if (!known || element || !is_register_type(*known)) {
        return "a register has no type ." + std::string(word);
      } else {
        element = known;
      }
    }
    if (!element || text.empty()) {
      return ".reg needs a type and a name";
    }
    const size_t bracket = text.find('<');
    unsigned count = 0;
    if (bracket == std::string_view::npos) {
      declare_one(std::string(text), *element, elements);
    } else if (!text.ends_with('>') ||
               llvm::StringRef(text.substr(bracket + 1, text.size() - bracket - 2)).getAsInteger(10, count)) {
      return "the number of registers is no number";
    }
    for (unsigned n = 0; n < count; ++n) {  // "%r<4>" declares %r0 to %r3
      declare_one(std::string(trimmed(text.substr(0, bracket))) + std::to_string(n), *element, elements);
    }
  }
  return operands.empty() ? ".reg needs a type and a name" : "";
}

const registers::named* registers::find(std::string_view text) const {
  std::string name(text);
  if (text.starts_with("${")) {  // clang writes an operand with a modifier as ${0:modifier}
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
  if (const auto real = decimal(text)) {
    return bits == 64 ? llvm::ConstantInt::get(type, llvm::APFloat(*real).bitcastToAPInt()) : nullptr;
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
  const auto real = decimal(text);
  return real ? llvm::ConstantFP::get(type, *real) : nullptr;
}

llvm::Value* registers::read_number(std::string_view text, type type) {
  if (type.is_predicate()) {  // a predicate may also be a number: any but 0 is true
    llvm::Value* const predicate = read_predicate(text);
    auto* number = predicate ? nullptr : llvm::dyn_cast_or_null<llvm::ConstantInt>(read_integer(text, 64, false));
    return number ? builder_.getInt1(!number->isZero()) : predicate;
  }
  return type.is_ieee() ? read_float(text, type.bits) : read_integer(text, type.register_bits(), type.is_signed());
}

std::string registers::type_error(const instruction& instruction, const operand& operand, std::string_view text) const {
  const type wanted = element_type(operand);
  const std::string start = "operand " + std::string(operand.form->name.substr(0, 1)) + " is ." +
                            std::string(name_of(wanted)) + ", and '" + std::string(text) + "' is ";
  if (const named* found = find(trimmed(text.substr(text.starts_with('!') ? 1 : 0)))) {
    const bool fits = found->constant ? takes_integer(wanted) : takes_register(instruction, operand, found->own);
    return fits              ? ""
           : found->constant ? start + "a whole number"
                             : start + "a register of ." + std::string(name_of(found->own));
  }
  if (text.starts_with('%')) {
    return !find_special_register(text.substr(1)) || takes_special_register(instruction, operand, text.substr(1))
               ? ""
               : start + "a special register, which mov reads into one of its size";
  }
  const auto pattern = float_bits(text);
  if (pattern || decimal(text)) {
    const unsigned bits = pattern ? pattern->bitcastToAPInt().getBitWidth() : 64;
    return takes_float(wanted, bits) ? "" : start + "a floating-point number of " + std::to_string(bits) + " bits";
  }
  const bool is_number = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
  return is_number && !takes_integer(wanted) ? start + "a whole number" : "";
}

llvm::Value* registers::read_predicate(std::string_view text) {
  const bool is_negated = text.starts_with('!');
  const named* found = find(trimmed(text.substr(is_negated ? 1 : 0)));
  if (!found && text.starts_with('%')) {
    llvm::Value* const value = special_register(builder_, text.substr(1));
    return value && value->getType()->isIntegerTy(1) ? value : nullptr;
  }
  if (!found || !found->is_predicate()) {
    return nullptr;
  }
  return is_negated ? builder_.CreateNot(load(*found)) : load(*found);
}

// Reads an address operand such as "[$1+8]". Null: the text is not one that this form permits.
llvm::Value* registers::read_address(std::string_view text, bool may_be_short) {
  text = trimmed(text.substr(1, text.size() - (text.ends_with(']') ? 2 : 1)));
  const size_t plus = text.find('+');
  int64_t offset = 0;
  if (plus != std::string_view::npos && llvm::StringRef(trimmed(text.substr(plus + 1))).getAsInteger(0, offset)) {
    return nullptr;
  }
  const named* found = find(trimmed(text.substr(0, plus)));
  const unsigned bits = found && found->own.kind != type_kind::ieee ? found->own.bits : 0;
  const bool is_short = bits == 32;
  if (bits != 64 && !(is_short && may_be_short)) {
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
    return type_error(instruction, operand, operand.text);
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
  const type element = element_type(operand);
  const unsigned count = form.kind == operand_kind::vector ? instruction.vector_size()
                         : form.kind == operand_kind::parts || form.kind == operand_kind::fragment
                             ? static_cast<unsigned>(operand.elements.size())
                             : 1;
  for (const std::string& text : elements(operand, count)) {
    if (std::string reason = type_error(instruction, operand, text); !reason.empty()) {
      return reason;
    }
    llvm::Value* predicate = form.kind == operand_kind::value_or_predicate ? read_predicate(text) : nullptr;
    // A number in the place of a predicate is a truth value in read_number().
    llvm::Value* number = element.is_predicate() && !form.numbers.empty() ? read_integer(text, 64, true) : nullptr;
    llvm::Value* value = predicate ? predicate : read_number(text, element);
    if (!value) {
      return no_such(text, element.is_predicate() ? "predicate" : "number");
    }
    if (form.kind == operand_kind::constant || number) {
      if (std::string reason = refused_constant(form, number ? number : value); !reason.empty()) {
        return reason;
      }
    }
    values.push_back(value);
  }
  return "";
}

std::string registers::find_places(const instruction& instruction, const operand& operand,
                                   llvm::SmallVectorImpl<llvm::Value*>& places) {
  for (const std::string_view text : operand.elements) {
    if (std::string reason = type_error(instruction, operand, text); !reason.empty()) {
      return reason;
    }
    const named* found = find(text);
    if (!found || found->constant) {
      return no_such(text, "register for the result");
    }
    if (found->is_output) {
      return "'" + std::string(text) + "' is no variable: a product writes its registers after the statement";
    }
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(found->slot)) {
      std::erase(slots_, slot);  // the variable stays in memory
    }
    places.push_back(found->slot);
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
  builder_.CreateStore(cast(builder_, value, target->ir, is_signed), target->slot);
  return true;
}

std::string registers::write(const instruction& instruction, const operand& operand,
                             llvm::ArrayRef<llvm::Value*> values) {
  const size_t count = values.size() - (operand.form->has_second ? 1 : 0);
  const std::vector<std::string> names = elements(operand, static_cast<unsigned>(count));
  for (size_t i = 0; i < names.size() && i < count; ++i) {
    if (std::string reason = type_error(instruction, operand, names[i]); names[i] != "_" && !reason.empty()) {
      return reason;
    }
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
