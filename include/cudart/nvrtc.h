// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVRTC: compiles CUDA C++ from memory while a program runs. Here the result is an image for this machine's CPU, which
// the driver API loads in the place of PTX or a cubin. For C and C++; link with -lnvrtc. docs/nvrtc.md has the options.
//
// All functions may be called from any thread. Calls on one program must not overlap.
#pragma once

#include <cohort/base/user_macros/off.hpp>

// Users' headers test this macro to see whether the file was included.
#define __NVRTC_H__

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The statuses of all functions. */
typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

/** A program: a source, its headers, and after a compilation the result. */
typedef struct _nvrtcProgram* nvrtcProgram;

/** The name of a status, such as "NVRTC_ERROR_COMPILATION"; "NVRTC_ERROR unknown" for other numbers. */
const char* nvrtcGetErrorString(nvrtcResult result);

/** Stores the version of CUDA whose NVRTC this is. */
nvrtcResult nvrtcVersion(int* major, int* minor);

/** Stores the number of architectures that --gpu-architecture takes. */
nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs);

/** Stores the architectures in ascending order, as 75 for sm_75. */
nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs);

/**
 * Makes a program. The texts are copied.
 * @param prog receives the program
 * @param src the source
 * @param name the name of the source in messages; null or "" for "default_program"
 * @param numHeaders the number of headers
 * @param headers the texts of the headers
 * @param includeNames the names by which #include finds them
 */
nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name, int numHeaders,
                               const char* const* headers, const char* const* includeNames);

/** Destroys a program and sets the variable to null. */
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog);

/** Compiles a program. Where it fails, nvrtcGetProgramLog() has the reason. */
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options);

/** Stores the size of the image in text form with its closing zero; 1 unless the last compilation made one. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet);

/** Stores the image in text form. */
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx);

/** Stores the size of the image for a real architecture (sm_XX); 0 for a virtual one (compute_XX). */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet);

/** Stores the image for a real architecture. */
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin);

/** Stores 0: images are not linked, and -dlto is refused. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet);

/** Stores nothing. */
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR);

/** Stores 0: -optix-ir is refused. */
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet);

/** Stores nothing. */
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir);

/** Stores the size of the messages of the last compilation with their closing zero. */
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet);

/** Stores the messages of the last compilation. */
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log);

/** Registers the address of a kernel or of a variable, such as "&scale<float>". Call it before the compilation. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* name_expression);

/** Stores the symbol of a name expression, as cuModuleGetFunction() takes it. It lives as long as the program. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* name_expression, const char** lowered_name);

/** Stores the size that nvrtcSetPCHHeapSize() has set. There are no precompiled headers here. */
nvrtcResult nvrtcGetPCHHeapSize(size_t* ret);

/** Sets a size that only nvrtcGetPCHHeapSize() reads. */
nvrtcResult nvrtcSetPCHHeapSize(size_t size);

/** Returns NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: options about precompiled headers have no effect. */
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);

/** Stores 0. */
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size);

/**
 * Sets a function that the compilation calls several times.
 * @param callback called with the payload and null. The compilation ends with NVRTC_ERROR_CANCELLED when it returns 1.
 */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*), void* payload);

#ifdef __cplusplus
}

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>

#include <string>
#include <typeinfo>

/** Stores the name of a type in the spelling of a source, for name expressions. */
inline nvrtcResult nvrtcGetTypeName(const std::type_info& tinfo, std::string* result) {
  int status = 0;
  char* const name = abi::__cxa_demangle(tinfo.name(), nullptr, nullptr, &status);
  if (status != 0) return NVRTC_ERROR_INTERNAL_ERROR;
  *result = name;
  free(name);
  return NVRTC_SUCCESS;
}

/** The argument of a template keeps references, const and volatile of T in its name. */
template <typename T>
struct __nvrtcGetTypeName_helper_t {};

/** Stores the name of the type T, also with a reference, const or volatile. */
template <typename T>
nvrtcResult nvrtcGetTypeName(std::string* result) {
  const nvrtcResult status = nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<T>), result);
  if (status != NVRTC_SUCCESS) return status;
  const size_t start = sizeof "__nvrtcGetTypeName_helper_t<" - 1;
  *result = result->substr(start, result->size() - start - 1);
  while (!result->empty() && result->back() == ' ') result->pop_back();
  return NVRTC_SUCCESS;
}
#endif
#endif

#include <cohort/base/user_macros/on.hpp>
