// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/option_table.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>

#include "options/words.hpp"

namespace cohort {
namespace {

// Replaces older standards by C++17, which the headers need. Sources for older compilers compile as C++17 too.
std::string at_least_cpp17(const std::string& standard) {
  for (const char* old : {"c++98", "c++03", "c++0x", "c++11", "c++1y", "c++14"}) {
    if (standard == old) return "c++17";
    if (standard == std::string("gnu") + (old + 1)) return "gnu++17";
  }
  return standard;
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

// Reads "sm_80" or "compute_90a". Of several architectures the highest one is set, as a GPU takes the newest code of a
// fat binary; of equal ones, the one with more features.
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
      const std::string features = digits.substr(used);
      if (used >= 2 && used <= 3 && (features.empty() || features == "a" || features == "f")) {
        const int arch = std::stoi(digits.substr(0, used));
        if (o.arch_given && arch < o.arch) {
          return;
        }
        if (!o.arch_given || arch > o.arch || features == "a" || o.arch_features == '\0') {
          o.arch_features = features.empty() ? '\0' : features[0];
        }
        o.arch = arch;
        o.arch_given = true;
        return;
      }
    }
  }
  throw usage_error("'" + name + "' is not an architecture; write it as in -arch=sm_80");
}

// Reads -arch. nvcc makes code of the architecture and PTX for later ones, or PTX only for -arch=compute_NN.
void set_arch_and_code(options& o, const std::string& name) {
  set_arch(o, name);
  if (o.code_given) {
    return;  // -code decides the code, whether it comes before or after -arch
  }
  o.gpu_code.clear();
  const size_t digits = name.find('_');
  if (digits == std::string::npos) {
    return;  // "native", "all"
  }
  o.gpu_code.push_back("compute" + name.substr(digits));
  if (name.rfind("sm_", 0) == 0) {
    o.gpu_code.push_back(name);
  }
}

// Adds a list such as "[sm_80,compute_80]". Code for the linker becomes code of the architecture.
void add_code(options& o, std::string list) {
  std::erase_if(list, [](char c) { return c == '[' || c == ']' || c == '"' || c == '\''; });
  for (const auto& part : split_list(list)) {
    o.gpu_code.push_back(part.rfind("lto_", 0) == 0 ? "sm_" + part.substr(4) : part);
  }
}

// Reads -code, which replaces the code of -arch.
void set_code(options& o, const std::string& list) {
  o.gpu_code.clear();
  o.code_given = true;
  add_code(o, list);
}

// Reads arch=compute_80,code=[sm_80,compute_80] of -gencode.
void set_gencode(options& o, const std::string& value) {
  const size_t code = value.find("code=");
  for (const auto& part : split_list(value)) {
    if (part.rfind("arch=", 0) == 0) {
      set_arch(o, part.substr(5));
      add_code(o, code == std::string::npos ? part.substr(5) : value.substr(code + 5));
      return;
    }
  }
  throw usage_error("-gencode takes arch=compute_XX,code=sm_XX, not '" + value + "'");
}

// True for CUDA's own runtime libraries, which libcohort_cpu.a replaces.
bool is_cuda_runtime(const std::string& library) {
  return library == "cudart" || library == "cudart_static" || library == "cudadevrt" || library == "cuda";
}

// True for the include folder of a CUDA toolkit, whose headers would hide Cohort's.
bool is_toolkit(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / "crt" / "host_runtime.h", ignored);
}

// True for the folder of Cohort's own headers. They are searched as system headers: no warnings come from them, and the
// plugin distinguishes them from users' headers.
bool is_cohort(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / "cohort" / "machine" / "cpu" / "port.hpp", ignored);
}

void add_include(options& o, const std::string& flag, const std::string& folder) {
  if (is_toolkit(folder)) {
    o.notes.push_back("the CUDA toolkit's folder " + folder + " is not used");
  } else if (is_cohort(folder)) {
    o.notes.push_back("Cohort's headers are found without " + flag + " " + folder);
  } else {
    o.frontend.insert(o.frontend.end(), {flag, folder});
  }
}

void set_default_stream(options& o, const std::string& kind) {
  if (kind != "legacy" && kind != "null" && kind != "per-thread") {
    throw usage_error("-default-stream takes legacy, null or per-thread, not '" + kind + "'");
  }
  o.stream_per_thread = kind == "per-thread";
}

