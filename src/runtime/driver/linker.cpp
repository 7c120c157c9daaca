// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker of images. An image is a shared library, which is linked already: the linker only passes it on.
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/error/log.hpp"
#include "runtime/image/elf_image.hpp"
#include "runtime/image/image.hpp"
#include "runtime/image/text_image.hpp"

namespace cohort::runtime {

namespace {

struct link_state {
  explicit link_state(const jit_log& log) : log(log) {}
  jit_log log;
  std::vector<char> image;  // empty: no image was added
};

struct link_table {
  std::mutex mutex;
  std::unordered_map<CUlinkState, std::unique_ptr<link_state>> states;
};

link_table& all_links() {
  static link_table* const all = new link_table;
  return *all;
}

// Calls `body(link_state&)` under the lock of all states. CUDA_ERROR_INVALID_HANDLE for an unknown handle.
template <class Body>
CUresult with_state(CUlinkState handle, Body&& body) {
  return context_call([&] {
    const std::lock_guard lock(all_links().mutex);
    const auto at = all_links().states.find(handle);
    return at == all_links().states.end() ? CUDA_ERROR_INVALID_HANDLE : body(*at->second);
  });
}

CUresult refuse(link_state& state, const char* call, const char* name, const std::string& why, CUresult error) {
  const std::string sentence = std::string(call) + ": '" + (name ? name : "") + "' cannot be linked: " + why;
  say(cudaLogLevelError, "%s", sentence.c_str());
  state.log.write_error(sentence);
  return error;
}

// The image that `bytes` begin with; empty, with the reason, if there is none.
std::vector<char> read_image(const std::string& bytes, std::string* why) {
  std::vector<char> image;
  if (is_text_image(bytes.c_str())) {
    *why = read_text_image(bytes.c_str(), &image);
    if (!why->empty()) image.clear();
    return image;
  }
  constexpr size_t header_bytes = 64;  // the size of an ELF file's header
  const size_t length = bytes.size() >= header_bytes ? elf_image::size_of(bytes.data()) : 0;
  if (length > 0 && length <= bytes.size()) {
    image.assign(bytes.data(), bytes.data() + length);
  } else {
    *why = "it is no image for this CPU. Make an image with cohortcc -fatbin or -ptx";
  }
  return image;
}

CUresult add(link_state& state, const char* call, CUjitInputType type, const std::string& bytes, const char* name) {
  if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) {
    return refuse(state, call, name, "object files are linked by cohortcc", CUDA_ERROR_NOT_SUPPORTED);
  }
  if (type == CU_JIT_INPUT_NVVM) {
    return refuse(state, call, name, "NVVM is code of a GPU's compiler", CUDA_ERROR_NOT_SUPPORTED);
  }
  std::string why;
  std::vector<char> image = read_image(bytes, &why);
  if (image.empty()) {
    return refuse(state, call, name, why, type == CU_JIT_INPUT_PTX ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE);
  }
  if (!state.image.empty()) {
    return refuse(state, call, name, "images are linked already. Compile the sources into one image with cohortcc",
                  CUDA_ERROR_NOT_SUPPORTED);
  }
  state.image = std::move(image);
  return CUDA_SUCCESS;
}

bool is_input_type(CUjitInputType type) { return type >= CU_JIT_INPUT_CUBIN && type < CU_JIT_NUM_INPUT_TYPES; }

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuLinkCreate(unsigned int count, CUjit_option* options, void** values, CUlinkState* made) {
  return context_call([&] {
    if (!made || !are_jit_options(options, values, count)) return CUDA_ERROR_INVALID_VALUE;
    auto fresh = std::make_unique<link_state>(jit_log(options, values, count));
    *made = reinterpret_cast<CUlinkState>(fresh.get());
    const std::lock_guard lock(all_links().mutex);
    all_links().states.emplace(*made, std::move(fresh));
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void* data, size_t size, const char* name,
                       unsigned int count, CUjit_option* options, void** values) {
  return with_state(handle, [&](link_state& state) {
    const bool valid = data && size > 0 && is_input_type(type) && are_jit_options(options, values, count);
    if (!valid) return CUDA_ERROR_INVALID_VALUE;
    return add(state, "cuLinkAddData", type, std::string(static_cast<const char*>(data), size), name);
  });
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char* path, unsigned int count,
                       CUjit_option* options, void** values) {
  return with_state(handle, [&](link_state& state) {
    if (!path || !is_input_type(type) || !are_jit_options(options, values, count)) return CUDA_ERROR_INVALID_VALUE;
    std::string bytes;
    return read_image_file(path, &bytes) ? add(state, "cuLinkAddFile", type, bytes, path) : CUDA_ERROR_FILE_NOT_FOUND;
  });
}

CUresult cuLinkComplete(CUlinkState handle, void** image, size_t* bytes) {
  return with_state(handle, [&](link_state& state) {
    if (!image || state.image.empty()) return CUDA_ERROR_INVALID_VALUE;
    *image = state.image.data();
    if (bytes) *bytes = state.image.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState handle) {
  return ready_call([&] {
    const std::lock_guard lock(all_links().mutex);
    return all_links().states.erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

}  // extern "C"
