// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of NVRTC.
#include <nvrtc.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "nvrtc/compile.hpp"
#include "nvrtc/options.hpp"

using namespace cohort::nvrtc;

struct _nvrtcProgram {
  source_texts texts;
  bool is_compiled = false;  // true after a compilation with errors, too
  outcome last;
  std::unordered_map<std::string, std::string> lowered_names;  // names after the last compilation, by expression
  int (*callback)(void*, void*) = nullptr;
  void* payload = nullptr;
};

namespace {

constexpr int cuda_major = 13, cuda_minor = 0;  // the numbers in CUDART_VERSION

std::atomic<size_t> heap_size{size_t{256} << 20};

// The programs that exist. A handle is looked up here before it is used.
struct program_table {
  std::mutex mutex;
  std::unordered_set<nvrtcProgram> programs;
};

program_table& table() {
  static program_table* const all = new program_table;
  return *all;
}

bool is_program(nvrtcProgram program) {
  const std::lock_guard lock(table().mutex);
  return table().programs.count(program) != 0;
}

// Runs the body of a function. No exception leaves this library.
template <class Body>
nvrtcResult guarded(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

// Runs `body` with a program that exists and a pointer that is not null.
template <class Body>
nvrtcResult with_program(nvrtcProgram program, const void* pointer, const Body& body) {
  return guarded([&] {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    return pointer ? body(*program) : NVRTC_ERROR_INVALID_INPUT;
  });
}

nvrtcResult store_text(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

// NVRTC counts the closing zero of a cubin, too: the loader finds the end of the text by it.
size_t cubin_bytes(const _nvrtcProgram& program) {
  return program.last.has_cubin ? program.last.result.image.size() + 1 : 0;
}

const char* const names_of_statuses[] = {
    "NVRTC_SUCCESS",
    "NVRTC_ERROR_OUT_OF_MEMORY",
    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM",
    "NVRTC_ERROR_INVALID_OPTION",
    "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    "NVRTC_ERROR_PCH_CREATE",
    "NVRTC_ERROR_CANCELLED",
    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
};

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  const size_t number = static_cast<size_t>(result);
  return number < std::size(names_of_statuses) ? names_of_statuses[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = cuda_major;
  *minor = cuda_minor;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  if (!numArchs) return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = static_cast<int>(supported_architectures().size());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  if (!supportedArchs) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(supported_architectures().begin(), supported_architectures().end(), supportedArchs);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name, int numHeaders,
                               const char* const* headers, const char* const* includeNames) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames))) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    auto program = std::make_unique<_nvrtcProgram>();
    program->texts.source = src;
    program->texts.name = name && *name ? name : "default_program";
    std::unordered_set<std::string> files;
    for (int i = 0; i < numHeaders; ++i) {
      if (!headers[i] || !includeNames[i]) return NVRTC_ERROR_INVALID_INPUT;
      // Names of headers are compared as paths, because two different paths may lead to one header.
      const std::filesystem::path name(includeNames[i]);
      if (!files.insert(name.lexically_normal().string()).second) return NVRTC_ERROR_INVALID_INPUT;
      if (!name.empty()) program->texts.headers.emplace_back(includeNames[i], headers[i]);
    }
    const std::lock_guard lock(table().mutex);
    table().programs.insert(program.get());
    *prog = program.release();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  return guarded([&] {
    {
      const std::lock_guard lock(table().mutex);
      if (table().programs.erase(*prog) == 0) return NVRTC_ERROR_INVALID_PROGRAM;
    }
    delete *prog;
    *prog = nullptr;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options) {
  return guarded([&] {
    if (!is_program(prog)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (numOptions < 0) return NVRTC_ERROR_INVALID_INPUT;
    if (numOptions > 0 && !options) return NVRTC_ERROR_INVALID_OPTION;
    std::function<bool()> cancels;
    if (prog->callback) cancels = [prog] { return prog->callback(prog->payload, nullptr) == 1; };
    prog->is_compiled = false;
    prog->lowered_names.clear();
    prog->last = {};
    prog->last = compile(prog->texts, numOptions, options, cancels);
    prog->is_compiled = true;
    const auto& names = prog->last.result.lowered_names;
    for (size_t i = 0; prog->last.status == NVRTC_SUCCESS && i < names.size(); ++i) {
      prog->lowered_names[prog->texts.expressions[i]] = names[i];
    }
    return prog->last.status;
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
  return with_program(prog, ptxSizeRet, [&](_nvrtcProgram& program) {
    *ptxSizeRet = program.last.result.image.size() + 1;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
  return with_program(prog, ptx, [&](_nvrtcProgram& program) { return store_text(program.last.result.image, ptx); });
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
  return with_program(prog, cubinSizeRet, [&](_nvrtcProgram& program) {
    *cubinSizeRet = cubin_bytes(program);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
  return with_program(prog, cubin, [&](_nvrtcProgram& program) {
    return cubin_bytes(program) != 0 ? store_text(program.last.result.image, cubin) : NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet) {
  return with_program(prog, LTOIRSizeRet, [&](_nvrtcProgram&) {
    *LTOIRSizeRet = 0;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR) {
  return with_program(prog, LTOIR, [](_nvrtcProgram&) { return NVRTC_SUCCESS; });
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet) {
  return nvrtcGetLTOIRSize(prog, optixirSizeRet);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir) { return nvrtcGetLTOIR(prog, optixir); }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
  return with_program(prog, logSizeRet, [&](_nvrtcProgram& program) {
    *logSizeRet = program.last.result.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
  return with_program(prog, log, [&](_nvrtcProgram& program) { return store_text(program.last.result.log, log); });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* name_expression) {
  return with_program(prog, name_expression, [&](_nvrtcProgram& program) {
    if (program.is_compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    auto& all = program.texts.expressions;
    if (std::find(all.begin(), all.end(), name_expression) == all.end()) all.emplace_back(name_expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* name_expression, const char** lowered_name) {
  return with_program(prog, name_expression ? lowered_name : nullptr, [&](_nvrtcProgram& program) {
    if (!program.is_compiled || program.last.status != NVRTC_SUCCESS) {
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    }
    const auto at = program.lowered_names.find(name_expression);
    if (at == program.lowered_names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = at->second.c_str();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetPCHHeapSize(size_t* ret) {
  if (!ret) return NVRTC_ERROR_INVALID_INPUT;
  *ret = heap_size;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  heap_size = size;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return is_program(prog) ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size) {
  return nvrtcGetLTOIRSize(prog, size);  // nvrtcGetLTOIRSize() stores the size 0
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*), void* payload) {
  return guarded([&] {
    if (!is_program(prog)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback) return NVRTC_ERROR_INVALID_INPUT;
    prog->callback = callback;
    prog->payload = payload;
    return NVRTC_SUCCESS;
  });
}

}  // extern "C"
