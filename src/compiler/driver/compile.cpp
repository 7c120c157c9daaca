// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <cohort/base/version.hpp>

#include "diagnostics.hpp"
#include "options/words.hpp"
#include "pass_words.hpp"
#include "system/environment.hpp"
#include "system/process.hpp"
#include "text_image.hpp"
#include "tools/host_tools.hpp"

namespace cohort {
namespace {

#if defined(__aarch64__)
constexpr const char* host_triple = "aarch64-unknown-linux-gnu";
#else
constexpr const char* host_triple = "x86_64-pc-linux-gnu";
#endif

// DWARF 4, because the reports' addr2line (binutils) misses functions in DWARF 5: it does not read the range lists of
// an inlined function whose code clang split into several ranges.
constexpr const char* debug_format = "-gdwarf-4";

// Gangs have straight code of thousands of memory accesses. LLVM's machine scheduler compares each pair of up to 1000
// of them, half of the time of code generation; above this number it orders groups of accesses.
const std::vector<std::string> short_schedules = {"-mllvm", "-dag-maps-huge-region=200", "-mllvm",
                                                  "-dag-maps-reduction-size=100"};

// Debug information about lines only. LLVM still searches the code for the places of variables, 6 % of the time of code
// generation; the older of its two searches ends at once where there are none.
const std::vector<std::string> lines_only = {debug_format, "-gline-tables-only", "-mllvm",
                                             "-experimental-debug-variable-locations=0"};

uint64_t mix(uint64_t state, const std::string& text) {  // FNV-1a
  for (unsigned char c : text) {
    state = (state ^ c) * 0x100000001b3u;
  }
  return (state ^ 0xff) * 0x100000001b3u;
}

// The CPUs that device code is compiled for where no option names them. A machine with AVX-512 makes programs that run
// on most other CPUs, too. The optimization level for small code has one version of each kernel.
std::vector<std::string> default_cpus([[maybe_unused]] const std::string& optimization) {
#if defined(__x86_64__)
  const bool is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (is_v3 && __builtin_cpu_supports("avx512f")) {
    return optimization == "-Os" ? std::vector<std::string>{"x86-64-v3"}
                                 : std::vector<std::string>{"x86-64-v3", "native"};
  }
#endif
  return {"native"};
}

// A template's error hides those of the templates that it uses: each repetition may show one level more.
constexpr int most_repetitions = 12;

// The plugin writes two files. `notes` lists the places where clang needs a keyword or attribute and nvcc may not.
// `notes`.host exists if device code refers to host functions or variables. The plugin reads both when the pass is
// repeated.
std::string host_references(const std::string& notes) { return notes + ".host"; }
std::string notes_word(const std::string& notes) { return "-fplugin-arg-cohort-notes=" + notes; }

// The errors of a pass go to a file first, where clang would print them without colours.
void add_color(std::vector<std::string>& words) {
  if (isatty(STDERR_FILENO)) {
    words.push_back("-fdiagnostics-color");
  }
}

}  // namespace

// The optimization level of a pass. As with nvcc, -g concerns only host code, and device code keeps its level without
// -G. An explicit level applies to both passes.
std::string compiler::optimization(bool device) const {
  if (device && options_.device_debug) {
    return "-O0";
  }
  return "-O" + (!options_.optimization.empty() ? options_.optimization : options_.debug && !device ? "0" : "3");
}

// The options for debug information. Debuggers read variables of unoptimized device code. In optimized code most have
// no place in memory, and reports need only lines.
compiler::command compiler::debug_information(bool device) const {
  const bool full = device ? options_.device_debug || (options_.debug && optimization(true) == "-O0") : options_.debug;
  const bool lines = device || options_.check;  // reports of the checker name lines of the host, too
  return full ? command{debug_format, "-g"} : lines ? lines_only : command{};
}

// A hash of the paths of source, output and current folder, and of options. Equal builds give equal ids, hence equal
// objects; other outputs have other ids.
std::string compiler::unit_id(const input_file& input, const std::string& object) const {
  std::error_code ignored;
  const std::string source = temporary_.holds(input.path) ? "-" : input.path;
  const std::string text = std::filesystem::absolute(source, ignored).string() + '\n' + object + '\n' +
                           std::filesystem::current_path(ignored).string() + '\n' + shell_quoted(options_.frontend) +
                           shell_quoted(options_.host) + options_.standard + options_.output;
  char id[33];
  std::snprintf(id, sizeof id, "%016llx%016llx", static_cast<unsigned long long>(mix(0xcbf29ce484222325u, text)),
                static_cast<unsigned long long>(mix(0x9e3779b97f4a7c15u, text)));
  return id;
}

// The options for a source from the standard input: it finds headers in the current folder, and equal builds give equal
// objects.
compiler::command compiler::standard_input_words(const input_file& input) const {
  if (!temporary_.holds(input.path)) {
    return {};
  }
  return {"-iquote", ".", "-ffile-prefix-map=" + temporary_.file("") + "="};
}

// The macro that chooses the version of CUDA in the headers (cudart_detail/types/cuda_version.h).
static std::vector<std::string> version_words(const options& chosen) {
  if (chosen.cuda_minor == 0) {
    return {};
  }
  return {"-DCOHORT_CUDA_MINOR=" + std::to_string(chosen.cuda_minor)};
}

compiler::command compiler::cuda_command(const input_file& input) const {
  command words = {
      tools_.clang,
      "-x",
      "cuda",
      "--cuda-host-only",
      "-nocudainc",
      "-nocudalib",
      "--cuda-path=/nonexistent",
      "-Xclang",
      "-target-sdk-version=12.3",
      "-Xclang",
      "-fcuda-allow-variadic-functions",
      "-fgpu-defer-diag",  // a pass reports calls of the other side's functions only in code that it generates
      "-Xclang",
      "-fno-cxx-modules",  // in a precompiled preamble, modules merge host and device overloads
      "-std=" + options_.standard,
      "-DCOHORT_CUDA_ON_CPU=1",
      "-DCOHORT_COMPILER_VERSION=" + std::to_string(COHORT_VERSION),
      "-D__CUDA_ARCH_LIST__=" + std::to_string(options_.arch * 10),
      "-fno-crash-diagnostics",
      "-fno-finite-loops",  // a kernel that spins for ever is reported, not deleted
      "-isystem",
      tools_.cudart,
      "-isystem",
      tools_.cudart + "/cudart_detail/standard",
      "-isystem",
      tools_.compat,
      "-isystem",
      tools_.include,
      "-include",
      "cuda_runtime.h"};
  append(words, standard_input_words(input));
  append(words, cuda_warning_words(options_));
  if (options_.stream_per_thread) {
    append(words, {"-Xclang", "-fgpu-default-stream=per-thread"});  // defines the macro, too
  }
  if (options_.device_debug) {
    words.push_back("-D__CUDACC_DEBUG__");
  }
  if (options_.extended_lambda) {
    words.push_back("-DCOHORT_EXTENDED_LAMBDA=1");
  }
  append(words, version_words(options_));
  append(words, options_.frontend);
  if (options_.position_independent) {
    words.push_back("-fPIC");
  }
  add_color(words);
  if (!input.path.empty() && input.path[0] == '-') {
    words.push_back("--");
  }
  return words;
}

void compiler::add_plugin(command& words, const std::string& id) const {
  append(words, {"-fplugin=" + tools_.plugin, "-fpass-plugin=" + tools_.plugin, "-fplugin-arg-cohort-id=" + id});
  if (options_.relocatable) {
    words.push_back("-fplugin-arg-cohort-rdc");
  }
  if (options_.check) {
    append(words, {"-fplugin-arg-cohort-check=race", "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
                   "-tsan-handle-cxx-exceptions=0", "-mllvm", "-tsan-instrument-atomics=0"});
  }
  if (options_.count) {
    words.push_back("-fplugin-arg-cohort-count");
  }
  if (options_.check || options_.count) {
    // Keeps equal accesses of two paths apart: a common access would have no source line.
    append(words, {"-mllvm", "-sink-common-insts=false", "-mllvm", "-hoist-common-insts=false"});
  }
}

compiler::command compiler::host_command(const input_file& input, const std::string& id) const {
  command words = cuda_command(input);
  words.push_back(optimization(false));
  // Host code may rely on signed numbers that wrap around: it mostly does so under g++, nvcc's compiler for host code.
  words.push_back("-fwrapv");
  add_plugin(words, id);
  append(words, debug_information(false));
  append(words, host_compiler_words(options_));
  return words;
}

compiler::command compiler::device_command(const input_file& input, const std::string& id) const {
  const std::vector<std::string> cpus = options_.cpus.empty() ? default_cpus(optimization(true)) : options_.cpus;
  command words = cuda_command(input);
  append(words, {optimization(true), "-march=" + cpus.front(), "-Xclang", "-fcuda-is-device", "-Xclang", "-aux-triple",
                 "-Xclang", host_triple, "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + std::to_string(options_.arch * 10),
                 "-fno-strict-aliasing", "-fno-strict-return", "-fcheck-new",  // nvcc has these options for device code
                 "-fno-math-errno", "-fno-omit-frame-pointer", "-fstack-clash-protection",
                 // an access through a null pointer fails when it runs, as on a GPU; in C++ it is undefined
                 "-fno-delete-null-pointer-checks",
                 std::string("-ffp-contract=") + (options_.contract ? "fast-honor-pragmas" : "off")});
  if (options_.arch_features != '\0') {  // the macros that nvcc passes
    const std::string value = std::to_string(options_.arch * 10);
    words.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + value);
    words.push_back(std::string("-fplugin-arg-cohort-features=") + options_.arch_features);
    if (options_.arch_features == 'a') {
      append(words,
             {"-D__CUDA_ARCH_SPECIFIC__=" + value, "-D__CUDA_ARCH_FEAT_SM" + std::to_string(options_.arch) + "_ALL"});
    }
  }
  append(words, short_schedules);
  append(words, openmp_device_words(options_));
  append(words, debug_information(true));
  if (options_.fast_math) {
    append(words, {"-freciprocal-math", "-fapprox-func", "-D__USE_FAST_MATH__=1"});
  }
  if (options_.check) {  // a local variable that nothing wrote has the same value in each run: a NaN, or 0xaa bytes
    words.push_back("-ftrivial-auto-var-init=pattern");
  }
  add_plugin(words, id);
  words.push_back("-fplugin-arg-cohort-arch=" + std::to_string(options_.arch));
  // Only loops over threads and gangs have versions.
  const bool has_versions = optimization(true) != "-O0" && !options_.check && !options_.count;
  for (size_t i = 1; has_versions && i < cpus.size(); ++i) {
    words.push_back("-fplugin-arg-cohort-cpu=" + cpus[i]);
  }
  if (options_.report) {
    words.push_back("-fplugin-arg-cohort-report");
  }
  if (options_.gangs != "auto") {
    words.push_back("-fplugin-arg-cohort-gangs=" + options_.gangs);
  }
  if (options_.math != "sleef" || !tools_.has_sleef) {
    words.push_back(std::string("-fplugin-arg-cohort-math=") + (options_.math == "sleef" ? "missing" : "libm"));
  }
  append(words, options_.device);
  return words;
}

