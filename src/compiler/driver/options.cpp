// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <optional>

namespace cohort {
namespace {

// The headers need C++17. Older versions are asked for by build files that were written for older compilers, and
// their sources are C++17 as well.
std::string at_least_cpp17(const std::string& standard) {
  for (const char* old : {"c++98", "c++03", "c++0x", "c++11", "c++1y", "c++14"}) {
    if (standard == old) return "c++17";
    if (standard == std::string("gnu") + (old + 1)) return "gnu++17";
  }
  return standard;
}

enum class takes { nothing, value, joined_value };  // joined: `-Idir` as well as `-I dir` and `-I=dir`

struct option_rule {
  std::vector<std::string> names;  // without the leading dashes
  takes argument;
  std::function<void(options&, const std::string& value)> apply;
  const char* help;  // null: accepted, not listed
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == separator) {
      if (i > begin) {
        parts.push_back(text.substr(begin, i - begin));
      }
      begin = i + 1;
    }
  }
  return parts;
}

bool truth(const std::string& option, const std::string& value) {
  if (value == "true" || value == "1") {
    return true;
  }
  if (value == "false" || value == "0") {
    return false;
  }
  throw usage_error("-" + option + " wants true or false, not '" + value + "'");
}

// "sm_80", "compute_90a" ... The highest one named counts, as the newest code of a fat binary would.
void set_arch(options& o, const std::string& name) {
  if (name == "native" || name == "all" || name == "all-major") {
    return;
  }
  for (const char* prefix : {"sm_", "compute_", "lto_"}) {
    if (name.rfind(prefix, 0) == 0) {
      const std::string digits = name.substr(std::string(prefix).size());
      size_t used = 0;
      while (used < digits.size() && std::isdigit(static_cast<unsigned char>(digits[used]))) {
        ++used;
      }
      if (used >= 2 && used <= 3 && digits.size() - used <= 1) {
        const int arch = std::stoi(digits.substr(0, used));
        o.arch = o.arch_given ? std::max(o.arch, arch) : arch;
        o.arch_given = true;
        return;
      }
    }
  }
  throw usage_error("'" + name + "' is no architecture; write it as in -arch=sm_80");
}

// code=[sm_80,compute_80] of -gencode names the same architectures again; only arch= counts.
void set_gencode(options& o, const std::string& value) {
  for (const auto& part : split(value, ',')) {
    if (part.rfind("arch=", 0) == 0) {
      set_arch(o, part.substr(5));
      return;
    }
  }
  throw usage_error("-gencode wants arch=compute_XX,code=sm_XX, not '" + value + "'");
}

// CUDA's own runtime libraries; libcohort_cpu is linked in their place.
bool is_cuda_runtime(const std::string& library) {
  return library == "cudart" || library == "cudart_static" || library == "cudadevrt" || library == "cuda";
}

// A folder of a CUDA toolkit would put its headers in front of Cohort's.
bool is_toolkit(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / "crt" / "host_runtime.h", ignored);
}

void add_include(options& o, const std::string& flag, const std::string& folder) {
  if (is_toolkit(folder)) {
    o.notes.push_back("the CUDA toolkit's folder " + folder + " is not used");
  } else {
    o.frontend.insert(o.frontend.end(), {flag, folder});
  }
}

// nvcc's kinds of warnings that -Werror turns into errors; clang does not know all of them.
const char* const warning_kinds[] = {"all-warnings",
                                     "cross-execution-space-call",
                                     "default-stream-launch",
                                     "deprecated-declarations",
                                     "ext-lambda-captures-this",
                                     "reorder"};

bool names_warning_kinds(const std::string& list) {
  const auto kinds = split(list, ',');
  return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), [](const std::string& kind) {
    return std::find(std::begin(warning_kinds), std::end(warning_kinds), kind) != std::end(warning_kinds);
  });
}

void add_warning_kinds(options& o, const std::string& list) {
  for (const auto& kind : split(list, ',')) {
    if (kind == "all-warnings") {
      o.frontend.push_back("-Werror");
    } else if (kind == "deprecated-declarations" || kind == "reorder") {
      o.frontend.push_back("-Werror=" + kind);
    } else {
      o.notes.push_back("clang has no warning " + kind);
    }
  }
}

