// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "option_table.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace cohort {
namespace {

// The headers need C++17. Build files for older compilers pass older versions; their sources compile as C++17 too.
std::string at_least_cpp17(const std::string& standard) {
  for (const char* old : {"c++98", "c++03", "c++0x", "c++11", "c++1y", "c++14"}) {
    if (standard == old) return "c++17";
    if (standard == std::string("gnu") + (old + 1)) return "gnu++17";
  }
  return standard;
}

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
  throw usage_error("-" + option + " takes true or false, not '" + value + "'");
}

// Reads "sm_80" or "compute_90a". The highest architecture named counts, as does the newest code of a fat binary.
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
  throw usage_error("'" + name + "' is not an architecture; write it as in -arch=sm_80");
}

// Reads arch= of -gencode. Its code=[sm_80,compute_80] repeats the architectures.
void set_gencode(options& o, const std::string& value) {
  for (const auto& part : split(value, ',')) {
    if (part.rfind("arch=", 0) == 0) {
      set_arch(o, part.substr(5));
      return;
    }
  }
  throw usage_error("-gencode takes arch=compute_XX,code=sm_XX, not '" + value + "'");
}

// CUDA's own runtime libraries. libcohort_cpu.a replaces them.
bool is_cuda_runtime(const std::string& library) {
  return library == "cudart" || library == "cudart_static" || library == "cudadevrt" || library == "cuda";
}

// Headers of a CUDA toolkit's folder would hide Cohort's.
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

// The kinds of warnings that nvcc's -Werror takes. clang has some of them only.
const char* const warning_kinds[] = {"all-warnings",
                                     "cross-execution-space-call",
                                     "default-stream-launch",
                                     "deprecated-declarations",
                                     "ext-lambda-captures-this",
                                     "reorder"};

void set_default_stream(options&, const std::string& kind) {
  if (kind == "per-thread") {
    throw usage_error("-default-stream per-thread is not supported; pass cudaStreamPerThread as the stream instead");
  }
  if (kind != "legacy" && kind != "null") {
    throw usage_error("-default-stream takes legacy, null or per-thread, not '" + kind + "'");
  }
}

using effect = std::function<void(options&, const std::string& value)>;

effect set(bool options::* flag) {
  return [flag](options& o, const std::string&) { o.*flag = true; };
}

effect set(bool options::* first, bool options::* second) {
  return [first, second](options& o, const std::string&) { o.*first = o.*second = true; };
}

effect set(std::string options::* text) {
  return [text](options& o, const std::string& value) { o.*text = value; };
}

effect set_truth(bool options::* flag, const std::string& name) {
  return [flag, name](options& o, const std::string& value) { o.*flag = truth(name, value); };
}

effect make(action what) {
  return [what](options& o, const std::string&) { o.what = what; };
}

// Appends `prefix` with the value joined on to a list of words.
effect append(std::vector<std::string> options::* words, const std::string& prefix) {
  return [words, prefix](options& o, const std::string& value) { (o.*words).push_back(prefix + value); };
}

// Appends each part of the value, which commas separate.
effect append_parts(std::vector<std::string> options::* words, const std::string& prefix) {
  return [words, prefix](options& o, const std::string& value) {
    for (const auto& part : split(value, ',')) {
      (o.*words).push_back(prefix + part);
    }
  };
}

effect include_folder(const std::string& flag) {
  return [flag](options& o, const std::string& folder) { add_include(o, flag, folder); };
}

effect print_dependencies(const std::string& flag) {
  return [flag](options& o, const std::string&) {
    o.what = action::dependencies;
    o.dependencies.push_back(flag);
  };
}

effect write_dependencies(const std::string& flag) {
  return [flag](options& o, const std::string&) {
    o.write_dependencies = true;
    o.dependencies.push_back(flag);
  };
}

void include_first(options& o, const std::string& file) { o.frontend.insert(o.frontend.end(), {"-include", file}); }

void compile_device_code(options& o, const std::string&) {
  o.what = action::compile;
  o.relocatable = true;
}

// Widths of a gang: whole warps, and at most as many lanes as a barrier-bound block of usual size has.
const char* const gang_widths[] = {"32", "64", "128", "256"};

void set_gangs(options& o, const std::string& value) {
  const bool forces = value.rfind("force=", 0) == 0 && std::find(std::begin(gang_widths), std::end(gang_widths),
                                                                 value.substr(6)) != std::end(gang_widths);
  if (value != "auto" && value != "off" && !forces) {
    throw usage_error("--cohort-gangs takes auto, off, or force=W with a width W of 32, 64, 128 or 256, not '" + value +
                      "'");
  }
  o.gangs = value;
}

void set_standard(options& o, const std::string& standard) { o.standard = at_least_cpp17(standard); }

void link_library(options& o, const std::string& library) {
  if (!is_cuda_runtime(library)) {
    o.linker.push_back("-l" + library);
  }
}

void set_machine(options&, const std::string& bits) {
  if (bits != "64") {
    throw usage_error("-m" + bits + " is not supported; cohortcc makes 64-bit programs, use -m64 or nothing");
  }
}

