// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source places of code addresses, read from the program's debug information.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cohort::engine {

// For each address (a return address: the place is that of the call before it), "file:line (function)" of the
// innermost frame that is the user's own, or the function's name, or the address in hexadecimal.
// Asks `addr2line` of binutils, once for each module, as the sanitizers ask their symbolizer.
std::map<const void*, std::string> source_places(const std::vector<const void*>& addresses);

// The C++ spelling of a mangled name; the name itself if it is none.
std::string demangle(const char* name);

// The name as written in the source, without parameter list.
std::string short_name(const char* mangled);

}  // namespace cohort::engine
