// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX in device code. The statements listed here become IR; any other statement is an error at its source line.
//
// Special registers in `mov`: %tid %ntid %ctaid %nctaid %cluster_ctaid %cluster_nctaid %clusterid %nclusterid (.x .y
// .z), %cluster_ctarank, %cluster_nctarank, %laneid, %warpid, %nwarpid, %lanemask_{eq,lt,le,gt,ge}, %clock, %clock64,
// %clock_hi, %globaltimer, %globaltimer_lo, %globaltimer_hi, %smid (0), %nsmid (1).
// Waiting and order: membar.*, fence.*, bar.sync 0, barrier.sync 0, bar.warp.sync, activemask.b32, nanosleep.u32, trap.
// Arithmetic: ptx_arithmetic.cpp. Memory: ptx_memory.cpp.
#include "lower/inline_ptx.hpp"

#include "lowering.hpp"

#include <cohort/base/cuda_error.hpp>

#include <algorithm>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// The parts between commas. A vector `{$0, $1}` is one operand.
std::vector<std::string> split_operands(llvm::StringRef list) {
  std::vector<std::string> operands;
  while (!list.empty()) {
    const size_t brace = list.find('{');
    const size_t from = brace < list.find(',') ? list.find('}', brace) : 0;
    const auto [first, rest] = std::pair(list.substr(0, list.find(',', from)), list.find(',', from));
    operands.push_back(first.trim().str());
    list = rest == llvm::StringRef::npos ? "" : list.substr(rest + 1);
  }
  return operands;
}

// "mov.u32 $0, %laneid" -> "mov.u32" and its operands.
std::vector<ptx_statement> parse(llvm::StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size() - 1);
    } else if (text.substr(i).starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else if (text.substr(i).starts_with("$(") || text.substr(i).starts_with("$)")) {
      plain += text[++i] == '(' ? "{" : "}";  // clang's spelling of braces
    } else {
      plain += text[i];
    }
  }
  std::vector<ptx_statement> result;
  llvm::SmallVector<llvm::StringRef, 4> statements;
  llvm::StringRef(plain).split(statements, ';');
  for (llvm::StringRef statement : statements) {
    statement = statement.trim();
    if (statement.empty()) {
      continue;
    }
    const size_t end = statement.find_first_of(" \t\n");
    ptx_statement parsed;
    parsed.text = statement.str();
    parsed.opcode = statement.substr(0, end).str();
    if (end != llvm::StringRef::npos) {
      parsed.operands = split_operands(statement.substr(end));
    }
    result.push_back(std::move(parsed));
  }
  return result;
}

}  // namespace

ptx_lowering::ptx_lowering(llvm::CallInst& call)
    : call_(call),
      module_(*call.getModule()),
      builder_(&call),
      assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())) {}

bool ptx_lowering::bind_operands() {
  unsigned argument = 0;
  llvm::Type* type = call_.getType();
  unsigned outputs = 0;
  const auto constraints = assembly_.ParseConstraints();
  for (const auto& constraint : constraints) {
    outputs += constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect;
  }
  for (const auto& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber || constraint.Type == llvm::InlineAsm::isLabel) {
      continue;
    }
    if (constraint.isIndirect) {
      return false;
    }
    operand bound;
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      bound.type = outputs == 1 ? type : llvm::cast<llvm::StructType>(type)->getElementType(results_.size());
      bound.value = llvm::PoisonValue::get(bound.type);
      results_.push_back(operands_.size());
    } else {
      bound.value = call_.getArgOperand(argument++);
      bound.type = bound.value->getType();
      const std::string code = constraint.Codes.empty() ? "" : constraint.Codes.front();
      unsigned tied = 0;
      if (!llvm::StringRef(code).getAsInteger(10, tied) && tied < operands_.size()) {
        operands_[tied].value = cast(bound.value, operands_[tied].type);  // "+r"
      }
    }
    operands_.push_back(bound);
  }
  return true;
}

