// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/leniency.hpp"
#include "frontend/nvcc/spelling/source_tokens.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "clang/Lex/Token.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"

namespace cohort {
namespace {

// Follows the tokens of `asm volatile("template" : "=f"(result) : "f"(x));`.
class constraint_watch {
 public:
  void see(clang::Token& token) {
    if (token.is(clang::tok::kw_asm)) {
      *this = constraint_watch(std::move(text_));
      awaits_parenthesis_ = true;
    } else if (awaits_parenthesis_ && token.is(clang::tok::l_paren)) {
      awaits_parenthesis_ = false;
      depth_ = 1;
    } else if (depth_ > 0) {
      see_inside(token);
    }
  }

  constraint_watch() = default;

 private:
  using allocator = std::shared_ptr<llvm::BumpPtrAllocator>;
  explicit constraint_watch(allocator text) : text_(std::move(text)) {}

  void see_inside(clang::Token& token) {
    depth_ += token.is(clang::tok::l_paren);
    depth_ -= token.is(clang::tok::r_paren);
    if (depth_ != 1) {
      return;
    }
    if (token.isOneOf(clang::tok::colon, clang::tok::coloncolon)) {
      in_operands_ = true;
    } else if (token.is(clang::tok::string_literal) && !in_operands_) {
      add_to_template({token.getLiteralData(), token.getLength()});
    } else if (token.is(clang::tok::string_literal) && is_ptx(template_)) {
      replace_constraint(token);
    }
  }

  // Adjacent literals are one: "add." "f32" is PTX.
  void add_to_template(llvm::StringRef literal) {
    if (!template_.empty()) {
      template_.pop_back();
      literal.consume_front("\"");
    }
    template_ += literal;
  }

  // PTX's registers of 16 bits, float and double have letters of another meaning on this CPU.
  void replace_constraint(clang::Token& token) {
    const llvm::StringRef literal(token.getLiteralData(), token.getLength());
    char* const replaced = text_->Allocate<char>(literal.size() + 1);
    std::transform(literal.begin(), literal.end(), replaced, [](char c) {
      return c == 'h' ? 'r' : c == 'f' || c == 'd' ? 'x' : c;
    });
    replaced[literal.size()] = 0;
    token.setLiteralData(replaced);
  }

  allocator text_ = std::make_shared<llvm::BumpPtrAllocator>();  // strings that tokens refer to
  bool awaits_parenthesis_ = false;
  int depth_ = 0;
  bool in_operands_ = false;
  std::string template_;
};

}  // namespace

std::function<void(clang::Token&)> accept_ptx_constraints() {
  return [watch = constraint_watch()](clang::Token& token) mutable { watch.see(token); };
}

}  // namespace cohort
