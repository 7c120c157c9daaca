// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc: compiles CUDA sources for the CPU.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "compile.hpp"
#include "options/option_files.hpp"
#include "system/environment.hpp"
#include "tools/cccl.hpp"
#include "tools/host_tools.hpp"

namespace cohort {
namespace {

std::string object_name(const options& chosen, const input_file& input) {
  if (!chosen.output.empty()) {
    return chosen.output;
  }
  const std::string ending = chosen.what == action::image ? chosen.image_ending : ".o";
  const auto name = std::filesystem::path(input.path).filename().replace_extension(ending);
  return (std::filesystem::path(chosen.output_folder) / name).string();
}

std::string link_name(const options& chosen) {
  return !chosen.output.empty() ? chosen.output : chosen.shared ? "a.so" : "a.out";
}

std::string archive_name(const options& chosen) { return !chosen.output.empty() ? chosen.output : "a.a"; }

// The files that the command writes for the user.
std::vector<std::string> outputs(const options& chosen) {
  std::vector<std::string> files;
  if (chosen.what == action::link || chosen.what == action::archive) {
    files.push_back(chosen.what == action::link ? link_name(chosen) : archive_name(chosen));
  } else if (chosen.what == action::compile || chosen.what == action::image) {
    for (const auto& input : chosen.inputs) {
      if (input.type != input_file::kind::object) {
        files.push_back(object_name(chosen, input));
      }
    }
  } else if (!chosen.output.empty()) {
    files.push_back(chosen.output);
  }
  if (!chosen.dependency_file.empty()) {
    files.push_back(chosen.dependency_file);
  }
  return files;
}

// Throws if a file is input and output, also by two names of one file. Devices may be both.
void check_outputs(const options& chosen) {
  std::error_code ignored;
  for (const auto& output : outputs(chosen)) {
    for (const auto& input : chosen.inputs) {
      if (std::filesystem::is_regular_file(input.path, ignored) &&
          std::filesystem::equivalent(output, input.path, ignored)) {
        throw usage_error("the output '" + output + "' would overwrite the input '" + input.path + "'");
      }
    }
  }
}

// Copies the standard input to a file, because both passes read it. The first line of the file gives clang the name for
// diagnostics.
void read_standard_input(options& chosen, const temporary_folder& temporary) {
  bool done = false;
  for (auto& input : chosen.inputs) {
    if (!input.is_standard_input()) {
      continue;
    }
    if (input.type == input_file::kind::unknown) {
      throw unknown_type(input.path);
    }
    if (chosen.what == action::dependencies || chosen.write_dependencies) {
      throw usage_error("-M, -MD and their like list a source by its name; the standard input has none");
    }
    if (std::exchange(done, true)) {
      throw usage_error("the standard input can be read once");
    }
    input.path = temporary.file("stdin.cu");
    std::ofstream file(input.path, std::ios::binary);
    file << "#line 1 \"<stdin>\"\n";
    if (std::cin.peek() != std::istream::traits_type::eof()) {
      file << std::cin.rdbuf();
    }
    if (!file.flush()) {
      throw std::runtime_error("cannot copy the standard input to " + input.path + ": " + std::strerror(errno));
    }
  }
}

// Throws if the file does not exist, is a folder or cannot be read. clang would print its message once per pass.
void check_readable(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) {
    throw usage_error(errno == ENOENT ? "there is no file '" + path + "'"
                                      : "cannot read '" + path + "': " + std::strerror(errno));
  }
  if (S_ISDIR(found.st_mode)) {
    throw usage_error("'" + path + "' is a folder; name the files in it");
  }
  if (access(path.c_str(), R_OK) != 0) {
    throw usage_error("cannot read '" + path + "': " + std::strerror(errno));
  }
}

void check_image(const options& chosen) {
  const std::string option = "-" + chosen.image_ending.substr(1);
  if (chosen.inputs.size() != 1 || chosen.inputs[0].type != input_file::kind::cuda) {
    throw usage_error(option + " takes one CUDA source");
  }
  if (chosen.check || chosen.count || chosen.relocatable || !chosen.coverage.empty()) {
    throw usage_error(option +
                      " cannot be combined with --check, --count, --coverage or -rdc=true: link the source instead");
  }
}

void check(const options& chosen) {
  if (chosen.what == action::preamble) {
    if (!chosen.inputs.empty()) {
      throw usage_error("--make-preamble takes options and no input file");
    }
    return;
  }
  if (chosen.inputs.empty()) {
    throw usage_error("no input file; cohortcc --help lists the options");
  }
  int sources = 0;
  for (const auto& input : chosen.inputs) {
    if (input.type == input_file::kind::unknown) {
      throw unknown_type(input.path);
    }
    if (!input.is_standard_input()) {  // the standard input is not read, as with --dryrun
      check_readable(input.path);
    }
    sources += input.type != input_file::kind::object;
  }
  if (chosen.what == action::image) {
    check_image(chosen);
  }
  if (chosen.what == action::compile && sources > 1 && !chosen.output.empty()) {
    throw usage_error("-o names one file, but -c makes one of each of the " + std::to_string(sources) + " sources");
  }
  check_outputs(chosen);
}

int build(const options& chosen, compiler& compile, const temporary_folder& temporary) {
  std::vector<std::string> objects;
  int number = 0;
  for (const auto& input : chosen.inputs) {
    if (input.type == input_file::kind::object) {
      objects.push_back(input.path);
      continue;
    }
    int status = 0;
    if (chosen.what == action::preprocess || chosen.what == action::dependencies) {
      status = compile.preprocess(input);
    } else if (chosen.what == action::compile) {
      status = compile.compile(input, object_name(chosen, input));
    } else {
      objects.push_back(temporary.file("input" + std::to_string(number++) + ".o"));
      status = compile.compile(input, objects.back());
    }
    if (status != 0 || interrupted()) {
      return status != 0 ? status : 130;
    }
  }
  if (chosen.what == action::archive) {
    return compile.archive(objects, archive_name(chosen));
  }
  if (chosen.what != action::link) {
    return 0;
  }
  return compile.link(objects, link_name(chosen));
}

// Prints the version. CMake recognizes an nvcc by the end of the second line; build scripts read the version from the
// third.
void print_version(const options& chosen) {
  std::printf("cohortcc %s: CUDA sources on the CPU, with clang 19\n", COHORT_VERSION_TEXT);
  std::printf("In the place of nvcc: NVIDIA (R) Cuda compiler driver\n");
  std::printf("Cuda compilation tools, release 13.%d, V13.%d.0\n", chosen.cuda_minor, chosen.cuda_minor);
}

void print_architectures(const char* prefix) {
  for (int arch : {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}) {
    std::printf("%s%d\n", prefix, arch);
  }
}

// True if the option only prints something.
bool answer(const options& chosen) {
  if (chosen.help) {
    std::fputs(help_text().c_str(), stdout);
  } else if (chosen.version) {
    print_version(chosen);
  } else if (chosen.list_architectures) {
    print_architectures("compute_");
  } else if (chosen.list_code) {
    print_architectures("sm_");
  } else {
    return false;
  }
  return true;
}

int run(const std::vector<std::string>& arguments) {
  options chosen = parse_options(expand_option_files(arguments));
  if (answer(chosen)) {
    return 0;
  }
  hide_installed_cuda();
  const toolchain tools = find_toolchain(chosen.check, chosen.count);
  if (const auto status = answer_host_question(chosen, tools)) {
    return *status;
  }
  const temporary_folder temporary;
  if (!chosen.dry_run) {
    read_standard_input(chosen, temporary);
  }
  use_cccl(chosen, tools.cudart + "/cccl");
  compiler compile(chosen, tools, temporary);
  if (chosen.verbose || chosen.dry_run) {
    compile.show_folders();  // even if the input does not exist: CMake runs such a command to learn the folders
  }
  check(chosen);
  if (chosen.verbose) {
    for (const auto& note : chosen.notes) {
      std::fprintf(stderr, "cohortcc: note: %s\n", note.c_str());
    }
  }
  if (chosen.what == action::preamble) {
    compile.make_preambles();
    return 0;
  }
  if (chosen.what == action::image) {
    return compile.make_image(chosen.inputs[0], object_name(chosen, chosen.inputs[0]));
  }
  return chosen.what == action::device_link ? compile.device_link() : build(chosen, compile, temporary);
}

}  // namespace
}  // namespace cohort

int main(int argc, char** argv) {
  cohort::drop_untrusted_environment();
  cohort::handle_interrupts();
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (std::filesystem::path(argv[0]).filename() == "nvcc") {
      arguments = cohort::with_nvcc_flags(arguments);
    }
    return cohort::run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cohortcc: error: %s\n", error.what());
    return 1;
  }
}
