// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/action/cpu_versions.hpp"

#include "facts/source_facts.hpp"

#include <memory>

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

namespace cohort {

bool add_cpu_version(const clang::CompilerInstance& compiler, llvm::StringRef name) {
  auto options = std::make_shared<clang::TargetOptions>();
  options->Triple = compiler.getTargetOpts().Triple;
  options->CPU = name.str();
  if (name == "native") {
    options->CPU = llvm::sys::getHostCPUName().str();
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
      options->FeaturesAsWritten.push_back((feature.second ? "+" : "-") + feature.first().str());
    }
  }
  const llvm::IntrusiveRefCntPtr<clang::TargetInfo> target =
      clang::TargetInfo::CreateTargetInfo(compiler.getDiagnostics(), options);
  if (!target) {
    return false;
  }
  std::vector<std::string> features = target->getTargetOpts().Features;
  llvm::sort(features);
  facts().further_cpus.push_back({options->CPU, llvm::join(features, ",")});
  return true;
}

}  // namespace cohort
