// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc's command line, in nvcc's spelling.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cohort {

// Wrong use of the command; `what()` is the whole sentence.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class action { link, compile, preprocess, dependencies, device_link, archive, image, preamble };

struct input_file {
  std::string path;
  enum class kind { cuda, cpp, c, object, unknown } type;

  bool is_standard_input() const { return path == "-"; }
};

struct options {
  action what = action::link;
  std::vector<input_file> inputs;
  std::string output;
  std::string output_folder;
  std::string standard = "c++17";
  std::string optimization;   // "0".."3", "s"; empty: 3, or 0 for host code with -g and device code with -G
  bool debug = false;         // -g
  bool device_debug = false;  // -G
  bool relocatable = false;   // -rdc=true
  bool fast_math = false;
  bool extended_lambda = false;
  bool contract = true;  // -fmad
  bool shared = false;
  std::string image_ending;  // ending of an image's default name: ".fatbin", ".cubin", or ".ptx" for an image as a text
  bool position_independent = false;
  bool verbose = false;
  bool dry_run = false;
  bool report = false;         // --cohort-report
  bool check = false;          // --check
  bool count = false;          // --count
  std::string gangs = "auto";  // --cohort-gangs: auto, off or force=W
  bool help = false, version = false;
  bool list_architectures = false, list_code = false;
  std::optional<input_file::kind> language;  // -x
  std::string runtime;                       // -cudart; empty: static, or shared for -shared
  int arch = 90;                             // compute capability times ten
  char arch_features = '\0';                 // 'a' or 'f' after `arch`: its features, or those of its family
  bool arch_given = false;
  // The code of a fat binary, as -arch, -code and -gencode name it: "sm_90", "compute_90a". Empty: code for each GPU.
  std::vector<std::string> gpu_code;
  bool code_given = false;            // -code
  std::vector<std::string> cpus;      // --cpu: first that of all code, then those of further versions; empty: default
  int cuda_minor = 0;                 // --cuda-version=13.N
  std::string cccl;                   // --cccl: a folder of CCCL
  std::string math = "sleef";         // --cohort-math: sleef or libm
  bool stream_per_thread = false;     // -default-stream per-thread
  std::vector<std::string> checks;    // kinds in --check: race, memory, sync; empty: all
  std::vector<std::string> frontend;  // -I, -D, -W ... for both passes and for C++ files, in order
  std::vector<std::string> warnings;  // words for the plugin: "suppress=177", "error" ...
  bool warnings_are_errors = false;   // -Werror all-warnings
  bool relaxed_constexpr = false;     // --expt-relaxed-constexpr
  std::vector<std::string> host;      // -Xcompiler
  std::vector<std::string> device;    // -Xdevice
  std::vector<std::string> coverage;  // --coverage, -fprofile-instr-generate ... for both passes
  std::vector<std::string> linker;    // -L, -l, -Xlinker, in order with the inputs' objects
  std::string archiver = "ar";
  std::vector<std::string> archive;       // -Xarchive
  bool write_dependencies = false;        // -MD, -MMD
  std::vector<std::string> dependencies;  // -MF, -MT ... in clang's spelling
  std::string dependency_file, dependency_target;
  std::vector<std::string> notes;  // accepted options without an effect, for --verbose
};

// Throws usage_error. A file whose ending is unknown is not an error here: build systems name a file that does not
// exist, to see what --verbose prints.
options parse_options(const std::vector<std::string>& arguments);
// The error for an input of unknown type.
usage_error unknown_type(const std::string& path);
std::string help_text();

}  // namespace cohort