llvm::Value* ptx_lowering::cast(llvm::Value* value, llvm::Type* type, bool is_signed) {
  if (value->getType() == type) {
    return value;
  }
  if (value->getType()->isIntegerTy() && type->isIntegerTy()) {
    return is_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
  }
  if (value->getType()->isPointerTy() && type->isIntegerTy()) {
    return builder_.CreatePtrToInt(value, type);
  }
  if (value->getType()->isIntegerTy() && type->isPointerTy()) {
    return builder_.CreateIntToPtr(value, type);
  }
  if (value->getType()->getPrimitiveSizeInBits() == type->getPrimitiveSizeInBits()) {
    return builder_.CreateBitCast(value, type);
  }
  return nullptr;
}

ptx_lowering::operand* ptx_lowering::find(llvm::StringRef text) {
  if (!text.consume_front("$")) {
    return nullptr;
  }
  if (text.consume_front("{")) {  // ${0:modifier}
    text = text.substr(0, text.find_first_of(":}"));
  }
  unsigned index = 0;
  return !text.getAsInteger(10, index) && index < operands_.size() ? &operands_[index] : nullptr;
}

llvm::Value* ptx_lowering::source(llvm::StringRef text, unsigned bits, bool is_signed) {
  llvm::Type* type = builder_.getIntNTy(bits);
  if (const operand* found = find(text)) {
    return cast(found->value, type, is_signed);
  }
  if (text.starts_with("%")) {
    llvm::Value* value = special_register(text.drop_front());
    return value ? cast(value, type, false) : nullptr;
  }
  text.consume_back("U");
  int64_t number = 0;
  uint64_t large = 0;
  if (!text.getAsInteger(0, number)) {
    return llvm::ConstantInt::getSigned(type, number);
  }
  return text.getAsInteger(0, large) ? nullptr : llvm::ConstantInt::get(type, large);
}

bool ptx_lowering::write(llvm::StringRef text, llvm::Value* value, bool is_signed) {
  operand* target = find(text);
  if (!target || !value) {
    return false;
  }
  llvm::Value* converted = cast(value, target->type, is_signed);
  if (!converted) {
    return false;
  }
  target->value = converted;
  return true;
}

llvm::Value* ptx_lowering::call(const char* function, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto callee = module_.getOrInsertFunction(function, llvm::FunctionType::get(result, types, false));
  auto* made = builder_.CreateCall(callee, arguments);
  if (llvm::StringRef(function).starts_with("cohort_wait_")) {
    made->setConvergent();
  }
  return made;
}

llvm::Value* ptx_lowering::position(const char* function, unsigned axis) {
  return call(function, builder_.getInt32Ty(), {builder_.getInt32(axis)});
}

// The rank of a position in a box: (z * size of y + y) * size of x + x.
llvm::Value* ptx_lowering::linear_rank(llvm::function_ref<llvm::Value*(unsigned)> index, const char* size_function) {
  auto* plane = builder_.CreateAdd(builder_.CreateMul(index(2), position(size_function, 1)), index(1));
  return builder_.CreateAdd(builder_.CreateMul(plane, position(size_function, 0)), index(0));
}

llvm::Value* ptx_lowering::volume(const char* size_function) {
  return builder_.CreateMul(builder_.CreateMul(position(size_function, 0), position(size_function, 1)),
                            position(size_function, 2));
}

llvm::Value* ptx_lowering::block_thread_rank() {
  return linear_rank([&](unsigned axis) { return position("cohort_thread_index", axis); }, "cohort_block_dim");
}

