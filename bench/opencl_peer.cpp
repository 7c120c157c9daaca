// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peers.hpp"

#if COHORT_BENCH_OPENCL

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {

namespace {

void check(cl_int error, const char* call) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "cohort_bench: %s failed with OpenCL error %d\n", call, error);
  std::exit(1);
}

std::string text_of(cl_device_id device, cl_device_info what) {
  char text[4096] = "";
  check(clGetDeviceInfo(device, what, sizeof text, text, nullptr), "clGetDeviceInfo");
  return text;
}

// Returns the first CPU device of any platform, or null.
cl_device_id find_cpu() {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  return nullptr;
}

}  // namespace

struct opencl_peer::state {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  bool sub_groups = false;
  std::vector<std::pair<std::string, cl_kernel>> kernels;
  cl_mem out = nullptr;  // grows to the largest requested size
  size_t out_bytes = 0;
  cl_mem in = nullptr;
  size_t in_elements = 0;

  cl_kernel kernel(const char* name) {
    for (auto& known : kernels) {
      if (known.first == name) return known.second;
    }
    cl_int error = 0;
    cl_kernel made = clCreateKernel(program, name, &error);
    check(error, name);
    kernels.emplace_back(name, made);
    return made;
  }
  cl_mem output(size_t bytes) {
    if (bytes > out_bytes) {
      if (out) clReleaseMemObject(out);
      cl_int error = 0;
      out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
      check(error, "clCreateBuffer");
      out_bytes = bytes;
    }
    return out;
  }
  void run(cl_kernel kernel, size_t groups, size_t work_items) {
    const size_t global = groups * work_items;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &work_items, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
  }
};

opencl_peer::opencl_peer() {
  cl_device_id device = find_cpu();
  if (!device) {
    unavailable_ = "no OpenCL CPU device";
    return;
  }
  state_ = new state;
  state_->device = device;
  state_->sub_groups = text_of(device, CL_DEVICE_EXTENSIONS).find("cl_khr_subgroups") != std::string::npos;
  cl_int error = 0;
  state_->context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  state_->queue = clCreateCommandQueueWithProperties(state_->context, device, nullptr, &error);
  check(error, "clCreateCommandQueueWithProperties");

  std::ifstream file(COHORT_BENCH_KERNELS_CL);
  std::stringstream content;
  content << file.rdbuf();
  const std::string source = content.str();
  const char* text = source.c_str();
  state_->program = clCreateProgramWithSource(state_->context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  const char* options = state_->sub_groups ? "-cl-std=CL3.0 -DSUB_GROUPS" : "-cl-std=CL1.2";
  if (clBuildProgram(state_->program, 1, &device, options, nullptr, nullptr) != CL_SUCCESS) {
    char log[4096] = "";
    clGetProgramBuildInfo(state_->program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    std::fprintf(stderr, "cohort_bench: OpenCL kernels do not compile, so that peer is left out:\n%s\n", log);
    unavailable_ = "kernels do not compile";
  }
}

opencl_peer::~opencl_peer() {
  if (!state_) return;
  for (auto& known : state_->kernels) clReleaseKernel(known.second);
  if (state_->out) clReleaseMemObject(state_->out);
  if (state_->in) clReleaseMemObject(state_->in);
  clReleaseProgram(state_->program);
  clReleaseCommandQueue(state_->queue);
  clReleaseContext(state_->context);
  delete state_;
}

bool opencl_peer::has_sub_groups() const { return state_ && state_->sub_groups; }

std::string opencl_peer::version() const { return state_ ? text_of(state_->device, CL_DEVICE_VERSION) : unavailable_; }

void opencl_peer::exchange(int groups, int work_items, int rounds) {
  cl_kernel kernel = state_->kernel("exchange");
  cl_mem out = state_->output(static_cast<size_t>(groups) * static_cast<size_t>(work_items) * sizeof(cl_int));
  check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), "clSetKernelArg");
  state_->run(kernel, static_cast<size_t>(groups), static_cast<size_t>(work_items));
}

void opencl_peer::warp_sums(int groups, int rounds) {
  cl_kernel kernel = state_->kernel("warp_sums");
  cl_mem out = state_->output(static_cast<size_t>(groups) * 32 * sizeof(cl_float));
  check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), "clSetKernelArg");
  state_->run(kernel, static_cast<size_t>(groups), 32);
}

void opencl_peer::write_ids(uint32_t blocks, uint32_t threads, uint32_t slots) {
  cl_kernel kernel = state_->kernel("write_ids");
  cl_mem out = state_->output(size_t{slots} * threads * sizeof(cl_int));
  check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof slots, &slots), "clSetKernelArg");
  state_->run(kernel, blocks, threads);
}

float opencl_peer::batched_sum(size_t batches, size_t elements, int work_items) {
  cl_kernel kernel = state_->kernel("batched_sum");
  if (state_->in_elements != batches * elements) {
    if (state_->in) clReleaseMemObject(state_->in);
    cl_int error = 0;
    state_->in = clCreateBuffer(state_->context, CL_MEM_READ_ONLY, batches * elements * sizeof(float), nullptr, &error);
    check(error, "clCreateBuffer");
    const float one = 1.0f;
    check(clEnqueueFillBuffer(state_->queue, state_->in, &one, sizeof one, 0, batches * elements * sizeof(float), 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
    check(clFinish(state_->queue), "clFinish");
    state_->in_elements = batches * elements;
  }
  cl_mem out = state_->output(batches * sizeof(float));
  const cl_ulong count = elements;
  check(clSetKernelArg(kernel, 0, sizeof state_->in, &state_->in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof count, &count), "clSetKernelArg");
  state_->run(kernel, batches, static_cast<size_t>(work_items));
  float first = 0;
  check(clEnqueueReadBuffer(state_->queue, out, CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return first;
}

}  // namespace bench

#else  // without OpenCL

namespace bench {

struct opencl_peer::state {};
opencl_peer::opencl_peer() : unavailable_("not installed") {}
opencl_peer::~opencl_peer() = default;
bool opencl_peer::has_sub_groups() const { return false; }
std::string opencl_peer::version() const { return unavailable_; }
void opencl_peer::exchange(int, int, int) {}
void opencl_peer::warp_sums(int, int) {}
void opencl_peer::write_ids(uint32_t, uint32_t, uint32_t) {}
float opencl_peer::batched_sum(size_t, size_t, int) { return 0; }

}  // namespace bench

#endif
