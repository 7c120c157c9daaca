// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cccl.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "system/environment.hpp"

namespace cohort {

namespace {

namespace fs = std::filesystem;
using folders = std::vector<std::string>;

// Reads the name of an include directive, and whether it stands in quotation marks.
bool parse_include(const std::string& line, std::string& name, bool& quoted) {
  const auto skip_blanks = [&](size_t from) { return line.find_first_not_of(" \t", from); };
  const size_t hash = skip_blanks(0);
  if (hash == std::string::npos || line[hash] != '#') {
    return false;
  }
  const size_t word = skip_blanks(hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) {
    return false;
  }
  const size_t begin = skip_blanks(word + 7);
  if (begin == std::string::npos || (line[begin] != '<' && line[begin] != '"')) {
    return false;
  }
  quoted = line[begin] == '"';
  const size_t end = line.find(quoted ? '"' : '>', begin + 1);
  if (end == std::string::npos) {
    return false;
  }
  name = line.substr(begin + 1, end - begin - 1);
  return true;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string find_header(const std::string& name, bool quoted, const fs::path& beside,
                        const std::vector<std::string>& folders) {
  if (quoted && is_file(beside / name)) {
    return (beside / name).lexically_normal();
  }
  for (const std::string& folder : folders) {
    if (is_file(fs::path(folder) / name)) {
      return (fs::path(folder) / name).lexically_normal();
    }
  }
  return {};
}

// True if `source`, or a header that it includes directly or indirectly, has an include directive whose name `wanted`
// accepts. Headers are found beside the file that includes them and in `folders`, as the preprocessor finds them, but
// conditions are not evaluated: a directive that they leave out counts too.
bool includes(const std::string& source, const std::vector<std::string>& folders,
              const std::function<bool(const std::string& name)>& wanted) {
  std::set<std::string> seen = {source};
  std::vector<std::string> left = {source};
  while (!left.empty()) {
    const std::string path = left.back();
    left.pop_back();
    std::ifstream file(path);
    std::string name;
    bool quoted = false;
    for (std::string line; std::getline(file, line);) {
      if (!parse_include(line, name, quoted)) {
        continue;
      }
      if (wanted(name)) {
        return true;
      }
      const std::string header = find_header(name, quoted, fs::path(path).parent_path(), folders);
      if (!header.empty() && seen.insert(header).second) {
        left.push_back(header);
      }
    }
  }
  return false;
}

bool has(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_cccl(const fs::path& folder) {
  return has(folder / "cub/cub.cuh") || has(folder / "thrust/version.h") || has(folder / "cuda/std/version");
}

// The include folders below `folder`: an include folder, also that of a toolkit, a toolkit, or a checkout of the
// sources.
folders include_folders(const fs::path& folder) {
  if (has(folder / "cub/cub/cub.cuh")) {
    return {folder / "cub", folder / "thrust", folder / "libcudacxx/include"};
  }
  for (const char* below : {"", "cccl", "include/cccl", "include"}) {
    if (is_cccl(folder / below)) {
      return {(folder / below).lexically_normal().string()};
    }
  }
  return {};
}

// Folders below `folder` whose name begins with `prefix`, the highest name first.
std::vector<fs::path> subfolders(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(prefix, 0) == 0) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

// The folders in which pip installs packages: of a virtual environment, of the interpreters in PATH, of the user.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> prefixes = {environment_variable("VIRTUAL_ENV")};
  std::istringstream listed(environment_variable("PATH"));
  for (std::string folder; std::getline(listed, folder, ':');) {
    prefixes.push_back(fs::path(folder).parent_path());
  }
  prefixes.push_back(fs::path(environment_variable("HOME")) / ".local");
  prefixes.push_back("/usr/local");
  std::vector<fs::path> found;
  for (const fs::path& prefix : prefixes) {
    if (prefix.empty()) {
      continue;
    }
    for (const fs::path& python : subfolders(prefix / "lib", "python3")) {
      found.push_back(python / "site-packages");
      found.push_back(python / "dist-packages");
    }
  }
  return found;
}

folders installed_cccl() {
  for (const fs::path& packages : package_folders()) {
    for (const fs::path& version : subfolders(packages / "nvidia", "cu")) {  // cu13, cuda_cccl
      if (const folders found = include_folders(version); !found.empty()) {
        return found;
      }
    }
  }
  return {};
}

// The folders that the options name for headers.
folders named_folders(const folders& frontend) {
  folders found;
  for (size_t i = 0; i + 1 < frontend.size(); ++i) {
    if (frontend[i] == "-I" || frontend[i] == "-isystem" || frontend[i] == "-iquote") {
      found.push_back(frontend[i + 1]);
    }
  }
  return found;
}

// True for the name of a header that only CCCL has. Cohort has some of <cuda/...> itself, in `own`.
bool is_of_cccl_only(const std::string& name, const fs::path& own) {
  const auto begins = [&](const char* folder) { return name.rfind(folder, 0) == 0; };
  return begins("cub/") || begins("thrust/") || ((begins("cuda/") || name == "nv/target") && !has(own / name));
}

bool includes_cccl(const input_file& input, const folders& named, const fs::path& own) {
  return input.type != input_file::kind::object && input.type != input_file::kind::unknown &&
         includes(input.path, named, [&](const std::string& name) { return is_of_cccl_only(name, own); });
}

// True if -I or -isystem names a folder of CCCL. -isystem becomes -I: CCCL's <cuda/...> headers belong together, and
// Cohort's own come first among the system headers.
bool takes_named_folder(folders& frontend) {
  bool found = false;
  for (size_t i = 0; i + 1 < frontend.size(); ++i) {
    if ((frontend[i] == "-I" || frontend[i] == "-isystem") && is_cccl(frontend[i + 1])) {
      frontend[i] = "-I";
      found = true;
    }
  }
  return found;
}

}  // namespace

void use_cccl(options& chosen, const std::string& overlay) {
  folders added;
  if (!chosen.cccl.empty()) {
    added = include_folders(chosen.cccl);
    if (added.empty()) {
      throw usage_error("--cccl takes a folder of CCCL, with cub/cub.cuh in it; '" + chosen.cccl + "' has none");
    }
  } else if (!takes_named_folder(chosen.frontend)) {
    const folders named = named_folders(chosen.frontend);
    const fs::path own = fs::path(overlay).parent_path();
    if (std::any_of(chosen.inputs.begin(), chosen.inputs.end(),
                    [&](const input_file& input) { return includes_cccl(input, named, own); })) {
      added = installed_cccl();
    }
    if (added.empty()) {
      return;
    }
    chosen.notes.push_back("CCCL is taken from " + added.front());
  }
  for (const std::string& folder : added) {
    chosen.frontend.insert(chosen.frontend.end(), {"-I", folder});
  }
  // The macros leave out code of CCCL whose headers only NVIDIA's toolkit has.
  const folders first = {"-DCCCL_DISABLE_NVTX", "-DCCCL_DISABLE_NVFP6_SUPPORT", "-DCCCL_DISABLE_NVFP4_SUPPORT", "-I",
                         overlay};
  chosen.frontend.insert(chosen.frontend.begin(), first.begin(), first.end());
}

}  // namespace cohort