void set_default_stream(options&, const std::string& kind) {
  if (kind == "per-thread") {
    throw usage_error("-default-stream per-thread is not supported; pass cudaStreamPerThread as the stream instead");
  }
  if (kind != "legacy" && kind != "null") {
    throw usage_error("-default-stream wants legacy, null or per-thread, not '" + kind + "'");
  }
}

std::function<void(options&, const std::string&)> refuse(const std::string& sentence) {
  return [sentence](options&, const std::string&) { throw usage_error(sentence); };
}

std::function<void(options&, const std::string&)> accept(const std::string& why) {
  return [why](options& o, const std::string&) { o.notes.push_back(why); };
}

const std::vector<option_rule>& rules() {
  using o = options;
  using s = std::string;
  static const s no_gpu_code = "makes GPU code; cohortcc compiles for the CPU. Use nvcc for that";
  // clang-format off: one option, one line
  static const std::vector<option_rule> table = {
      // What to make.
      {{"o", "output-file"}, takes::joined_value, [](o& x, const s& v) { x.output = v; }, "FILE       name of the output"},
      {{"odir", "output-directory"}, takes::value, [](o& x, const s& v) { x.output_folder = v; }, "DIR     folder of the outputs"},
      {{"c", "compile"}, takes::nothing, [](o& x, const s&) { x.what = action::compile; }, "           compile each source to one object file"},
      {{"dc", "device-c"}, takes::nothing, [](o& x, const s&) { x.what = action::compile; x.relocatable = true; }, "          the same, with -rdc=true"},
      {{"rdc", "relocatable-device-code"}, takes::value, [](o& x, const s& v) { x.relocatable = truth("rdc", v); }, "true|false  device code may use device code of other files (false)"},
      {{"dlink", "device-link"}, takes::nothing, [](o& x, const s&) { x.what = action::device_link; }, "       accepted: makes an empty object; the ordinary link does the work"},
      {{"E", "preprocess"}, takes::nothing, [](o& x, const s&) { x.what = action::preprocess; }, "           preprocess only (the host's view)"},
      {{"M", "generate-dependencies"}, takes::nothing, [](o& x, const s&) { x.what = action::dependencies; x.dependencies.push_back("-M"); }, "           print what a source includes; also -MM"},
      {{"MM", "generate-nonsystem-dependencies"}, takes::nothing, [](o& x, const s&) { x.what = action::dependencies; x.dependencies.push_back("-MM"); }, nullptr},
      {{"MD", "generate-dependencies-with-compile"}, takes::nothing, [](o& x, const s&) { x.write_dependencies = true; x.dependencies.push_back("-MD"); }, "          the same beside compiling; also -MMD -MF -MT -MQ -MP"},
      {{"MMD", "generate-nonsystem-dependencies-with-compile"}, takes::nothing, [](o& x, const s&) { x.write_dependencies = true; x.dependencies.push_back("-MMD"); }, nullptr},
      {{"MP", "generate-dependency-targets"}, takes::nothing, [](o& x, const s&) { x.dependencies.push_back("-MP"); }, nullptr},
      {{"MF", "dependency-output"}, takes::value, [](o& x, const s& v) { x.dependency_file = v; }, nullptr},
      {{"MT", "dependency-target-name"}, takes::value, [](o& x, const s& v) { x.dependency_target = v; }, nullptr},
      {{"MQ"}, takes::value, [](o& x, const s& v) { x.dependency_target = v; }, nullptr},
      {{"shared"}, takes::nothing, [](o& x, const s&) { x.shared = true; x.position_independent = true; }, "      link a shared library"},
      {{"ptx"}, takes::nothing, refuse("-ptx " + no_gpu_code), nullptr},
      {{"cubin"}, takes::nothing, refuse("-cubin " + no_gpu_code), nullptr},
      {{"fatbin"}, takes::nothing, refuse("-fatbin " + no_gpu_code), nullptr},
      {{"optix-ir"}, takes::nothing, refuse("-optix-ir " + no_gpu_code), nullptr},
      {{"S"}, takes::nothing, refuse("-S would need one assembly file of two passes; use -c and objdump -d"), nullptr},
      {{"lib"}, takes::nothing, refuse("-lib is not offered; compile with -c and use ar"), nullptr},
      {{"run"}, takes::nothing, refuse("-run is not offered; link with -o and start the program"), nullptr},
      // How to read the sources.
      {{"I", "include-path"}, takes::joined_value, [](o& x, const s& v) { add_include(x, "-I", v); }, "DIR        search DIR for headers"},
      {{"isystem", "system-include"}, takes::joined_value, [](o& x, const s& v) { add_include(x, "-isystem", v); }, "DIR  the same, without warnings from it"},
      {{"iquote"}, takes::joined_value, [](o& x, const s& v) { add_include(x, "-iquote", v); }, nullptr},
      {{"include", "pre-include"}, takes::value, [](o& x, const s& v) { x.frontend.insert(x.frontend.end(), {"-include", v}); }, "FILE  include FILE first"},
      {{"D", "define-macro"}, takes::joined_value, [](o& x, const s& v) { x.frontend.push_back("-D" + v); }, "NAME[=X]   define a macro"},
      {{"U", "undefine-macro"}, takes::joined_value, [](o& x, const s& v) { x.frontend.push_back("-U" + v); }, "NAME       remove a macro"},
      {{"std"}, takes::value, [](o& x, const s& v) { x.standard = at_least_cpp17(v); }, "c++NN    language version, at least and by default c++17"},
      {{"arch", "gpu-architecture"}, takes::value, [](o& x, const s& v) { set_arch(x, v); }, "sm_NN    the value of __CUDA_ARCH__ in device code (sm_90); also -gencode"},
      {{"gencode", "generate-code"}, takes::value, [](o& x, const s& v) { set_gencode(x, v); }, nullptr},
      {{"code", "gpu-code"}, takes::value, accept("-code names GPU code; there is none"), nullptr},
      // How to compile.
      {{"O", "optimize"}, takes::joined_value, [](o& x, const s& v) { x.optimization = v; }, "0|1|2|3|s  optimization (3; 0 with -g or, for device code, -G)"},
      {{"g", "debug"}, takes::nothing, [](o& x, const s&) { x.debug = true; }, "           debug information for host and device code"},
      {{"G", "device-debug"}, takes::nothing, [](o& x, const s&) { x.device_debug = true; }, "           device code with debug information and without optimization"},
      {{"lineinfo", "generate-line-info"}, takes::nothing, accept("line tables are always there"), nullptr},
      {{"use_fast_math"}, takes::nothing, [](o& x, const s&) { x.fast_math = true; }, " faster, less exact device arithmetic"},
      {{"fmad"}, takes::value, [](o& x, const s& v) { x.contract = truth("fmad", v); }, "true|false  contract a*b+c in device code (true)"},
      {{"cpu"}, takes::value, [](o& x, const s& v) { x.cpu = v; }, "NAME     compile device code for this CPU, as clang's -march (native)"},
      {{"cohort-report"}, takes::nothing, [](o& x, const s&) { x.report = true; }, "  print how each kernel runs: as a loop over threads or with a stack per thread"},
      {{"fPIC"}, takes::nothing, [](o& x, const s&) { x.position_independent = true; }, nullptr},
      {{"Xcompiler", "compiler-options"}, takes::value, [](o& x, const s& v) { for (auto& p : split(v, ',')) x.host.push_back(p); }, "A,B  options for clang's host pass and for C++ files"},
      {{"Xlinker", "linker-options"}, takes::value, [](o& x, const s& v) { for (auto& p : split(v, ',')) x.linker.push_back("-Wl," + p); }, "A,B  options for the linker"},
      {{"L", "library-path"}, takes::joined_value, [](o& x, const s& v) { x.linker.push_back("-L" + v); }, "DIR        search DIR for libraries"},
      {{"l", "library"}, takes::joined_value, [](o& x, const s& v) { if (!is_cuda_runtime(v)) x.linker.push_back("-l" + v); }, "NAME       link a library"},
      {{"w", "disable-warnings"}, takes::nothing, [](o& x, const s&) { x.frontend.push_back("-w"); }, "           no warnings; -Wall, -Werror and clang's other -W options are known"},
      {{"Werror"}, takes::nothing, [](o& x, const s&) { x.frontend.push_back("-Werror"); }, nullptr},
      {{"pthread"}, takes::nothing, [](o& x, const s&) { x.frontend.push_back("-pthread"); }, nullptr},
      {{"x"}, takes::value, [](o&, const s&) {}, "cu          treat all sources as CUDA"},
      {{"v", "verbose"}, takes::nothing, [](o& x, const s&) { x.verbose = true; }, "           print the commands that are run"},
      {{"dryrun"}, takes::nothing, [](o& x, const s&) { x.dry_run = true; }, "      print the commands and run nothing"},
      {{"h", "help"}, takes::nothing, [](o& x, const s&) { x.help = true; }, "           print this"},
      {{"V", "version"}, takes::nothing, [](o& x, const s&) { x.version = true; }, "           print the version"},
      // Accepted: they ask for what is there anyway, or for what only a GPU has.
      {{"expt-relaxed-constexpr"}, takes::nothing, accept("constexpr functions work on the device always"), nullptr},
      {{"expt-extended-lambda", "extended-lambda"}, takes::nothing, accept("device lambdas work always"), nullptr},
      {{"ccbin", "compiler-bindir"}, takes::value, accept("-ccbin is not used: clang compiles both sides"), nullptr},
      {{"Xptxas", "ptxas-options"}, takes::value, accept("ptxas does not run"), nullptr},
      {{"Xnvlink", "nvlink-options"}, takes::value, accept("nvlink does not run"), nullptr},
      {{"Xcudafe"}, takes::value, accept("cudafe++ does not run"), nullptr},
      {{"Xfatbin", "fatbin-options"}, takes::value, accept("fatbinary does not run"), nullptr},
      {{"maxrregcount"}, takes::value, accept("registers are the CPU compiler's business"), nullptr},
      {{"t", "threads"}, takes::value, accept("the two passes run side by side"), nullptr},
      {{"split-compile"}, takes::value, accept("the two passes run side by side"), nullptr},
      {{"cudart"}, takes::value, accept("libcohort_cpu.a is linked"), nullptr},
      {{"cudadevrt"}, takes::value, accept("libcohort_cpu.a is linked"), nullptr},
      {{"default-stream"}, takes::value, set_default_stream, nullptr},
      {{"m", "machine"}, takes::joined_value, [](o&, const s& v) { if (v != "64") throw usage_error("only -m64 is possible"); }, nullptr},
      {{"diag-suppress"}, takes::value, accept("diagnostic numbers are nvcc's"), nullptr},
      {{"diag-warn"}, takes::value, accept("diagnostic numbers are nvcc's"), nullptr},
      {{"diag-error"}, takes::value, accept("diagnostic numbers are nvcc's"), nullptr},
      {{"display-error-number"}, takes::nothing, accept("diagnostic numbers are nvcc's"), nullptr},
      {{"ftz"}, takes::value, accept("denormals are kept"), nullptr},
      {{"prec-div"}, takes::value, accept("division is exact"), nullptr},
      {{"prec-sqrt"}, takes::value, accept("square roots are exact"), nullptr},
      {{"restrict"}, takes::nothing, accept("pointers are not assumed to be __restrict__"), nullptr},
      {{"extra-device-vectorization"}, takes::nothing, accept("vectorization is on"), nullptr},
      {{"resource-usage", "res-usage"}, takes::nothing, accept("registers are the CPU compiler's business"), nullptr},
      {{"allow-unsupported-compiler"}, takes::nothing, accept("clang compiles both sides"), nullptr},
      {{"keep"}, takes::nothing, accept("there are no files between source and object; see --verbose"), nullptr},
      {{"forward-unknown-to-host-compiler"}, takes::nothing, accept("unknown options are refused"), nullptr},
  };
  // clang-format on
  return table;
}

