// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/source_place.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <set>
#include <sstream>
#include <utility>

#include "engine/report/addr2line.hpp"

namespace cohort::engine {

namespace {

bool contains_any(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

// Whether the file is Cohort's own: reports leave out its frames.
bool is_own_file(const std::string& file) {
  return contains_any(file, {"/include/cohort/", "/include/compat/", "/include/cudart/", "/cohort/cudart/",
                             "/src/engine/", "/src/runtime/", "/src/check/"});
}

// Inlined functions of the C++ library and of libcu++ have lines of their own; the line of the program is that of the
// call around them.
bool is_library_file(const std::string& file) { return contains_any(file, {"/c++/", "/cuda/__", "/cuda/std/__"}); }

struct module {
  std::string path;
  uintptr_t base;
};

bool find_module(const void* address, module& found) {
  Dl_info info{};
  link_map* map = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map) return false;
  found.base = map->l_addr;
  if (map->l_name && *map->l_name) {
    found.path = map->l_name;
  } else {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    found.path.assign(self, static_cast<size_t>(length));
  }
  return true;
}

constexpr const char* end_of_kernel = "the end of the kernel";
constexpr const char* operator_of_collective = "the operator of a collective";

// The source lines of one address in the debug information.
struct address_lines {
  std::vector<std::string> calls;  // calls outside of Cohort and of libraries, innermost first
  std::string library;             // the innermost call in a library
  std::string own;                 // a text in place of the calls if all frames are Cohort's own
  std::string function;            // function of the outermost frame, into which the others were inlined

  // Optimizations that merge calls, for example of a loop's iterations, leave the merged call without a line.
  bool lacks_line() const {
    return calls.empty() ? own == end_of_kernel : calls.front().find(":?") != std::string::npos;
  }
};

// Reads the frames of one address, outermost last, as addr2line prints them: a line with the function, a line with the
// place.
struct frame_reader {
  address_lines* lines = nullptr;
  std::string function;
  bool function_is_next = true;

