// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: a program loads kernels that were compiled separately. The argument is the image of
// image_kernels.cu, as a library or as a text. Without a second argument all tests run.
// "crash" ends in a report that names the image's source, "stale_copy" in the report of a
// graph's copy.
#include <cuda.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "../expect.hpp"

extern "C" __global__ void count_up(int* out) { ++*out; }

namespace {

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

CUfunction kernel_of(CUmodule module, const char* name) {
  CUfunction found = nullptr;
  DRIVER(cuModuleGetFunction(&found, module, name));
  return found;
}

int value_of(CUmodule module, const char* name) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  int value = -1;
  DRIVER(cuModuleGetGlobal(&address, &bytes, module, name));
  EXPECT(bytes == sizeof value);
  DRIVER(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

struct numbers {
  int *in, *out;
  int count = 1000;
  numbers() {
    CALL(cudaMallocManaged(&in, 1000 * sizeof(int)));
    CALL(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < count; ++i) in[i] = i;
  }
};

void expect_sum(CUmodule module, numbers& data) {
  void* arguments[] = {&data.in, &data.count, &data.out};
  *data.out = 0;
  DRIVER(cuLaunchKernel(kernel_of(module, "sum"), 1, 1, 1, 96, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 999 * 500 * 3 + 1);
}

void two_loads_are_two_modules(const std::string& image, const char* path, numbers& data) {
  CUmodule first = nullptr, second = nullptr;
  DRIVER(cuModuleLoadData(&first, image.data()));
  DRIVER(cuModuleLoad(&second, path));
  EXPECT(first != second);
  expect_sum(first, data);
  expect_sum(first, data);
  expect_sum(second, data);
  EXPECT(value_of(first, "calls") == 2);
  EXPECT(value_of(second, "calls") == 1);
  CUmodule owner = nullptr;
  DRIVER(cuFuncGetModule(&owner, kernel_of(second, "sum")));
  EXPECT(owner == second);
  EXPECT(kernel_of(first, "sum") == kernel_of(first, "sum"));
  CUfunction none = nullptr;
  EXPECT(cuModuleGetFunction(&none, first, "no_kernel") == CUDA_ERROR_NOT_FOUND);

  DRIVER(cuModuleUnload(first));
  EXPECT(cuModuleUnload(first) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuModuleGetFunction(&none, first, "sum") == CUDA_ERROR_INVALID_HANDLE);
  expect_sum(second, data);
  DRIVER(cuModuleUnload(second));
}

// Static kernels are found under nvcc's names, which lack the mark of internal linkage.
void static_names_are_found(const std::string& image, numbers& data) {
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadData(&module, image.data()));
  EXPECT(value_of(module, "addend") == 40);
  EXPECT(value_of(module, "_ZL6addend") == 40);
  CUdeviceptr none = 0;
  for (const char* name : {"addendum", "ddend", "L6addend", "_ZL5addend", "addend ", ""}) {
    EXPECT(cuModuleGetGlobal(&none, nullptr, module, name) == CUDA_ERROR_NOT_FOUND);
  }
  EXPECT(kernel_of(module, "_Z5storePi") == kernel_of(module, "_ZL5storePi"));
  CUfunction no_kernel = nullptr;
  EXPECT(cuModuleGetFunction(&no_kernel, module, "_Z5storePl") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetFunction(&no_kernel, module, "store") == CUDA_ERROR_NOT_FOUND);
  void* arguments[] = {&data.out};
  DRIVER(cuLaunchKernel(kernel_of(module, "_Z5storePi"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 43);
  DRIVER(cuModuleUnload(module));
}

void unloading_waits(const std::string& image, numbers& data) {
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  void* arguments[] = {&data.out};
  *data.out = 0;
  DRIVER(cuLaunchCooperativeKernel(kernel_of(module, "grid_sum"), 2, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  DRIVER(cuModuleUnload(module));
  EXPECT(*data.out == 256);
}

// A graph with one node, which stores a sum.
CUgraph graph_of_sum(CUmodule module, numbers& data) {
  void* arguments[] = {&data.in, &data.count, &data.out};
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = kernel_of(module, "sum");
  node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
  node.blockDimX = 96;
  node.kernelParams = arguments;
  CUgraph made = nullptr;
  CUgraphNode added = nullptr;
  DRIVER(cuGraphCreate(&made, 0));
  DRIVER(cuGraphAddKernelNode(&added, made, nullptr, 0, &node));
  return made;
}

// A graph with one IF node, whose body runs `inner` as a child graph.
CUgraph graph_with_body(CUgraph inner) {
  CUgraph made = nullptr;
  CUcontext current = nullptr;
  CUgraphNode added = nullptr;
  CUgraphNodeParams node{};
  DRIVER(cuGraphCreate(&made, 0));
  DRIVER(cuCtxGetCurrent(&current));
  node.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  node.conditional.type = CU_GRAPH_COND_TYPE_IF;
  node.conditional.size = 1;
  node.conditional.ctx = current;
  DRIVER(cuGraphConditionalHandleCreate(&node.conditional.handle, made, current, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  DRIVER(cuGraphAddNode(&added, made, nullptr, nullptr, 0, &node));
  DRIVER(cuGraphAddChildGraphNode(&added, node.conditional.phGraph_out[0], nullptr, 0, inner));
  return made;
}

// The kernel is in the graph, in a child graph, and in the body of a conditional node.
void graphs_of_unloaded_kernels_are_refused(const std::string& image, numbers& data) {
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadData(&module, image.data()));
  CUgraph graphs[3] = {graph_of_sum(module, data)};
  CUgraphNode child = nullptr;
  DRIVER(cuGraphCreate(&graphs[1], 0));
  DRIVER(cuGraphAddChildGraphNode(&child, graphs[1], nullptr, 0, graphs[0]));
  graphs[2] = graph_with_body(graphs[0]);
  CUgraphExec runnable[3] = {};
  for (int i = 0; i < 3; ++i) {
    *data.out = 0;
    DRIVER(cuGraphInstantiate(&runnable[i], graphs[i], 0));
    DRIVER(cuGraphLaunch(runnable[i], nullptr));
    DRIVER(cuCtxSynchronize());
    EXPECT(*data.out == 999 * 500 * 3 + 1);
  }
  DRIVER(cuModuleUnload(module));
  *data.out = 7;
  for (CUgraphExec each : runnable) EXPECT(cuGraphLaunch(each, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CUgraphExec later = nullptr;
  DRIVER(cuGraphInstantiate(&later, graphs[0], 0));
  EXPECT(cuGraphLaunch(later, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  // Without the node the graph can be launched.
  CUgraphNode node = nullptr;
  size_t one = 1;
  DRIVER(cuGraphGetNodes(graphs[0], &node, &one));
  DRIVER(cuGraphNodeSetEnabled(runnable[0], node, 0));
  DRIVER(cuGraphLaunch(runnable[0], nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 7);
  DRIVER(cuGraphExecDestroy(later));
  for (int i = 0; i < 3; ++i) {
    DRIVER(cuGraphExecDestroy(runnable[i]));
    DRIVER(cuGraphDestroy(graphs[i]));
  }
}

// The launch of a graph that copies to a variable of an unloaded module fails as a kernel's access does.
int copy_to_unloaded_variable(const std::string& image) {
  CUmodule module = nullptr;
  CUdeviceptr calls = 0;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t runnable = nullptr;
  static int host = 0;
  DRIVER(cuModuleLoadData(&module, image.data()));
  DRIVER(cuModuleGetGlobal(&calls, nullptr, module, "calls"));
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, reinterpret_cast<void*>(calls), &host, sizeof host,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphInstantiate(&runnable, graph, 0));
  CALL(cudaGraphLaunch(runnable, nullptr));
  CALL(cudaDeviceSynchronize());
  DRIVER(cuModuleUnload(module));
  CALL(cudaGraphLaunch(runnable, nullptr));
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return failures != 0;
}

CUlibrary load_library(const void* image) {
  CUlibrary library = nullptr;
  DRIVER(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  return library;
}

CUkernel kernel_of(CUlibrary library, const char* name) {
  CUkernel found = nullptr;
  DRIVER(cuLibraryGetKernel(&found, library, name));
  return found;
}

// Loads a library after cuInit, before there is a context.
CUlibrary libraries_need_no_context(const std::string& image) {
  CUlibrary library = load_library(image.data());
  CUkernel kernel = kernel_of(library, "sum");
  const char* name = nullptr;
  DRIVER(cuKernelGetName(&name, kernel));
  EXPECT(std::strcmp(name, "sum") == 0);
  int threads = 0;
  DRIVER(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  EXPECT(threads == 1024);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  EXPECT(cuLibraryGetModule(&module, library) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuKernelGetFunction(&function, kernel) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuLibraryGetGlobal(&address, nullptr, library, "calls") == CUDA_ERROR_INVALID_CONTEXT);
  CUcontext current = nullptr;
  DRIVER(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  return library;
}

void libraries_have_kernels(CUlibrary library, const std::string& image, numbers& data) {
  CUkernel sum = kernel_of(library, "sum");
  void* arguments[] = {&data.in, &data.count, &data.out};
  *data.out = 0;
  DRIVER(cuLaunchKernel(reinterpret_cast<CUfunction>(sum), 1, 1, 1, 96, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 999 * 500 * 3 + 1);
  CUdeviceptr calls = 0, calls_of_other = 0;
  size_t bytes = 0;
  CUlibrary other = load_library(image.data());
  DRIVER(cuLibraryGetGlobal(&calls, &bytes, library, "calls"));
  DRIVER(cuLibraryGetGlobal(&calls_of_other, nullptr, other, "calls"));
  EXPECT(bytes == sizeof(int) && calls != calls_of_other);
  int values[2] = {-1, -1};
  DRIVER(cuMemcpyDtoH(&values[0], calls, sizeof(int)));
  DRIVER(cuMemcpyDtoH(&values[1], calls_of_other, sizeof(int)));
  EXPECT(values[0] == 1 && values[1] == 0);
  DRIVER(cuLibraryGetManaged(&calls, &bytes, library, "levels"));
  EXPECT(bytes == 3 * sizeof(int) && *reinterpret_cast<int*>(calls) == 7);
  EXPECT(cuLibraryGetManaged(&calls, &bytes, library, "calls") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuLibraryGetGlobal(&calls, &bytes, library, "no_variable") == CUDA_ERROR_NOT_FOUND);
  void* unified = nullptr;
  EXPECT(cuLibraryGetUnifiedFunction(&unified, library, "sum") == CUDA_ERROR_NOT_FOUND);
  DRIVER(cuLibraryUnload(other));
}

void libraries_list_kernels(CUlibrary library) {
  unsigned count = 0, count_in_module = 0;
  CUmodule module = nullptr;
  DRIVER(cuLibraryGetKernelCount(&count, library));
  DRIVER(cuLibraryGetModule(&module, library));
  DRIVER(cuModuleGetFunctionCount(&count_in_module, module));
  EXPECT(count == 4 && count_in_module == 4);
  CUkernel kernels[5] = {};
  CUfunction functions[5] = {};
  DRIVER(cuLibraryEnumerateKernels(kernels, 5, library));
  DRIVER(cuModuleEnumerateFunctions(functions, 3, module));
  EXPECT(kernels[3] != nullptr && kernels[4] == nullptr && functions[2] != nullptr && functions[3] == nullptr);
  bool has_sum = false;
  for (int i = 0; i < 4; ++i) {
    CUfunction function = nullptr;
    CUlibrary owner = nullptr;
    DRIVER(cuKernelGetFunction(&function, kernels[i]));
    DRIVER(cuKernelGetLibrary(&owner, kernels[i]));
    EXPECT(owner == library);
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
    DRIVER(cuFuncIsLoaded(&state, function));
    DRIVER(cuFuncLoad(function));
    EXPECT(state == CU_FUNCTION_LOADING_STATE_LOADED);
    has_sum = has_sum || kernels[i] == kernel_of(library, "sum");
  }
  EXPECT(has_sum);
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuModuleEnumerateFunctions(nullptr, 1, module) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuModuleGetFunctionCount(nullptr, module) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuModuleGetFunctionCount(&count, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

void kernels_have_attributes(CUlibrary library) {
  CUkernel kernel = kernel_of(library, "sum");
  int value = 0;
  DRIVER(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000, kernel, 0));
  DRIVER(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, 0));
  EXPECT(value == 60000);
  CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000, 0));
  DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                            reinterpret_cast<CUfunction>(kernel)));
  EXPECT(value == 50000);
  EXPECT(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 1, kernel, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1, kernel, 999) ==
         CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, -1) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, kernel, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMax, 1, 0) == cudaErrorInvalidValue);
  EXPECT(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 999) ==
         cudaErrorInvalidDevice);
  DRIVER(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
  EXPECT(cuKernelSetCacheConfig(kernel, static_cast<CUfunc_cache>(4), 0) == CUDA_ERROR_INVALID_VALUE);
  size_t offset = 99, bytes = 0;
  DRIVER(cuKernelGetParamInfo(kernel, 2, &offset, &bytes));
  EXPECT(offset == 16 && bytes == 8);
  EXPECT(cuKernelGetParamInfo(kernel, 3, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
}

void kernels_of_the_program_have_handles(numbers& data) {
  cudaKernel_t kernel = nullptr;
  CALL(cudaGetKernel(&kernel, count_up));
  *data.out = 5;
  void* arguments[] = {&data.out};
  CALL(cudaLaunchKernel(static_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(*data.out == 6);
  CUlibrary library = nullptr;
  DRIVER(cuKernelGetLibrary(&library, kernel));
  EXPECT(cuLibraryUnload(library) == CUDA_ERROR_NOT_PERMITTED);
  cudaKernel_t again = nullptr;
  CALL(cudaLibraryGetKernel(&again, library, "count_up"));
  EXPECT(again == kernel);
  EXPECT(cudaGetKernel(nullptr, count_up) == cudaErrorInvalidValue);
}

void wrong_libraries_are_refused(const std::string& image, const char* path) {
  CUlibrary library = nullptr;
  CUlibraryOption option = CU_LIBRARY_BINARY_IS_PRESERVED;
  const auto load = [&](const void* code, unsigned jit_count, unsigned count) {
    return cuLibraryLoadData(&library, code, nullptr, nullptr, jit_count, &option, nullptr, count);
  };
  EXPECT(load(nullptr, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(load(image.data(), 1, 0) == CUDA_ERROR_INVALID_VALUE);
  option = CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE;
  EXPECT(load(image.data(), 0, 1) == CUDA_ERROR_NOT_SUPPORTED);
  option = CU_LIBRARY_NUM_OPTIONS;
  EXPECT(load(image.data(), 0, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLibraryLoadData(nullptr, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLibraryLoadFromFile(&library, "/no/file", nullptr, nullptr, 0, nullptr, nullptr, 0) ==
         CUDA_ERROR_FILE_NOT_FOUND);
  option = CU_LIBRARY_BINARY_IS_PRESERVED;
  DRIVER(cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, &option, nullptr, 1));
  CUkernel kernel = nullptr;
  EXPECT(cuLibraryGetKernel(&kernel, library, "no_kernel") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuLibraryGetKernel(nullptr, library, "sum") == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLibraryEnumerateKernels(nullptr, 1, library) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuLibraryGetKernel(&kernel, library, "sum") == CUDA_ERROR_INVALID_HANDLE);
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadData(&module, image.data()));
  EXPECT(cuLibraryUnload(reinterpret_cast<CUlibrary>(module)) == CUDA_ERROR_NOT_PERMITTED);
  DRIVER(cuModuleUnload(module));
}

struct log_options {
  char info[100] = "old", errors[100] = "old";
  CUjit_option names[4] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[4] = {info, reinterpret_cast<void*>(sizeof info), errors, reinterpret_cast<void*>(sizeof errors)};
};

void logs_have_the_reason(const std::string& image) {
  log_options log;
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadDataEx(&module, image.data(), 4, log.names, log.values));
  EXPECT(*log.info == '\0' && *log.errors == '\0' && log.values[1] == nullptr && log.values[3] == nullptr);
  DRIVER(cuModuleUnload(module));
  log_options refused;
  EXPECT(cuModuleLoadDataEx(&module, ".version 8.0", 4, refused.names, refused.values) == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(*refused.info == '\0' && std::strstr(refused.errors, "cuModuleLoadDataEx: the image cannot be loaded"));
  EXPECT(reinterpret_cast<size_t>(refused.values[3]) == 99 && std::strlen(refused.errors) == 99);
  EXPECT(cuModuleLoadDataEx(&module, image.data(), 4, nullptr, refused.values) == CUDA_ERROR_INVALID_VALUE);
}

void unknown_options_are_refused(const std::string& image) {
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUlinkState state = nullptr;
  for (int number : {-1, static_cast<int>(CU_JIT_NUM_OPTIONS)}) {
    CUjit_option names[] = {CU_JIT_OPTIMIZATION_LEVEL, static_cast<CUjit_option>(number)};
    void* values[2] = {};
    EXPECT(cuModuleLoadDataEx(&module, image.data(), 2, names, values) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLibraryLoadData(&library, image.data(), names, values, 2, nullptr, nullptr, 0) ==
           CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLinkCreate(2, names, values, &state) == CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuModuleLoadDataEx(&module, image.data(), 1, names, values));
    DRIVER(cuModuleUnload(module));
  }
}

// The message names the function that the program has called.
void sentences_name_the_call() {
  CUlibrary library = nullptr;
  cudaLibrary_t runtime_library = nullptr;
  log_options log, other, file;
  cudaJitOption names[4];
  for (int i = 0; i < 4; ++i) names[i] = static_cast<cudaJitOption>(log.names[i]);
  EXPECT(cuLibraryLoadData(&library, ".version 8.0", log.names, log.values, 4, nullptr, nullptr, 0) ==
         CUDA_ERROR_INVALID_IMAGE);
  EXPECT(std::strstr(log.errors, "cuLibraryLoadData: ") == log.errors);
  EXPECT(cudaLibraryLoadData(&runtime_library, ".version 8.0", names, other.values, 4, nullptr, nullptr, 0) ==
         cudaErrorInvalidKernelImage);
  EXPECT(std::strstr(other.errors, "cudaLibraryLoadData: ") == other.errors);
  EXPECT(cuLibraryLoadFromFile(&library, "/proc/self/cmdline", file.names, file.values, 4, nullptr, nullptr, 0) ==
         CUDA_ERROR_INVALID_IMAGE);
  EXPECT(std::strstr(file.errors, "cuLibraryLoadFromFile: ") == file.errors);
}

void linking_passes_an_image_on(const std::string& image, const char* path, numbers& data) {
  log_options log;
  CUlinkState state = nullptr;
  DRIVER(cuLinkCreate(4, log.names, log.values, &state));
  const bool is_text = image.find('\0') == std::string::npos;
  const CUjitInputType type = is_text ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_CUBIN;
  std::string bytes = image;
  const auto add = [&](CUjitInputType as, size_t size) {
    return cuLinkAddData(state, as, bytes.data(), size, "some name", 0, nullptr, nullptr);
  };
  void* linked = nullptr;
  size_t size = 0;
  EXPECT(cuLinkComplete(state, &linked, &size) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(add(type, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(add(CU_JIT_NUM_INPUT_TYPES, bytes.size()) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(add(type, bytes.size() - 100) == (is_text ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE));
  EXPECT(std::strstr(log.errors, "cuLinkAddData: 'some name' cannot be linked"));
  EXPECT(add(CU_JIT_INPUT_OBJECT, bytes.size()) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(add(CU_JIT_INPUT_NVVM, bytes.size()) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuLinkAddFile(state, type, "/no/file", 0, nullptr, nullptr) == CUDA_ERROR_FILE_NOT_FOUND);
  DRIVER(add(type, bytes.size()));
  EXPECT(cuLinkAddFile(state, type, path, 0, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  DRIVER(cuLinkComplete(state, &linked, &size));
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadData(&module, linked));
  EXPECT(size > 1000);
  DRIVER(cuLinkDestroy(state));
  EXPECT(cuLinkDestroy(state) == CUDA_ERROR_INVALID_HANDLE);
  expect_sum(module, data);
  DRIVER(cuModuleUnload(module));
}

void damaged_images_are_refused(const std::string& image) {
  CUmodule module = nullptr;
  std::string gpu_code = image;
  gpu_code[18] = static_cast<char>(190);  // e_machine of the ELF header: CUDA
  EXPECT(cuModuleLoadData(&module, gpu_code.data()) == CUDA_ERROR_INVALID_IMAGE);
  std::string renamed = image;
  const size_t at = renamed.find("cohort_heap_allocate");
  EXPECT(at != std::string::npos);
  std::memcpy(&renamed[at], "cohort_heap_allXXate", 20);
  EXPECT(cuModuleLoadData(&module, renamed.data()) == CUDA_ERROR_INVALID_IMAGE);
}

void damaged_texts_are_refused(const std::string& image) {
  CUmodule module = nullptr;
  std::string wrong_digit = image;
  wrong_digit[wrong_digit.size() / 2] = '*';
  EXPECT(cuModuleLoadData(&module, wrong_digit.data()) == CUDA_ERROR_INVALID_IMAGE);
  const std::string cut = image.substr(0, image.size() - 100);
  EXPECT(cuModuleLoadData(&module, cut.data()) == CUDA_ERROR_INVALID_IMAGE);
  const std::string first_line = image.substr(0, image.find('\n'));
  EXPECT(cuModuleLoadData(&module, first_line.data()) == CUDA_ERROR_INVALID_IMAGE);
  const size_t digit = image.find_first_of("0123456789");
  const std::string shorter = image.substr(0, digit) + image.substr(digit + 1);  // states fewer bytes than it has
  EXPECT(cuModuleLoadData(&module, shorter.data()) == CUDA_ERROR_INVALID_IMAGE);
}

}  // namespace

int main(int count, char** words) {
  std::ifstream file(words[1], std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  EXPECT(!image.empty());
  CUmodule module = nullptr;
  EXPECT(cuModuleLoadData(&module, image.data()) == CUDA_ERROR_NOT_INITIALIZED);
  DRIVER(cuInit(0));
  EXPECT(cuModuleLoadData(&module, image.data()) == CUDA_ERROR_INVALID_CONTEXT);
  CUlibrary library = libraries_need_no_context(image);
  CALL(cudaSetDevice(0));
  numbers data;
  if (count > 2 && !std::strcmp(words[2], "stale_copy")) return copy_to_unloaded_variable(image);
  if (count > 2) {
    DRIVER(cuModuleLoadData(&module, image.data()));
    void* nowhere = nullptr;
    void* arguments[] = {&nowhere};
    DRIVER(cuLaunchKernel(kernel_of(module, "crash"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    return cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 1;
  }
  two_loads_are_two_modules(image, words[1], data);
  static_names_are_found(image, data);
  unloading_waits(image, data);
  graphs_of_unloaded_kernels_are_refused(image, data);
  libraries_have_kernels(library, image, data);
  libraries_list_kernels(library);
  kernels_have_attributes(library);
  DRIVER(cuLibraryUnload(library));
  kernels_of_the_program_have_handles(data);
  wrong_libraries_are_refused(image, words[1]);
  logs_have_the_reason(image);
  unknown_options_are_refused(image);
  sentences_name_the_call();
  linking_passes_an_image_on(image, words[1], data);
  if (image.find('\0') == std::string::npos) {
    damaged_texts_are_refused(image);
  } else {
    damaged_images_are_refused(image);
  }
  return failures != 0;
}