compiler::command compiler::cpp_command(const input_file& input) const {
  const bool is_c = input.type == input_file::kind::c;
  command words = {tools_.clang, "-x", is_c ? "c" : "c++", "-fplugin=" + tools_.plugin,
                   "-fplugin-arg-cohort-headers"};  // refuses a toolkit's headers
  if (!is_c) {
    words.push_back("-std=" + options_.standard);
  }
  append(words,
         {"-isystem", tools_.cudart, "-isystem", tools_.compat, "-isystem", tools_.include, optimization(false)});
  if (options_.stream_per_thread) {
    words.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  append(words, standard_input_words(input));
  append(words, cpp_warning_words(options_));
  append(words, version_words(options_));
  append(words, options_.frontend);
  if (options_.debug) {
    append(words, {debug_format, "-g"});
  }
  if (options_.position_independent) {
    words.push_back("-fPIC");
  }
  add_color(words);
  append(words, options_.host);
  return words;
}

std::string compiler::dependency_target(const std::string& object) const {
  return !options_.dependency_target.empty() ? options_.dependency_target : object;
}

std::string compiler::add_dependencies(command& words, const input_file& input, const std::string& object) const {
  std::string rule;
  if (options_.what == action::dependencies) {
    append(words, options_.dependencies);
  } else if (options_.write_dependencies) {
    append(words, options_.dependencies);
    const bool is_output = options_.what == action::compile || options_.what == action::image;
    const std::filesystem::path base = is_output ? object : std::filesystem::path(input.path).filename().string();
    rule = !options_.dependency_file.empty() ? options_.dependency_file
                                             : std::filesystem::path(base).replace_extension(".d").string();
    append(words, {"-MF", rule});
  } else {
    return rule;
  }
  append(words, {"-MT", dependency_target(object)});
  return rule;
}

bool compiler::show(const command& words) const {
  if (options_.verbose || options_.dry_run) {
    std::fprintf(stderr, "#$ %s\n", shell_quoted(words).c_str());
  }
  return !options_.dry_run;
}

int compiler::run(const command& words) const { return show(words) ? child(words, "").wait() : 0; }

compiler::command compiler::preamble_words(const options& plain, const command& macros, bool device) const {
  options chosen = plain;
  append(chosen.frontend, macros);
  const compiler maker(chosen, tools_, temporary_);
  const input_file nothing = {"/dev/null", input_file::kind::cuda};
  command words = device ? maker.device_command(nothing, "") : maker.host_command(nothing, "");
  std::erase(words, "-fdiagnostics-color");
  return words;
}

std::optional<preamble> compiler::find_preamble(const input_file& input, bool device) const {
  const bool has_other_rule =  // a form of the rule that correct_rule() does not write
      std::find(options_.dependencies.begin(), options_.dependencies.end(), "-MP") != options_.dependencies.end() ||
      options_.dependency_file == "-" || options_.dependency_file.rfind("/dev/", 0) == 0;
  // clang writes full debug information about a header's using-declarations only where it parses them.
  const command debug = debug_information(device);
  const bool is_full = std::find(debug.begin(), debug.end(), "-g") != debug.end();
  preamble_context context;
  const auto plain = preamble_options(options_, optimization(device), &context);
  if (is_full || options_.dry_run || has_other_rule || temporary_.holds(input.path) || !plain) {
    return std::nullopt;
  }
  return preamble_store(tools_).find([&](const command& macros) { return preamble_words(*plain, macros, device); },
                                     context);
}

void compiler::make_preambles() const {
  for (const bool device : {false, true}) {
    preamble_context context;
    const auto plain = preamble_options(options_, optimization(device), &context);
    if (!plain) {
      throw usage_error("--make-preamble: no precompiled preamble serves these options");
    }
    const auto command = [&](const std::vector<std::string>& macros) { return preamble_words(*plain, macros, device); };
    preamble_store(tools_).make(command, context);
  }
}

std::string compiler::new_errors_file() { return temporary_.file(std::to_string(count_++) + ".txt"); }

compiler::command compiler::started_words(const pass& each) {
  return each.prepared ? each.prepared->replace_in(each.words) : each.words;
}

bool compiler::correct_rule(const pass& each) const {
  if (each.rule.empty()) {
    return true;
  }
  const bool has_system_headers =
      std::find(options_.dependencies.begin(), options_.dependencies.end(), "-MD") != options_.dependencies.end();
  const auto text = each.prepared->rule(read_file(each.rule), each.target, each.source, has_system_headers);
  return text && (std::ofstream(each.rule, std::ios::binary) << *text).flush();
}

compiler::result compiler::finish_first(child& running, const pass& each) const {
  result first{running.wait(), ""};
  first.diagnostics = read_file(each.errors);
  if (!each.prepared || interrupted() ||
      (first.status == 0 && !each.prepared->is_named_in(first.diagnostics) && correct_rule(each))) {
    return first;
  }
  std::error_code ignored;
  std::filesystem::remove(each.notes, ignored);
  std::filesystem::remove(host_references(each.notes), ignored);
  show(each.words);
  first.status = child(each.words, each.errors).wait();
  first.diagnostics = read_file(each.errors);
  return first;
}

compiler::result compiler::finish(child& running, const pass& each) const {
  const result first = finish_first(running, each);
  result last = first, strict = first;
  std::string known;
  bool takes_host = false;
  for (int left = most_repetitions; last.status != 0 && left > 0 && !each.notes.empty() && !interrupted(); --left) {
    const std::string noted = std::filesystem::exists(each.notes) ? read_file(each.notes) : "";
    // A keyword was inserted wrongly: its error would name a source that the user has not written.
    if (noted.empty() && !known.empty()) {
      return first;
    }
    const std::string host = host_references(each.notes);
    if (noted != known) {
      takes_host = false;
      std::filesystem::remove(host);
    } else if (!takes_host && std::filesystem::exists(host)) {
      takes_host = true;
    } else {
      break;
    }
    known = noted;
    show(each.words);
    last.status = child(each.words, each.errors).wait();
    last.diagnostics = read_file(each.errors);
    strict = takes_host ? strict : last;
  }
  return last.status == 0 ? last : strict;
}

int compiler::run_pass(const pass& each, const std::string& output) const {
  const command words = started_words(each);
  if (interrupted() || !show(words)) {
    return interrupted() ? 130 : 0;
  }
  child running(words, each.errors);
  const result done = finish(running, each);
  const std::string text = with_named_pass(done.diagnostics, each.notes.empty() ? "host code" : "device code");
  std::fputs(without_failed_write(text, output).c_str(), stderr);
  return done.status;
}

int compiler::preprocess(const input_file& input) {
  const bool cuda = input.type == input_file::kind::cuda;
  command words = cuda ? cuda_command(input) : cpp_command(input);
  if (options_.what == action::dependencies) {
    const auto object = std::filesystem::path(input.path).filename().replace_extension(".o").string();
    add_dependencies(words, input, object);
  } else {
    words.push_back("-E");
  }
  append(words, {input.path, "-o", options_.output.empty() ? "-" : options_.output});
  return run_pass({.words = words, .errors = new_errors_file()},
                  options_.output.empty() ? "to the standard output" : "'" + options_.output + "'");
}

int compiler::compile(const input_file& input, const std::string& object) {
  if (input.type == input_file::kind::cuda) {
    return compile_cuda(input, object);
  }
  command words = cpp_command(input);
  add_dependencies(words, input, object);
  append(words, coverage_words(options_, tools_, input, object, coverage_pass::cpp));
  append(words, {"-c", input.path, "-o", object});
  return run_pass({.words = words, .errors = new_errors_file()}, "'" + object + "'");
}

// The text that the host object registers in place of a fat binary: the id of the unit and a zero, after a line with
// the GPUs that it has code for, and one with a version of CUDA that was chosen (src/runtime/module/registration.cpp).
static std::string fat_binary(const std::string& id, const options& chosen) {
  std::string text;
  for (const auto& each : chosen.gpu_code) {
    text += (text.empty() ? "\1" : ",") + each;
  }
  text += text.empty() ? "" : "\n";
  if (chosen.cuda_minor != 0) {
    text += "\2" + std::to_string(13000 + 10 * chosen.cuda_minor) + '\n';
  }
  return text + id + '\0';
}

// Runs both passes side by side, and merges their objects.
int compiler::compile_cuda(const input_file& input, const std::string& object) {
  const std::string id = unit_id(input, object);
  const std::string prefix = std::to_string(count_++);
  const std::string id_file = temporary_.file(prefix + ".id");
  const std::string host_object = temporary_.file(prefix + ".host.o"),
                    host_errors = temporary_.file(prefix + ".host.txt"),
                    host_notes = temporary_.file(prefix + ".host.notes");
  const std::string device_object = temporary_.file(prefix + ".device.o"),
                    device_errors = temporary_.file(prefix + ".device.txt"),
                    device_notes = temporary_.file(prefix + ".device.notes");

  pass host = {.words = host_command(input, id), .errors = host_errors, .notes = host_notes};
  host.rule = add_dependencies(host.words, input, object);
  host.target = dependency_target(object);
  host.source = input.path;
  host.prepared = find_preamble(input, false);
  append(host.words, coverage_words(options_, tools_, input, object, coverage_pass::host));
  append(host.words, {notes_word(host_notes), "-Xclang", "-fcuda-include-gpubinary", "-Xclang", id_file, "-c",
                      input.path, "-o", host_object});
  pass device = {.words = device_command(input, id), .errors = device_errors, .notes = device_notes};
  device.prepared = find_preamble(input, true);
  append(device.words, coverage_words(options_, tools_, input, object, coverage_pass::device));
  append(device.words, {notes_word(device_notes), "-c", input.path, "-o", device_object});
  std::ofstream(id_file, std::ios::binary) << fat_binary(id, options_);

  const command merge = {tools_.clang, "-r", "-nostdlib", host_object, device_object, "-o", object};
  const command host_words = started_words(host), device_words = started_words(device);
  if (interrupted()) {
    return 130;
  }
  const bool runs = show(host_words);
  show(device_words);
  if (!runs) {
    show(merge);
    return 0;
  }
  child host_pass(host_words, host.errors);
  child device_pass(device_words, device.errors);
  if (const int status = finish_both(host_pass, host, device_pass, device); status != 0) {
    return status;
  }
  const int status = run(merge);
  if (status != 0) {
    explain_missing_host_tools(tools_);
  }
  return status;
}

int compiler::finish_both(child& host_pass, const pass& host, child& device_pass, const pass& device) const {
  const auto [host_status, host_diagnostics] = finish(host_pass, host);
  const std::string host_text = without_failed_write(host_diagnostics, "'" + host.output() + "'");
  if (host_status != 0) {
    device_pass.stop();
    device_pass.wait();
    std::fputs(with_named_pass(host_text, "host code").c_str(), stderr);
    if (host_text.find("file not found") != std::string::npos) {
      explain_missing_host_tools(tools_);
    }
    return host_status;
  }
  const auto [device_status, device_diagnostics] = finish(device_pass, device);
  std::fputs(with_named_pass(host_text, "host code").c_str(), stderr);
  const std::string device_text = without_failed_write(device_diagnostics, "'" + device.output() + "'");
  std::fputs(only_new_diagnostics(device_text, host_text).c_str(), stderr);
  return device_status;
}

int compiler::make_image(const input_file& input, const std::string& image) {
  const std::string object = temporary_.file("image.o");
  pass device = {.words = device_command(input, unit_id(input, image)),
                 .errors = new_errors_file(),
                 .notes = temporary_.file("image.notes"),
                 .target = dependency_target(image),
                 .source = input.path,
                 .prepared = find_preamble(input, true)};
  append(device.words, {notes_word(device.notes), "-c", input.path, "-o", object});
  device.rule = add_dependencies(device.words, input, image);
  if (const int status = run_pass(device, "'" + object + "'"); status != 0) {
    return status;
  }
  const bool as_text = options_.image_ending == ".ptx";
  const std::string library = as_text ? temporary_.file("image.so") : image;
  // -z now: the runtime binds what would be bound at the first call, too.
  command link = {tools_.clang, "-m64", "-shared", "-Wl,-z,now", object, "-o", library, "-lm"};
  append(link, {"-Wl,--push-state,--as-needed", tools_.sleef_stub, "-Wl,--pop-state"});
  if (!tools_.run_path.empty()) {
    link.push_back("-Wl,-rpath," + tools_.run_path);
  }
  if (const int status = run(link); status != 0) {
    explain_missing_host_tools(tools_);
    return status;
  }
  if (as_text && !options_.dry_run && !(std::ofstream(image) << text_image(read_file(library))).flush()) {
    std::fprintf(stderr, "cohortcc: error: cannot write '%s'\n", image.c_str());
    return 1;
  }
  return 0;
}

}  // namespace cohort