// Registers with .x, .y and .z: %tid, %ntid, %ctaid, %nctaid, %cluster_ctaid, %cluster_nctaid, %clusterid and
// %nclusterid. Null for any other name.
llvm::Value* ptx_lowering::axis_register(llvm::StringRef name, unsigned axis) {
  const char* function = llvm::StringSwitch<const char*>(name)
                             .Case("tid", "cohort_thread_index")
                             .Case("ntid", "cohort_block_dim")
                             .Case("ctaid", "cohort_block_index")
                             .Case("nctaid", "cohort_grid_dim")
                             .Default(nullptr);
  if (function) {
    return position(function, axis);
  }
  auto* blocks = position("cohort_cluster_dim", axis);
  if (name == "cluster_nctaid") {
    return blocks;
  }
  if (name == "cluster_ctaid") {
    return builder_.CreateURem(position("cohort_block_index", axis), blocks);
  }
  if (name == "clusterid") {
    return builder_.CreateUDiv(position("cohort_block_index", axis), blocks);
  }
  return name == "nclusterid" ? builder_.CreateUDiv(position("cohort_grid_dim", axis), blocks) : nullptr;
}

// %laneid, %warpid, %nwarpid, %lanemask_*; null for any other name.
llvm::Value* ptx_lowering::warp_register(llvm::StringRef name) {
  if (name == "laneid") {
    return builder_.CreateAnd(block_thread_rank(), 31);
  }
  if (name == "warpid") {
    return builder_.CreateLShr(block_thread_rank(), 5);
  }
  if (name == "nwarpid") {
    return builder_.CreateLShr(builder_.CreateAdd(volume("cohort_block_dim"), builder_.getInt32(31)), 5);
  }
  if (!name.consume_front("lanemask_")) {
    return nullptr;
  }
  auto* one = builder_.CreateShl(builder_.getInt32(1), builder_.CreateAnd(block_thread_rank(), 31));
  auto* below = builder_.CreateSub(one, builder_.getInt32(1));
  return llvm::StringSwitch<llvm::Value*>(name)
      .Case("eq", one)
      .Case("lt", below)
      .Case("le", builder_.CreateOr(below, one))
      .Case("gt", builder_.CreateNot(builder_.CreateOr(below, one)))
      .Case("ge", builder_.CreateNot(below))
      .Default(nullptr);
}

// The value of the register `name`, without the percent sign; null for an unknown register.
llvm::Value* ptx_lowering::special_register(llvm::StringRef name) {
  const auto [base, axis_name] = name.split('.');
  const size_t axis = axis_name.size() == 1 ? llvm::StringRef("xyz").find(axis_name[0]) : llvm::StringRef::npos;
  if (axis != llvm::StringRef::npos) {
    return axis_register(base, axis);
  }
  if (llvm::Value* value = warp_register(name)) {
    return value;
  }
  if (name == "cluster_ctarank") {
    return linear_rank([&](unsigned axis) { return axis_register("cluster_ctaid", axis); }, "cohort_cluster_dim");
  }
  if (name == "cluster_nctarank") {
    return volume("cohort_cluster_dim");
  }
  if (name == "clock" || name == "clock64" || name == "clock_hi") {
    llvm::Value* ticks = call("cohort_clock", builder_.getInt64Ty(), {});
    return name == "clock_hi" ? builder_.CreateLShr(ticks, 32) : ticks;
  }
  if (name == "globaltimer" || name == "globaltimer_lo" || name == "globaltimer_hi") {
    llvm::Value* time = call("cohort_nanoseconds", builder_.getInt64Ty(), {});
    return name == "globaltimer_hi" ? builder_.CreateLShr(time, 32) : time;
  }
  if (name == "smid" || name == "nsmid") {
    return builder_.getInt32(name == "nsmid");
  }
  return nullptr;
}

bool ptx_lowering::lower_move(const ptx_statement& statement) {
  llvm::StringRef type = statement.opcode;
  if (!type.consume_front("mov.") || statement.operands.size() != 2) {
    return false;
  }
  const unsigned bits = llvm::StringSwitch<unsigned>(type)
                            .Cases("u16", "b16", "s16", 16)
                            .Cases("u32", "b32", "s32", "f32", 32)
                            .Cases("u64", "b64", "s64", "f64", 64)
                            .Default(0);
  llvm::Value* value = bits ? source(statement.operands[1], bits, type[0] == 's') : nullptr;
  return write(statement.operands[0], value, type[0] == 's');
}

