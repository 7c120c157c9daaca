// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the source knows and LLVM IR has lost: which functions are kernels, the parameters they have in the
// source, which variables live on the device. Written by the frontend action (source_facts.cpp) at the end of a
// translation unit, read by the passes, which run later in the same process. No clang or LLVM type appears here.
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
    pieces,    // zero or more values, one IR argument each, found at `offsets` in the parameter
    copy,      // one pointer to memory that the callee owns (IR `byval`)
    reference  // one pointer to an object that the caller made (a class with a copy constructor or destructor)
  };
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  passing how = passing::pieces;
  std::vector<uint64_t> offsets;
};

struct kernel_fact {
  std::vector<parameter_fact> parameters;
  uint32_t max_threads = 1024;  // __launch_bounds__
  uint32_t cluster[3] = {};     // __cluster_dims__; zero where it is not there
  std::string readable_name;    // as in the source, for messages
};

struct variable_fact {
  bool constant = false;            // __constant__
  bool externally_visible = false;  // seen by other translation units, as the language has it
};

// Options of the plugin, from `-fplugin-arg-cohort-<name>=<value>`.
struct plugin_options {
  bool active = false;        // false when the plugin is loaded without its frontend half
  bool headers_only = false;  // a C or C++ file: only its headers are watched
  bool device = false;        // the device pass; else the host pass
  bool relocatable = false;   // -rdc=true: device code of several translation units is linked
  bool report = false;        // --cohort-report
  std::string id;             // names the translation unit, unique in a program
};

struct source_facts {
  plugin_options options;
  // Keys are names of symbols in the IR, before any rename.
  std::map<std::string, kernel_fact> kernels;
  std::map<std::string, variable_fact> variables;
  std::set<std::string> dynamic_shared;    // `extern __shared__` arrays
  std::set<std::string> undefined_device;  // user's __device__ functions and variables without a definition here
  std::set<std::string> local_functions;   // device functions that other translation units must not see
};

// The facts of the translation unit that this process compiles.
source_facts& facts();

}  // namespace cohort
