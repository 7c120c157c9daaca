#include "lowering.hpp"
namespace cohort { void make_thread_loops(llvm::Module&, const std::vector<lowered_kernel>&,llvm::FunctionPassManager&, llvm::ModuleAnalysisManager&) {} }