const option_rule* find_rule(const std::string& name) {
  for (const auto& rule : rules()) {
    if (std::find(rule.names.begin(), rule.names.end(), name) != rule.names.end()) {
      return &rule;
    }
  }
  return nullptr;
}

// Rule and value of `-Idir`: a one- or many-letter option with its value joined on.
const option_rule* find_joined(const std::string& word, std::string& value) {
  const option_rule* best = nullptr;
  size_t length = 0;
  for (const auto& rule : rules()) {
    if (rule.argument != takes::joined_value) {
      continue;
    }
    const std::string& name = rule.names.front();
    if (name.size() > length && word.size() > name.size() && word.compare(0, name.size(), name) == 0) {
      best = &rule;
      length = name.size();
    }
  }
  if (best) {
    value = word.substr(length + (word[length] == '=' && best->names.front() != "D" ? 1 : 0));
  }
  return best;
}

size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

[[noreturn]] void refuse_unknown(const std::string& argument, const std::string& name) {
  std::string hint = "Pass clang's own options with -Xcompiler; --help lists what is known";
  size_t nearest = 3;
  for (const auto& rule : rules()) {
    for (const auto& known : rule.names) {
      if (known.size() > 2 && distance(name, known) < nearest) {
        nearest = distance(name, known);
        hint = "Did you mean " + std::string(known.size() > 12 ? "--" : "-") + known + "?";
      }
    }
  }
  throw usage_error("unknown option '" + argument + "'. " + hint);
}