effect refuse(const std::string& sentence) {
  return [sentence](options&, const std::string&) { throw usage_error(sentence); };
}

effect accept(const std::string& note) {
  return [note](options& o, const std::string&) { o.notes.push_back(note); };
}

// clang-format off: one option, one row
std::vector<option_rule> listed_options() {
  using o = options;
  return {
      // Output.
      {{"o", "output-file"}, takes::joined_value, "FILE", set(&o::output), "name of the output"},
      {{"odir", "output-directory"}, takes::value, "DIR", set(&o::output_folder), "folder of the outputs"},
      {{"c", "compile"}, takes::nothing, "", make(action::compile), "compile each source to one object file"},
      {{"dc", "device-c"}, takes::nothing, "", compile_device_code, "short for -c -rdc=true"},
      {{"rdc", "relocatable-device-code"}, takes::value, "true|false", set_truth(&o::relocatable, "rdc"),
       "device code may use device code of other files (false)"},
      {{"dlink", "device-link"}, takes::nothing, "", make(action::device_link),
       "make an empty object; the ordinary link does the work"},
      {{"E", "preprocess"}, takes::nothing, "", make(action::preprocess), "preprocess only (the host's view)"},
      {{"M", "generate-dependencies"}, takes::nothing, "", print_dependencies("-M"),
       "print what a source includes; also -MM"},
      {{"MD", "generate-dependencies-with-compile"}, takes::nothing, "", write_dependencies("-MD"),
       "write what a source includes beside the object; also -MMD -MF -MT -MQ -MP"},
      {{"shared"}, takes::nothing, "", set(&o::shared, &o::position_independent), "link a shared library"},
      // Reading of the sources.
      {{"I", "include-path"}, takes::joined_value, "DIR", include_folder("-I"), "search DIR for headers"},
      {{"isystem", "system-include"}, takes::joined_value, "DIR", include_folder("-isystem"),
       "search DIR for headers, without warnings from them"},
      {{"include", "pre-include"}, takes::value, "FILE", include_first, "include FILE first"},
      {{"D", "define-macro"}, takes::joined_value, "NAME[=X]", append(&o::frontend, "-D"), "define a macro"},
      {{"U", "undefine-macro"}, takes::joined_value, "NAME", append(&o::frontend, "-U"), "remove a macro"},
      {{"std"}, takes::value, "c++NN", set_standard, "language version, at least and by default c++17"},
      {{"arch", "gpu-architecture"}, takes::value, "sm_NN", set_arch,
       "the value of __CUDA_ARCH__ in device code (sm_90); also -gencode"},
      // Compilation and link.
      {{"O", "optimize"}, takes::joined_value, "0|1|2|3|s", set(&o::optimization),
       "optimization (3; 0 with -g or, for device code, -G)"},
      {{"g", "debug"}, takes::nothing, "", set(&o::debug), "debug information for host and device code"},
      {{"G", "device-debug"}, takes::nothing, "", set(&o::device_debug),
       "device code with debug information and without optimization"},
      {{"use_fast_math"}, takes::nothing, "", set(&o::fast_math), "faster, less exact device arithmetic"},
      {{"fmad"}, takes::value, "true|false", set_truth(&o::contract, "fmad"), "contract a*b+c in device code (true)"},
      {{"cpu"}, takes::value, "NAME", set(&o::cpu), "compile device code for this CPU, as clang's -march (native)"},
      {{"cohort-report"}, takes::nothing, "", set(&o::report),
       "print how each kernel runs: as a loop over threads or with a stack per thread"},
      {{"cohort-gangs"}, takes::value, "auto|off|force=W", set_gangs,
       "run lanes as vectors: where it pays, never, or W (32, 64, 128, 256) at once wherever possible (auto)"},
      {{"Xcompiler", "compiler-options"}, takes::value, "A,B", append_parts(&o::host, ""),
       "options for clang's host pass and for C++ files"},
      {{"Xlinker", "linker-options"}, takes::value, "A,B", append_parts(&o::linker, "-Wl,"), "options for the linker"},
      {{"L", "library-path"}, takes::joined_value, "DIR", append(&o::linker, "-L"), "search DIR for libraries"},
      {{"l", "library"}, takes::joined_value, "NAME", link_library, "link a library"},
      {{"w", "disable-warnings"}, takes::nothing, "", append(&o::frontend, "-w"),
       "no warnings; -Wall, -Werror and clang's other -W options are known"},
      {{"x"}, takes::value, "cu", [](options&, const std::string&) {}, "treat all sources as CUDA"},
      {{"v", "verbose"}, takes::nothing, "", set(&o::verbose), "print the commands that are run"},
      {{"dryrun"}, takes::nothing, "", set(&o::dry_run), "print the commands and run nothing"},
      {{"h", "help"}, takes::nothing, "", set(&o::help), "print this"},
      {{"V", "version"}, takes::nothing, "", set(&o::version), "print the version"},
  };
}

