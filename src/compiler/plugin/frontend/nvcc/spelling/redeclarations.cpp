// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/redeclarations.hpp"

#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "frontend/nvcc/spelling/missing_words.hpp"
#include "frontend/preamble.hpp"
#include "frontend/warnings/execution_side.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace cohort {
namespace {

#define BOTH_SIDES "__attribute__((host)) __attribute__((device)) "
#define BOTH_SIDES_AFTER(number) BOTH_SIDES "/* nvcc warns: " number " */ "

// A declaration that adds a side to those before it, as in nvcc's warning.
struct added_side {
  char letter;
  int number;
  const char *before, *again;
  llvm::StringRef words;
};
constexpr added_side added_sides[] = {
    {'5', 20035, "__device__", "with __host__", BOTH_SIDES_AFTER("20035")},
    {'6', 20036, "__device__", "with __host__ __device__", BOTH_SIDES_AFTER("20036")},
    {'7', 20037, "__device__", "without __device__", BOTH_SIDES_AFTER("20037")},
    {'9', 20039, "__host__", "with __device__", BOTH_SIDES_AFTER("20039")},
    {'0', 20040, "__host__", "with __host__ __device__", BOTH_SIDES_AFTER("20040")},
};
constexpr char no_warning = 's';

#undef BOTH_SIDES_AFTER

const added_side& added(int number) {
  return *llvm::find_if(added_sides, [&](const added_side& each) { return each.number == number; });
}

char letter_of(int number) { return number == 0 ? no_warning : added(number).letter; }

bool has_written_host(const clang::FunctionDecl& function) {
  const auto* word = function.getAttr<clang::CUDAHostAttr>();
  return word && !word->isImplicit();
}

bool is_kernel(const clang::FunctionDecl& function) { return function.hasAttr<clang::CUDAGlobalAttr>(); }

bool is_on_both_sides(execution_side side) { return side.host && side.device; }

// The number of nvcc's warning about a declaration after others, or 0. `before`: the sides of those others.
int number_after(execution_side before, const clang::FunctionDecl& declaration) {
  const execution_side side = side_of(&declaration);
  if (is_on_both_sides(before) || (before.host == side.host && before.device == side.device)) {
    return 0;
  }
  if (before.host) {
    return side.host ? 20040 : 20039;
  }
  return side.device ? 20036 : has_written_host(declaration) ? 20035 : 20037;
}

using declarations = std::vector<clang::FunctionDecl*>;

// Collects the functions that users' files declare, by their names and scopes. Bodies are not entered.
class declaration_search {
 public:
  explicit declaration_search(clang::CompilerInstance& compiler)
      : sema_(compiler.getSema()), sources_(compiler.getSourceManager()) {
    for (clang::Decl* each : source_declarations(compiler.getASTContext())) {
      enter(each);
    }
  }

  // The declarations of each function that is declared for different sides (host, device), in the order of the source.
  std::vector<declarations> found() {
    std::vector<declarations> result;
    for (auto& [scope_and_name, all] : by_name_) {
      add_local(scope_and_name.first, scope_and_name.second, all);
      if (have_one_side(all)) {
        continue;
      }
      llvm::stable_sort(all, [&](const clang::FunctionDecl* a, const clang::FunctionDecl* b) {
        return sources_.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
      });
      std::vector<declarations> functions;
      for (clang::FunctionDecl* each : all) {
        const auto same =
            llvm::find_if(functions, [&](const declarations& known) { return is_same(*each, *known[0]); });
        if (same == functions.end()) {
          functions.push_back({each});
        } else {
          same->push_back(each);
        }
      }
      llvm::erase_if(functions, have_one_side);
      result.insert(result.end(), functions.begin(), functions.end());
    }
    return result;
  }

 private:
  void enter(clang::Decl* each) {
    if (each->isImplicit() || sources_.isInSystemHeader(each->getLocation())) {
      return;
    }
    if (const auto* befriended = llvm::dyn_cast<clang::FriendDecl>(each)) {
      each = befriended->getFriendDecl();
    }
    if (const auto* described = llvm::dyn_cast_or_null<clang::TemplateDecl>(each)) {
      each = described->getTemplatedDecl();
    }
    if (auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(each)) {
      add(*function);
    } else if (each &&
               llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl, clang::RecordDecl>(each)) {
      for (clang::Decl* member : llvm::cast<clang::DeclContext>(each)->decls()) {
        enter(member);
      }
    }
  }

  void add(clang::FunctionDecl& function) {
    // Explicit specializations are left out: each has its own __host__ and __device__.
    if (function.getTemplateSpecializationKind() == clang::TSK_Undeclared &&
        !llvm::isa<clang::CXXDeductionGuideDecl>(function)) {
      const clang::DeclContext* scope = function.getDeclContext()->getRedeclContext()->getPrimaryContext();
      by_name_[{scope, function.getDeclName()}].push_back(&function);
    }
  }