input_file::kind kind_of(const std::string& path, bool all_cuda) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".cu") {
    return input_file::kind::cuda;
  }
  for (const char* cpp : {".cpp", ".cc", ".cxx", ".c++", ".C", ".c"}) {
    if (extension == cpp) {
      return all_cuda ? input_file::kind::cuda : extension == ".c" ? input_file::kind::c : input_file::kind::cpp;
    }
  }
  for (const char* object : {".o", ".a", ".so", ".obj", ".lo"}) {
    if (extension == object || path.find(".so.") != std::string::npos) {
      return input_file::kind::object;
    }
  }
  if (all_cuda) {
    return input_file::kind::cuda;
  }
  if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin") {
    throw usage_error("'" + path + "' holds GPU code; cohortcc compiles CUDA sources for the CPU");
  }
  throw usage_error("cannot tell what '" + path + "' is; give it the ending .cu or say -x cu");
}

// clang's own families of options that need no table of names.
bool takes_as_is(options& result, const std::string& argument) {
  if (argument.rfind("-W", 0) == 0) {
    if (argument == "-Wno-deprecated-gpu-targets") {
      return true;
    }
    const bool linker = argument.rfind("-Wl,", 0) == 0;
    (linker ? result.linker : result.frontend).push_back(argument);
    return true;
  }
  if (argument.rfind("-fsanitize", 0) == 0 || argument.rfind("-fno-sanitize", 0) == 0) {
    result.frontend.push_back(argument);
    result.linker.push_back(argument);
    return true;
  }
  return false;
}

}  // namespace