// Defines a macro. The one that sets the default stream for headers of the runtime API must affect launches as well.
void define_macro(options& o, const std::string& macro) {
  const std::string name = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
  if (macro == name || macro.rfind(name + "=", 0) == 0) {
    o.stream_per_thread = true;
  } else {
    o.frontend.push_back("-D" + macro);
  }
}

using effect = std::function<void(options&, const std::string& value)>;

void no_effect(options&, const std::string&) {}

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

// Appends each word of the value, which commas and spaces separate.
effect append_words(std::vector<std::string> options::* words, const std::string& prefix) {
  return [words, prefix](options& o, const std::string& value) {
    for (const auto& word : split_passed_options(value)) {
      (o.*words).push_back(prefix + word);
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

effect make_image(const std::string& ending) {
  return [ending](options& o, const std::string&) {
    o.what = action::image;
    o.position_independent = true;
    o.image_ending = ending;
  };
}

// Widths of a gang: whole warps, and at most as many lanes as a barrier-bound block of usual size has.
const char* const gang_widths[] = {"32", "64", "128", "256"};

void set_gangs(options& o, const std::string& value) {
  const bool forces = value.rfind("force=", 0) == 0 && std::find(std::begin(gang_widths), std::end(gang_widths),
                                                                 value.substr(6)) != std::end(gang_widths);
  if (value != "auto" && value != "all" && value != "off" && !forces) {
    throw usage_error("--cohort-gangs takes auto, all, off, or force=W with a width W of 32, 64, 128 or 256, not '" +
                      value + "'");
  }
  o.gangs = value;
}

const char* const check_kinds[] = {"race", "memory", "sync"};

// The words of --check=race,memory. `--check` without a list, or "all" in it, chooses all kinds: `checks` is then
// empty.
void set_check(options& o, const std::string& list) {
  o.check = true;
  o.checks.clear();
  bool all = list.empty();
  std::string word, unknown;
  for (std::istringstream words(list + ","); std::getline(words, word, ',');) {
    const bool is_kind = std::find(std::begin(check_kinds), std::end(check_kinds), word) != std::end(check_kinds);
    if (!list.empty() && !is_kind && word != "all") unknown += (unknown.empty() ? "'" : ", '") + word + "'";
    all = all || word == "all";
    if (is_kind && std::find(o.checks.begin(), o.checks.end(), word) == o.checks.end()) o.checks.push_back(word);
  }
  if (!unknown.empty()) {
    throw usage_error("--check takes race, memory and sync, separated by commas, or all, and not " + unknown);
  }
  if (all || o.checks.size() == std::size(check_kinds)) o.checks.clear();
}

void set_cpus(options& o, const std::string& list) {
  o.cpus = split_list(list);
  if (o.cpus.size() != 1 + static_cast<size_t>(std::count(list.begin(), list.end(), ','))) {
    throw usage_error("--cpu takes the names of CPUs, as in --cpu=x86-64-v3,x86-64-v4, not '" + list + "'");
  }
}

void set_standard(options& o, const std::string& standard) { o.standard = at_least_cpp17(standard); }

void link_library(options& o, const std::string& library) {
  if (!is_cuda_runtime(library)) {
    o.linker.push_back("-l" + library);
  }
}

// Accepts nvcc's -m64, and passes options such as -march=native to the host compiler.
void set_machine(options& o, const std::string& value) {
  if (value == "32" || value == "16" || value == "x32") {
    throw usage_error("-m" + value + " is not supported; cohortcc makes 64-bit programs, use -m64 or nothing");
  }
  if (value != "64") {
    o.host.push_back("-m" + value);
  }
}

// Chooses among the versions of CUDA whose numbers the headers have.
void set_cuda_version(options& o, const std::string& version) {
  if (version.size() != 4 || version.rfind("13.", 0) != 0 || version[3] < '0' || version[3] > '5') {
    throw usage_error("--cuda-version takes 13.0 to 13.5, not '" + version + "'");
  }
  o.cuda_minor = version[3] - '0';
}

void set_math(options& o, const std::string& library) {
  if (library != "sleef" && library != "libm") {
    throw usage_error("--cohort-math takes sleef or libm, not '" + library + "'");
  }
  o.math = library;
}

void set_optimization(options& o, const std::string& level) {
  for (const char* known : {"0", "1", "2", "3", "s"}) {
    if (level == known) {
      o.optimization = level;
      return;
    }
  }
  throw usage_error("-O takes 0, 1, 2, 3 or s, not '" + level + "'");
}

void set_language(options& o, const std::string& name) {
  if (name == "cu" || name == "cuda") {
    o.language = input_file::kind::cuda;
  } else if (name == "c++") {
    o.language = input_file::kind::cpp;
  } else if (name == "c") {
    o.language = input_file::kind::c;
  } else {
    throw usage_error("-x takes cu, c++ or c, not '" + name + "'");
  }
}

void set_runtime(options& o, const std::string& kind) {
  if (kind != "static" && kind != "shared" && kind != "none") {
    throw usage_error("-cudart takes static, shared or none, not '" + kind + "'");
  }
  o.runtime = kind;
}

void profile(options& o, const std::string&) {
  o.host.push_back("-pg");  // host code and the link; kernels run on stacks of their own
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
      {{"fatbin"}, takes::nothing, "", make_image(".fatbin"),
       "make an image of a source's kernels, which a program loads with cuModuleLoad; also -cubin"},
      {{"cubin"}, takes::nothing, "", make_image(".cubin"), ""},
      {{"ptx"}, takes::nothing, "", make_image(".ptx"), "make the image as a text; it is no PTX"},
      {{"make-preamble"}, takes::nothing, "", make(action::preamble),
       "precompile the headers that each source with these options includes first"},
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
      {{"cccl"}, takes::value, "DIR", set(&o::cccl),
       "use CUB, Thrust and libcu++ of this folder (by default an installed Python package nvidia-cuda-cccl)"},
      {{"include", "pre-include"}, takes::value, "FILE", include_first, "include FILE first"},
      {{"D", "define-macro"}, takes::joined_value, "NAME[=X]", define_macro, "define a macro"},
      {{"U", "undefine-macro"}, takes::joined_value, "NAME", append(&o::frontend, "-U"), "remove a macro"},
      {{"std"}, takes::value, "c++NN", set_standard, "language version, at least and by default c++17"},
      {{"arch", "gpu-architecture"}, takes::value, "sm_NN", set_arch_and_code,
       "the value of __CUDA_ARCH__ in device code (sm_90); also -gencode"},
      {{"cuda-version"}, takes::value, "13.N", set_cuda_version,
       "the version of CUDA that the headers, --version and cudaRuntimeGetVersion name, 13.0 to 13.5 (13.0)"},
      // Compilation and link.
      {{"O", "optimize"}, takes::joined_value, "0|1|2|3|s", set_optimization,
       "optimization (3; 0 for host code with -g and for device code with -G)"},
      {{"g", "debug"}, takes::nothing, "", set(&o::debug), "debug information for host code; device code has lines always"},
      {{"G", "device-debug"}, takes::nothing, "", set(&o::device_debug),
       "device code with debug information and without optimization"},
      {{"extended-lambda", "expt-extended-lambda"}, takes::nothing, "", set(&o::extended_lambda),
       "includes <functional>; device lambdas work always"},
      {{"use_fast_math"}, takes::nothing, "", set(&o::fast_math), "faster, less exact device arithmetic"},
      {{"fmad"}, takes::value, "true|false", set_truth(&o::contract, "fmad"), "contract a*b+c in device code (true)"},
      {{"cpu"}, takes::value, "A[,B]", set_cpus,
       "compile device code for CPU A, as clang's -march, and kernels for CPU B too (native, see docs/cohortcc.md)"},
      {{"cohort-math"}, takes::value, "sleef|libm", set_math,
       "library of device mathematics (sleef: equal bits in scalar and vector code); libm: the C library"},
      {{"cohort-report"}, takes::nothing, "", set(&o::report),
       "print how each kernel runs: as a loop over threads or with a stack per thread"},
      {{"cohort-gangs"}, takes::value, "auto|all|off|force=W", set_gangs,
       "run lanes as vectors: where it pays, in all widths also in a large source, never, or W (32 .. 256) at once (auto)"},
      {{"check"}, takes::optional_value, "race,memory,sync|all", set_check,
       "find data races, wrong memory accesses, wrong synchronisation, or some of these, while the program runs (all)"},
      {{"count"}, takes::nothing, "", set(&o::count),
       "count the memory transactions of a GPU, by line, while the program runs with COHORT_COUNT=report.json"},
      {{"Xcompiler", "compiler-options"}, takes::value, "A,B", append_words(&o::host, ""),
       "options for clang's host pass and for C++ files"},
      {{"Xlinker", "linker-options"}, takes::value, "A,B", append_words(&o::linker, "-Wl,"), "options for the linker"},
      {{"L", "library-path"}, takes::joined_value, "DIR", append(&o::linker, "-L"), "search DIR for libraries"},
      {{"l", "library"}, takes::joined_value, "NAME", link_library, "link a library"},
      {{"w", "disable-warnings"}, takes::nothing, "", append(&o::frontend, "-w"),
       "no warnings; by default those of nvcc appear, with -Wall and other -W options also clang's"},
      {{"Xdevice", "device-options"}, takes::value, "A,B", append_words(&o::device, ""),
       "options for clang's device pass"},
      {{"cudart"}, takes::value, "static|shared|none", set_runtime,
       "the form of Cohort's runtime that is linked (static; shared for -shared)"},
      {{"x"}, takes::value, "cu|c++|c", set_language, "treat all sources as sources of this language"},
      {{"v", "verbose"}, takes::nothing, "", set(&o::verbose), "print the commands that are run"},
      {{"dryrun"}, takes::nothing, "", set(&o::dry_run), "print the commands and run nothing"},
      {{"h", "help"}, takes::nothing, "", set(&o::help), "print this"},
      {{"V", "version"}, takes::nothing, "", set(&o::version), "print the version"},
  };
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the functions in the table own what they hold

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
      {{"code", "gpu-code"}, takes::value, "", set_code, ""},
      {{"fPIC"}, takes::nothing, "", set(&o::position_independent), ""},
      {{"expt-relaxed-constexpr"}, takes::nothing, "", set(&o::relaxed_constexpr), ""},
      {{"pthread"}, takes::nothing, "", append(&o::frontend, "-pthread"), ""},
      {{"default-stream"}, takes::value, "", set_default_stream, ""},
      {{"m", "machine"}, takes::joined_value, "", set_machine, ""},
      {{"m64"}, takes::nothing, "", no_effect, ""},
      {{"dw", "device-w"}, takes::nothing, "", make(action::compile), ""},
      {{"link"}, takes::nothing, "", make(action::link), ""},
      {{"lib"}, takes::nothing, "", make(action::archive), ""},
      {{"arbin", "archiver-binary"}, takes::value, "", set(&o::archiver), ""},
      {{"Xarchive", "archive-options"}, takes::value, "", append_words(&o::archive, ""), ""},
      {{"pg", "profile"}, takes::nothing, "", profile, ""},
      {{"noeh", "no-exceptions"}, takes::nothing, "", append(&o::host, "-fno-exceptions"), ""},
      {{"ftemplate-depth"}, takes::value, "", append(&o::frontend, "-ftemplate-depth="), ""},
      {{"ftemplate-backtrace-limit"}, takes::value, "", append(&o::frontend, "-ftemplate-backtrace-limit="), ""},
      // The parser reads these ahead of all others.
      {{"forward-unknown-to-host-compiler"}, takes::nothing, "", no_effect, ""},
      {{"forward-unknown-to-host-linker"}, takes::nothing, "", no_effect, ""},
      {{"forward-unknown-opts"}, takes::nothing, "", no_effect, ""},
      {{"arch-ls", "list-gpu-arch"}, takes::nothing, "", set(&o::list_architectures), ""},
      {{"code-ls", "list-gpu-code"}, takes::nothing, "", set(&o::list_code), ""},
  };
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the functions in the table own what they hold

// clang-format on

}  // namespace

const std::vector<option_rule>& option_rules() {
  static const std::vector<option_rule> rules = [] {
    std::vector<option_rule> all = listed_options();
    for (const auto& more : {warning_options(), unlisted_options(), refused_options(), meaningless_options()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return rules;
}

}  // namespace cohort
