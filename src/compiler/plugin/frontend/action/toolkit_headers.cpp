// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/action/toolkit_headers.hpp"

#include <memory>
#include <string>

#include "facts/source_facts.hpp"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace cohort {
namespace {

class toolkit_watch : public clang::PPCallbacks {
 public:
  explicit toolkit_watch(clang::CompilerInstance& compiler)
      : diagnostics_(compiler.getDiagnostics()), sources_(compiler.getSourceManager()) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef folder,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (!file) {
      explain_missing(hash, name);
      return;
    }
    if (facts().options.runtime_compiler() && clang::SrcMgr::isSystem(kind) && !sources_.isInSystemHeader(hash) &&
        !is_own(folder)) {
      diagnostics_.Report(hash, diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "'%0' file not found"))
          << name;
      diagnostics_.Report(hash, diagnostics_.getCustomDiagID(
                                    clang::DiagnosticsEngine::Note,
                                    "NVRTC has no headers of the host: pass the text to nvrtcCreateProgram, or name "
                                    "a folder with --include-path"));
      return;
    }
    const llvm::StringRef real = file->getFileEntry().tryGetRealPathName();
    if (!is_toolkit(llvm::sys::path::parent_path(real))) {
      return;
    }
    diagnostics_.Report(hash, diagnostics_.getCustomDiagID(
                                  clang::DiagnosticsEngine::Fatal,
                                  "'%0' is not among Cohort's headers; the one of the installed CUDA toolkit (%1) is "
                                  "not used, because it does not work on a CPU"))
        << name << real;
  }

 private:
  // Adds a note to clang's error about a header of CCCL.
  void explain_missing(clang::SourceLocation hash, llvm::StringRef name) {
    const llvm::StringRef library = name.split('/').first;
    if (library == "cub" || library == "thrust" || name.starts_with("cuda/std/") || name == "nv/target") {
      diagnostics_.Report(hash, diagnostics_.getCustomDiagID(
                                    clang::DiagnosticsEngine::Note,
                                    "'%0' is a header of NVIDIA's CCCL, which is not part of Cohort: 'pip install "
                                    "nvidia-cuda-cccl==13.0.85', or name a folder that has it with %1"))
          << name << (facts().options.runtime_compiler() ? "--include-path" : "--cccl=DIR");
    }
  }

  // True for a folder of Cohort's headers.
  static bool is_own(llvm::StringRef folder) {
    for (const char* header : {"cuda_runtime.h", "cooperative_groups.h", "cohort/cohort.hpp"}) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, header);
      if (llvm::sys::fs::exists(path)) {
        return true;
      }
    }
    return false;
  }

  // True if `folder`, or one of the four above it, is a toolkit's include folder: it holds crt/host_config.h. CCCL has
  // a folder of its own in a toolkit, and works on a CPU.
  bool is_toolkit(llvm::StringRef folder) {
    auto [known, is_new] = known_.try_emplace(folder, false);
    if (is_new) {
      llvm::StringRef above = folder;
      for (int level = 0; level < 5 && !above.empty() && !known->second; ++level) {
        if (llvm::sys::path::filename(above) == "cccl") {
          break;
        }
        llvm::SmallString<256> mark(above);
        llvm::sys::path::append(mark, "crt", "host_config.h");
        // A link to crt/host_config.h may lie in a shared folder such as /usr/include. Only the folder of the real file
        // counts.
        llvm::SmallString<256> real;
        known->second = !llvm::sys::fs::real_path(mark, real) && real == mark;
        above = llvm::sys::path::parent_path(above);
      }
    }
    return known->second;
  }

  clang::DiagnosticsEngine& diagnostics_;
  const clang::SourceManager& sources_;
  llvm::StringMap<bool> known_;
};

}  // namespace

void refuse_toolkit_headers(clang::CompilerInstance& compiler) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<toolkit_watch>(compiler));
}

}  // namespace cohort