// Options with an effect that --help leaves out.
std::vector<option_rule> unlisted_options() {
  using o = options;
  return {
      {{"MM", "generate-nonsystem-dependencies"}, takes::nothing, "", print_dependencies("-MM"), ""},
      {{"MMD", "generate-nonsystem-dependencies-with-compile"}, takes::nothing, "", write_dependencies("-MMD"), ""},
      {{"MP", "generate-dependency-targets"}, takes::nothing, "", append(&o::dependencies, "-MP"), ""},
      {{"MF", "dependency-output"}, takes::value, "", set(&o::dependency_file), ""},
      {{"MT", "dependency-target-name"}, takes::value, "", set(&o::dependency_target), ""},
      {{"MQ"}, takes::value, "", set(&o::dependency_target), ""},
      {{"iquote"}, takes::joined_value, "", include_folder("-iquote"), ""},
      {{"gencode", "generate-code"}, takes::value, "", set_gencode, ""},
      {{"fPIC"}, takes::nothing, "", set(&o::position_independent), ""},
      {{"Werror"}, takes::nothing, "", append(&o::frontend, "-Werror"), ""},
      {{"pthread"}, takes::nothing, "", append(&o::frontend, "-pthread"), ""},
      {{"default-stream"}, takes::value, "", set_default_stream, ""},
      {{"m", "machine"}, takes::joined_value, "", set_machine, ""},
  };
}

// Options for GPU code or for a step that cohortcc does not have.
std::vector<option_rule> refused_options() {
  auto row = [](const char* name, const std::string& sentence) {
    return option_rule{{name}, takes::nothing, "", refuse(sentence), ""};
  };
  const std::string no_gpu_code = "makes GPU code; cohortcc compiles for the CPU. Use nvcc for that";
  return {
      row("ptx", "-ptx " + no_gpu_code),
      row("cubin", "-cubin " + no_gpu_code),
      row("fatbin", "-fatbin " + no_gpu_code),
      row("optix-ir", "-optix-ir " + no_gpu_code),
      row("S", "-S would need one assembly file of two passes; use -c and objdump -d"),
      row("lib", "-lib is not offered; compile with -c and use ar"),
      row("run", "-run is not offered; link with -o and start the program"),
  };
}

// Options without an effect: what they request holds anyway, or exists only on a GPU. --verbose prints the note.
std::vector<option_rule> accepted_options() {
  auto row = [](std::vector<std::string> names, takes argument, const char* note) {
    return option_rule{std::move(names), argument, "", accept(note), ""};
  };
  return {
      row({"code", "gpu-code"}, takes::value, "-code names GPU code; there is none"),
      row({"lineinfo", "generate-line-info"}, takes::nothing, "line tables are always there"),
      row({"expt-relaxed-constexpr"}, takes::nothing, "constexpr functions work on the device always"),
      row({"expt-extended-lambda", "extended-lambda"}, takes::nothing, "device lambdas work always"),
      row({"ccbin", "compiler-bindir"}, takes::value, "-ccbin is not used: clang compiles both sides"),
      row({"Xptxas", "ptxas-options"}, takes::value, "ptxas does not run"),
      row({"Xnvlink", "nvlink-options"}, takes::value, "nvlink does not run"),
      row({"Xcudafe"}, takes::value, "cudafe++ does not run"),
      row({"Xfatbin", "fatbin-options"}, takes::value, "fatbinary does not run"),
      row({"maxrregcount"}, takes::value, "clang allocates the CPU's registers"),
      row({"t", "threads"}, takes::value, "the two passes run side by side"),
      row({"split-compile"}, takes::value, "the two passes run side by side"),
      row({"cudart"}, takes::value, "libcohort_cpu.a is linked"),
      row({"cudadevrt"}, takes::value, "libcohort_cpu.a is linked"),
      row({"diag-suppress"}, takes::value, "diagnostic numbers are nvcc's"),
      row({"diag-warn"}, takes::value, "diagnostic numbers are nvcc's"),
      row({"diag-error"}, takes::value, "diagnostic numbers are nvcc's"),
      row({"display-error-number"}, takes::nothing, "diagnostic numbers are nvcc's"),
      row({"ftz"}, takes::value, "denormals are kept"),
      row({"prec-div"}, takes::value, "division is exact"),
      row({"prec-sqrt"}, takes::value, "square roots are exact"),
      row({"restrict"}, takes::nothing, "pointers are not assumed to be __restrict__"),
      row({"extra-device-vectorization"}, takes::nothing, "vectorization is on"),
      row({"resource-usage", "res-usage"}, takes::nothing, "clang allocates the CPU's registers"),
      row({"allow-unsupported-compiler"}, takes::nothing, "clang compiles both sides"),
      row({"keep"}, takes::nothing, "there are no files between source and object; see --verbose"),
      row({"forward-unknown-to-host-compiler"}, takes::nothing, "unknown options are refused"),
  };
}
// clang-format on

}  // namespace

const std::vector<option_rule>& option_rules() {
  static const std::vector<option_rule> rules = [] {
    std::vector<option_rule> all = listed_options();
    for (const auto& more : {unlisted_options(), refused_options(), accepted_options()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return rules;
}

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

}  // namespace cohort
