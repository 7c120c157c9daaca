// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source places of code addresses, from the program's debug information.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cohort::engine {

// For each return address, the place of the call before it: "file:line (function)" of the innermost frame outside of
// Cohort, else the function's name, else the address in hexadecimal. Runs `addr2line` of binutils once for each module.
std::map<const void*, std::string> source_places(const std::vector<const void*>& addresses);

// For each return address, the places of the call before it and of the calls around it that were inlined: innermost
// first, without those inside of Cohort. An address without lines is left out, or has none.
std::map<const void*, std::vector<std::string>> source_calls(const std::vector<const void*>& addresses);

// The place of the innermost call outside of Cohort. `frames` lists the calls, innermost first. Frames in other modules
// than `code` are skipped: lines of the C library are not the program's. Empty: none has lines.
std::string innermost_place(const std::vector<const void*>& frames, const void* code);

// The C++ spelling of the mangled name of a type, function or variable. Any other name is returned as it is.
std::string demangle(const char* name);
// demangle() for a function or variable, whose symbol may be unmangled.
std::string name_of_symbol(const char* symbol);

// The C++ spelling of a mangled name, without its parameter list.
std::string short_name(const char* mangled);

}  // namespace cohort::engine