  // Adds declarations inside of functions: `void f() { int g(); }`.
  void add_local(const clang::DeclContext* scope, clang::DeclarationName name, declarations& all) const {
    if (!scope->isFileContext()) {
      return;
    }
    for (clang::NamedDecl* each : scope->lookup(name)) {
      auto* function = llvm::dyn_cast<clang::FunctionDecl>(each);
      if (!function) {
        continue;
      }
      for (clang::FunctionDecl* other : function->redecls()) {
        if (other->isLocalExternDecl() && !sources_.isInSystemHeader(other->getLocation()) &&
            !llvm::is_contained(all, other)) {
          all.push_back(other);
        }
      }
    }
  }

  static bool have_one_side(const declarations& all) {
    const execution_side first = side_of(all[0]);
    return llvm::all_of(all, [&](const clang::FunctionDecl* each) {
      const execution_side side = side_of(each);
      return side.host == first.host && side.device == first.device && is_kernel(*each) == is_kernel(*all[0]);
    });
  }

  bool is_same(clang::FunctionDecl& function, clang::FunctionDecl& other) const {
    return function.getCanonicalDecl() == other.getCanonicalDecl() ||
           (!sema_.IsOverload(&function, &other, false, false) &&
            sema_.getASTContext().hasSameType(function.getDeclaredReturnType(), other.getDeclaredReturnType()));
  }

  clang::Sema& sema_;
  const clang::SourceManager& sources_;
  llvm::MapVector<std::pair<const clang::DeclContext*, clang::DeclarationName>, declarations> by_name_;
};

// Two definitions are two functions: a rule of their own reports them.
bool has_one_definition(const declarations& all) {
  return llvm::count_if(all, [](const clang::FunctionDecl* each) { return each->isThisDeclarationADefinition(); }) < 2;
}

// Adds the declarations that lack a word, or that nvcc warns about.
void add_incomplete(const declarations& all, std::vector<redeclaration>& result) {
  execution_side before = side_of(all[0]);
  for (const clang::FunctionDecl* each : all) {
    const execution_side side = side_of(each);
    if (const int number = number_after(before, *each); number != 0 || !is_on_both_sides(side)) {
      result.push_back({each, number, false});
    }
    before = {before.host || side.host, before.device || side.device};
  }
}

}  // namespace

llvm::StringRef words_of_both_sides(char letter) {
  const auto* found = llvm::find_if(added_sides, [&](const added_side& each) { return each.letter == letter; });
  return found == std::end(added_sides) ? BOTH_SIDES : found->words;
}

int number_of(const clang::FunctionDecl& declaration) {
  const clang::SourceManager& sources = declaration.getASTContext().getSourceManager();
  const clang::NestedNameSpecifierLoc scope = declaration.getQualifierLoc();
  const clang::SourceLocation name = scope ? scope.getBeginLoc() : declaration.getLocation();
  if (name.isInvalid() || !name.isFileID()) {
    return 0;
  }
  const auto [file, offset] = sources.getDecomposedLoc(name);
  const llvm::StringRef before = sources.getBufferData(file).take_front(offset);
  const auto* found = llvm::find_if(added_sides, [&](const added_side& each) { return before.ends_with(each.words); });
  return found == std::end(added_sides) ? 0 : found->number;
}

std::string redeclaration_text(const clang::FunctionDecl& declaration, int number) {
  const added_side& side = added(number);
  return std::string("the ") + side.before + " function '" + declaration.getNameAsString() + "' is declared again " +
         side.again + ", so nvcc takes it for a __host__ __device__ function" +
         (number == 20037 || number == 20039 ? ", which host functions may call if a declaration has __host__" : "");
}

std::vector<redeclaration> find_redeclarations(clang::CompilerInstance& compiler) {
  std::vector<redeclaration> result;
  for (const declarations& all : declaration_search(compiler).found()) {
    if (llvm::any_of(all, [](const clang::FunctionDecl* each) { return is_kernel(*each); })) {
      const auto* other = *llvm::find_if(all, [&](const auto* each) { return is_kernel(*each) != is_kernel(*all[0]); });
      result.push_back({other, 0, true});
    } else if (has_one_definition(all)) {
      add_incomplete(all, result);
    }
  }
  return result;
}

void note_redeclarations(clang::CompilerInstance& compiler, missing_words& words) {
  for (const redeclaration& each : find_redeclarations(compiler)) {
    auto& engine = compiler.getDiagnostics();
    const clang::SourceLocation place = each.declaration->getLocation();
    if (!each.is_kernel && words.add_sides(place, letter_of(each.number)) && !engine.hasErrorOccurred()) {
      engine.Report(place, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
          << "'" + each.declaration->getNameAsString() + "' needs __host__ and __device__ at each declaration";
    }
  }
}

}  // namespace cohort