options parse_options(const std::vector<std::string>& arguments) {
  options result;
  bool all_cuda = false;
  std::vector<std::string> paths;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      paths.push_back(argument);
      continue;
    }
    const std::string word = argument.substr(argument[1] == '-' ? 2 : 1);
    if (word.rfind("Werror=", 0) == 0 && names_warning_kinds(word.substr(7))) {
      add_warning_kinds(result, word.substr(7));
      continue;
    }
    if (word == "Werror" && i + 1 < arguments.size() && names_warning_kinds(arguments[i + 1])) {
      add_warning_kinds(result, arguments[++i]);
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    const option_rule* rule = find_rule(word);
    if (!rule && takes_as_is(result, argument)) {
      continue;
    }
    if (!rule && equals != std::string::npos) {
      rule = find_rule(name);
      if (rule && rule->argument == takes::nothing) {
        throw usage_error("option -" + name + " takes no value");
      }
      value = word.substr(equals + 1);
    }
    if (!rule && argument[1] != '-') {
      std::string joined;
      rule = find_joined(word, joined);
      value = joined;
    }
    if (!rule) {
      refuse_unknown(argument, name);
    }
    if (rule->argument != takes::nothing && !value) {
      if (i + 1 == arguments.size()) {
        throw usage_error("option " + argument + " wants a value");
      }
      value = arguments[++i];
    }
    if (rule->names.front() == "x") {
      if (value != "cu" && value != "cuda") {
        throw usage_error("-x " + value.value_or("") + ": only cu is known");
      }
      all_cuda = true;
    }
    rule->apply(result, value.value_or(""));
  }
  for (const auto& path : paths) {
    result.inputs.push_back({path, kind_of(path, all_cuda)});
  }
  return result;
}

std::string help_text() {
  std::string text =
      "Usage: cohortcc [options] file...\n"
      "Compiles CUDA sources (.cu) for the CPU and links them with Cohort's runtime; C++ files and objects may be\n"
      "among the files. Options are nvcc's; each may be written with one dash or two.\n\n";
  for (const auto& rule : rules()) {
    if (rule.help) {
      const bool word = rule.names.front().size() > 12;
      text += std::string("  ") + (word ? "--" : "-") + rule.names.front() + " " + rule.help + "\n";
    }
  }
  text +=
      "\nEnvironment: COHORT_CLANG names the clang++ 19 to use; TMPDIR the folder for temporary files.\n"
      "An installed CUDA toolkit is never used.\n";
  return text;
}

}  // namespace cohort
