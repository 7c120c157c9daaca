#include "lowering.hpp"
namespace cohort { void yield_in_spin_loops(llvm::Module&, llvm::FunctionAnalysisManager&) {} }
