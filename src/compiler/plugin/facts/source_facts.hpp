// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of the source that LLVM IR no longer has: which functions are kernels, their parameters as written, which
// variables are on the device. The frontend action (frontend/action/frontend_action.cpp) writes them at the end of a
// translation unit; the passes read them later in the same process. No clang or LLVM type appears here.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cohort {

// How clang passes one source parameter, on this CPU, as arguments of the IR function.
struct parameter_fact {
  enum class passing {
    values,    // zero or more values, one IR argument each, at `offsets` in the parameter
    copy,      // one pointer to memory that the callee owns (IR `byval`)
    reference  // one pointer to the caller's object (a class with a copy constructor or destructor)
  };
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  passing how = passing::values;
  std::vector<uint64_t> offsets;
};

struct kernel_fact {
  std::vector<parameter_fact> parameters;
  uint32_t max_threads = 1024;  // the number in __launch_bounds__
  uint32_t cluster[3] = {};     // the sizes in __cluster_dims__; zeros without it
  std::string readable_name;    // name as the source writes it, for messages
};

struct variable_fact {
  bool constant = false;            // __constant__
  bool externally_visible = false;  // has external linkage in C++
  bool texture = false;             // a texture reference
  bool surface = false;             // a surface reference
};

// The library of device mathematics: SLEEF, or the C library. `missing`: SLEEF is selected but not installed.
enum class math_library { sleef, libm, missing };

// A CPU for which kernels have a version of their own, by the attributes that LLVM's functions have.
struct cpu_version {
  std::string name;      // "znver5"
  std::string features;  // "+avx,+avx2"
};

// Options of the plugin, from `-fplugin-arg-cohort-<name>=<value>`.
struct plugin_options {
  bool active = false;                // false if clang loaded the plugin without its frontend half
  bool headers_only = false;          // a C or C++ file: only the includes are checked
  bool device = false;                // true in the device pass, false in the host pass
  bool relocatable = false;           // -rdc=true: device code of several translation units is linked
  bool report = false;                // --cohort-report
  bool check = false;                 // --check
  bool gangs = true;                  // false: --cohort-gangs=off
  bool all_widths = false;            // --cohort-gangs=all: all gang widths, also in large sources
  bool relaxed_constexpr = false;     // --expt-relaxed-constexpr
  bool coverage = false;              // the code counts how often it runs
  bool count = false;                 // --count: calls of the counters of memory accesses
  uint32_t gang_width = 0;            // --cohort-gangs=force=W; 0: the plugin selects the width
  uint32_t architecture = 0;          // -arch: 90 for sm_90
  char architecture_features = '\0';  // suffix of -arch: 'a' for sm_90a, or 'f'
  math_library math = math_library::sleef;
  std::string id;                     // identifies the translation unit, unique in a program
  std::string notes;                  // file name, for frontend/nvcc/leniency.hpp
  std::string lowered_names;          // file name, for frontend/nvcc/name_expressions.hpp
  std::vector<std::string> warnings;  // words for frontend/warnings/diagnostic_filter.hpp

  // True for a source of NVRTC.
  bool runtime_compiler() const { return !lowered_names.empty(); }
};

struct source_facts {
  plugin_options options;
  // CPUs beside the one that the module is compiled for. The runtime selects the last one whose features the machine
  // has.
  std::vector<cpu_version> further_cpus;
  // Keys are names of symbols in the IR, before any rename.
  std::map<std::string, kernel_fact> kernels;
  std::map<std::string, variable_fact> variables;
  std::set<std::string> dynamic_shared;     // `extern __shared__` arrays
  std::set<std::string> undefined_device;   // user's __device__ functions and variables without a definition here
  std::set<std::string> undefined_kernels;  // those of undefined_device that are kernels
  std::set<std::string> local_functions;    // device functions that are private to this translation unit
  // Set if clang accepts host functions in device code (frontend/nvcc/host_references.hpp).
  std::set<std::string> host_users;    // device functions with a reference to the host that is evaluated
  std::set<std::string> host_symbols;  // functions and variables of the host
};

// The facts of the translation unit that this process compiles.
source_facts& facts();

}  // namespace cohort