bool ptx_lowering::lower_order(const ptx_statement& statement) {
  const llvm::StringRef opcode = statement.opcode;
  const auto& operands = statement.operands;
  auto* nothing = builder_.getVoidTy();
  if (opcode.starts_with("membar.") || (opcode.starts_with("fence.") && !opcode.contains("proxy"))) {
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    return operands.empty();
  }
  if (opcode == "bar.sync" || opcode == "barrier.sync" || opcode == "bar.sync.aligned" ||
      opcode == "barrier.sync.aligned" || opcode == "bar.cta.sync" || opcode == "barrier.cta.sync" ||
      opcode == "barrier.cta.sync.aligned") {
    call("cohort_wait_block", nothing, {});
    return operands.size() == 1 && operands[0] == "0";
  }
  if (opcode == "bar.warp.sync" && operands.size() == 1) {
    llvm::Value* mask = source(operands[0], 32, false);
    auto* null = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    if (mask) {
      call("cohort_wait_warp", nothing, {mask, null, null, builder_.CreateGlobalString("bar.warp.sync")});
    }
    return mask != nullptr;
  }
  if (opcode == "activemask.b32" && operands.size() == 1) {
    return write(operands[0], call("cohort_wait_converged", builder_.getInt32Ty(), {}), false);
  }
  if (opcode == "nanosleep.u32" && operands.size() == 1) {
    llvm::Value* time = source(operands[0], 32, false);
    if (time) {
      call("cohort_wait_sleep", nothing, {time});
    }
    return time != nullptr;
  }
  if (opcode == "trap" && operands.empty()) {
    auto* type = llvm::FunctionType::get(nothing, {builder_.getInt32Ty(), builder_.getPtrTy()}, true);
    builder_.CreateCall(module_.getOrInsertFunction("cohort_fail", type),
                        {builder_.getInt32(error_launch_failure), builder_.CreateGlobalString("trap was executed.")});
    return true;
  }
  return false;
}

std::string ptx_lowering::lower() {
  const auto statements = parse(assembly_.getAsmString());
  if (!bind_operands()) {
    return statements.empty() ? "an operand in memory" : statements.front().text;
  }
  for (const ptx_statement& statement : statements) {
    if (!lower_move(statement) && !lower_order(statement) && !lower_arithmetic(statement) && !lower_memory(statement)) {
      return statement.text;
    }
  }
  if (statements.empty() &&
      assembly_.hasSideEffects()) {  // asm volatile("" ::: "memory") orders this thread's accesses
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  }
  if (results_.size() == 1) {
    call_.replaceAllUsesWith(operands_[results_[0]].value);
  } else if (results_.size() > 1) {
    llvm::Value* all = llvm::PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < results_.size(); ++i) {
      all = builder_.CreateInsertValue(all, operands_[results_[i]].value, i);
    }
    call_.replaceAllUsesWith(all);
  }
  return "";
}

void lower_inline_ptx(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm()) {
        calls.push_back(call);
      }
    }
  }
  for (llvm::CallInst* call : calls) {
    std::string unknown = ptx_lowering(*call).lower();
    if (!unknown.empty()) {
      std::replace(unknown.begin(), unknown.end(), '$', '%');  // the source's spelling
      module.getContext().emitError(call, "cohortcc cannot run the inline PTX '" + unknown +
                                              "' on a CPU; docs/design/compiler.md lists the statements that it can");
      call->replaceAllUsesWith(llvm::PoisonValue::get(call->getType()));
    }
    call->eraseFromParent();
  }
}

}  // namespace cohort
