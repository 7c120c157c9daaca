// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/image.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "runtime/error/log.hpp"
#include "runtime/image/elf_image.hpp"
#include "runtime/image/text_image.hpp"
#include "runtime/module/module_version.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/scheduler.hpp"

namespace cohort::runtime {
namespace {

struct library {
  image_owner owner;
  void* handle;
  int file;  // open as long as the image is loaded: a report reads source lines from it
};

std::mutex& images_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

std::unordered_map<const cohort_module*, library>& images() {
  static auto* const table = new std::unordered_map<const cohort_module*, library>;
  return *table;
}

bool write_all(int file, const std::vector<char>& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

// Each load needs a file of its own, because the dynamic linker loads a file once.
std::string open_library(const std::vector<char>& bytes, library* opened) {
  opened->file = memfd_create("cohort image", MFD_CLOEXEC);
  if (opened->file < 0 || !write_all(opened->file, bytes)) {
    const std::string error = std::strerror(errno);
    if (opened->file >= 0) close(opened->file);
    return "a file in memory for it cannot be made: " + error;
  }
  // Not /proc/self: the program that prints source lines for a report is another process.
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(opened->file);
  opened->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened->handle) return "";
  const char* const error = dlerror();
  close(opened->file);
  return error ? error : "the dynamic linker refuses it";
}

}  // namespace

cudaError_t load_image(const void* data, image_owner owner, const cohort_module** module, std::string* why) {
  std::vector<char> decoded;
  if (is_text_image(data)) {
    *why = read_text_image(static_cast<const char*>(data), &decoded);
    if (!why->empty()) return cudaErrorInvalidKernelImage;
    data = decoded.data();
  }
  const size_t size = elf_image::size_of(data);
  if (size == 0 || (!decoded.empty() && size > decoded.size())) {
    *why = "it is no image for this CPU: PTX and cubins are code of a GPU. Make an image with cohortcc -fatbin or -ptx";
    return cudaErrorInvalidKernelImage;
  }
  elf_image image(data, size);
  *why = image.bind();
  if (!why->empty()) {
    *why += ". Make it again with the cohortcc of this library";
    return cudaErrorInvalidKernelImage;
  }
  library opened{};
  opened.owner = owner;
  symbol_table::take_registered();
  *why = open_library(image.bytes(), &opened);
  if (!why->empty()) return cudaErrorInvalidKernelImage;
  const cohort_module* const found = symbol_table::take_registered();
  const bool usable = found != nullptr;
  const module_choice choice = usable ? choose_version(*found) : module_choice{};
  if (choice.version) {
    symbol_table::instance().add_image(found);
    const std::lock_guard lock(images_mutex());
    images().emplace(found, opened);
    *module = found;
    return cudaSuccess;
  }
  *why = usable ? "it " + choice.refusal : "its module is of another version";
  if (usable) symbol_table::instance().remove_image(found);
  if (opened.handle) dlclose(opened.handle);
  close(opened.file);
  return usable ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidKernelImage;
}

cudaError_t load_image_for(const char* call, const void* data, image_owner owner, jit_log* log,
                           const cohort_module** module) {
  std::string why;
  const cudaError_t error = load_image(data, owner, module, &why);
  if (error == cudaSuccess) return error;
  const std::string sentence = std::string(call) + ": the image cannot be loaded: " + why;
  say(cudaLogLevelError, "%s", sentence.c_str());
  log->write_error(sentence);
  return error;
}

bool read_image_file(const char* path, std::string* bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes->assign(std::istreambuf_iterator<char>(file), {});
  return static_cast<bool>(file);
}

bool is_image(const cohort_module* module, image_owner owner) {
  const std::lock_guard lock(images_mutex());
  const auto at = images().find(module);
  return at != images().end() && at->second.owner == owner;
}

cudaError_t unload_image(const cohort_module* module, image_owner owner) {
  library opened{};
  {
    const std::lock_guard lock(images_mutex());
    const auto at = images().find(module);
    if (at == images().end() || at->second.owner != owner) {
      return symbol_table::instance().is_module(module) ? cudaErrorNotPermitted : cudaErrorInvalidResourceHandle;
    }
    opened = at->second;
    images().erase(at);
  }
  scheduler::instance().drain();
  symbol_table::instance().remove_image(module);
  dlclose(opened.handle);
  close(opened.file);
  return cudaSuccess;
}

}  // namespace cohort::runtime