  void read(std::string line) {
    if (function_is_next) {
      function = std::move(line);
      function_is_next = false;
      return;
    }
    function_is_next = true;
    std::string where = std::move(line);
    if (const size_t note = where.find(" (discriminator"); note != std::string::npos) where.resize(note);
    const bool own = is_own_file(where) || function.compare(0, 8, "cohort::") == 0;
    // All frames are Cohort's own. Either the compiler merged the calls of an operator, which removes their lines, or
    // it made the kernel's last call, a wait, a tail call.
    const bool in_operator = function.find("::resolve_") != std::string::npos;
    if (own) lines->own = in_operator ? operator_of_collective : end_of_kernel;
    lines->function = function;
    if (own || where.compare(0, 1, "?") == 0) return;
    if (const size_t clone = function.find(" [clone"); clone != std::string::npos) function.resize(clone);
    // The compiler's entries for a kernel: a prefix, the kernel's name, and a number if there are several.
    for (const std::string prefix : {"cohort.block.", "cohort.gang.", "cohort.thread."}) {
      if (function.compare(0, prefix.size(), prefix) != 0) continue;
      const size_t name_end = function.find_last_not_of("0123456789");
      if (function[name_end] == '.') function.resize(name_end);
      function.erase(0, prefix.size());
    }
    if (const size_t suffix = function.find(".device"); suffix != std::string::npos) function.resize(suffix);
    const bool in_library = is_library_file(where);
    if (const size_t slash = where.rfind('/'); slash != std::string::npos) where = where.substr(slash + 1);
    // A lambda that was inlined into the library's entry has a line and no name.
    const bool nameless = function.find("cohort::detail::kernel_entry<") != std::string::npos;
    const std::string place = nameless ? where : where + " (" + short_name(function.c_str()) + ")";
    if (!in_library) {
      lines->calls.push_back(place);
    } else if (lines->library.empty()) {
      lines->library = place;
    }
  }
};

using lines_by_address = std::map<const void*, address_lines>;

bool is_address_line(const std::string& line) {
  return line.compare(0, 2, "0x") == 0 && line.find_first_of(":(") == std::string::npos;
}

// The lines of `addresses` in the program or library at `path`, loaded at `base`.
lines_by_address noted_lines(const std::string& path, uintptr_t base, const std::vector<const void*>& addresses) {
  std::vector<uintptr_t> offsets;
  offsets.reserve(addresses.size());
  // The byte before a return address belongs to the call.
  for (const void* address : addresses) offsets.push_back(reinterpret_cast<uintptr_t>(address) - base - 1);
  std::istringstream text(run_addr2line(path, offsets));
  lines_by_address found;
  size_t begun = 0;
  frame_reader frames;
  for (std::string line; std::getline(text, line);) {
    if (is_address_line(line)) {
      if (begun == addresses.size()) break;
      frames = {};
      frames.lines = &found[addresses[begun++]];
    } else if (frames.lines) {
      frames.read(line);
    }
  }
  return found;
}

// The addresses around `address`, nearest first. Lower addresses come first: the call, and the instructions that
// prepare it.
std::vector<const void*> addresses_around(const void* address) {
  constexpr int reach = 96, step = 4;
  std::vector<const void*> around;
  for (const int direction : {-1, 1}) {
    for (int bytes = step; bytes <= reach; bytes += step) {
      around.push_back(static_cast<const char*>(address) + direction * bytes);
    }
  }
  return around;
}

// Finds lines with noted_lines(). An address without a line gets those of the nearest instruction of its function.
lines_by_address lines_of(const std::string& path, uintptr_t base, const std::vector<const void*>& addresses) {
  lines_by_address found = noted_lines(path, base, addresses);
  for (auto& [address, lines] : found) {
    if (!lines.lacks_line()) continue;
    const std::vector<const void*> around = addresses_around(address);
    lines_by_address neighbours = noted_lines(path, base, around);
    for (const void* neighbour : around) {
      const address_lines& other = neighbours[neighbour];
      if (other.calls.empty() || other.lacks_line() || other.function != lines.function) continue;
      lines.calls = other.calls;
      break;
    }
  }
  return found;
}

// The lines of addresses anywhere in the process.
lines_by_address lines_of(const std::vector<const void*>& addresses) {
  std::map<std::string, std::pair<uintptr_t, std::vector<const void*>>> by_module;
  for (const void* address : std::set<const void*>(addresses.begin(), addresses.end())) {
    module m;
    if (!address || !find_module(address, m)) continue;
    auto& entry = by_module[m.path];
    entry.first = m.base;
    entry.second.push_back(address);
  }
  lines_by_address found;
  for (const auto& [path, entry] : by_module) found.merge(lines_of(path, entry.first, entry.second));
  for (auto& [address, known] : found) {
    if (known.calls.empty() && !known.library.empty()) known.calls.push_back(known.library);
  }
  return found;
}

bool has_line(const std::string& place) { return place.find(":?") == std::string::npos; }

// The innermost call that has a line, else the innermost one.
const std::string& place_in(const std::vector<std::string>& calls) {
  const auto found = std::find_if(calls.begin(), calls.end(), has_line);
  return found == calls.end() ? calls.front() : *found;
}

}  // namespace

std::string demangle(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string result = text ? text : name;
  std::free(text);
  return result;
}

std::string name_of_symbol(const char* symbol) {
  // A variable named `c` has the mangled name of the type `char`.
  return std::strncmp(symbol, "_Z", 2) == 0 ? demangle(symbol) : symbol;
}

std::string short_name(const char* mangled) {
  std::string name = name_of_symbol(mangled);
  if (const size_t clone = name.find(" [clone"); clone != std::string::npos) name.resize(clone);
  // The parameter list starts at the parenthesis that closes the name at nesting depth 0.
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0 && i > 0 && name.compare(i, 21, "(anonymous namespace)") != 0) {
      name.resize(i);
      break;
    }
  }
  if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
  return name;
}

std::map<const void*, std::string> source_places(const std::vector<const void*>& addresses) {
  std::map<const void*, std::string> places;
  lines_by_address lines = lines_of(addresses);
  for (const void* address : addresses) {
    if (!address || places.count(address)) continue;
    const address_lines& known = lines[address];
    Dl_info info{};
    if (!known.calls.empty()) {
      places[address] = place_in(known.calls);
    } else if (!known.own.empty()) {
      places[address] = known.own;
    } else if (dladdr(address, &info) && info.dli_sname) {
      places[address] = short_name(info.dli_sname);
    } else {
      char text[32];
      std::snprintf(text, sizeof text, "address %p", address);
      places[address] = text;
    }
  }
  return places;
}

std::map<const void*, std::vector<std::string>> source_calls(const std::vector<const void*>& addresses) {
  std::map<const void*, std::vector<std::string>> calls;
  for (auto& [address, known] : lines_of(addresses)) calls[address] = std::move(known.calls);
  return calls;
}

std::string innermost_place(const std::vector<const void*>& frames, const void* code) {
  module own;
  if (!find_module(code, own)) return "";
  std::vector<const void*> inside;
  for (const void* address : frames) {
    module m;
    if (find_module(address, m) && m.base == own.base) inside.push_back(address);
  }
  lines_by_address lines = lines_of(own.path, own.base, inside);
  // Functions of a library without debug information have a file and no line.
  std::string place;
  for (const void* address : inside) {
    const auto& calls = lines[address].calls;
    if (calls.empty()) continue;
    if (has_line(place_in(calls))) return place_in(calls);
    if (place.empty()) place = calls.front();
  }
  return place;
}

}  // namespace cohort::engine
