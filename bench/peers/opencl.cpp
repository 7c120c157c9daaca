// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl.hpp"

#if COHORT_BENCH_OPENCL

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace bench {

namespace {

constexpr const char* sources[] = {"barriers",   "sums",   "transpose",     "scan",
                                   "divergence", "matrix", "black_scholes", "write"};

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

std::string text_of_sources() {
  std::stringstream all;
  for (const char* name : sources) {
    std::ifstream file(std::string(COHORT_BENCH_CL_FOLDER) + "/" + name + ".cl");
    all << file.rdbuf() << "\n";
  }
  return all.str();
}

}  // namespace

struct opencl::state {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  bool sub_groups = false;
  std::vector<std::pair<std::string, cl_kernel>> kernels;

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
};

opencl& opencl::peer() {
  static opencl made;
  return made;
}

opencl::opencl() {
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

  const std::string source = text_of_sources();
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

opencl::~opencl() {
  if (!state_) return;
  for (auto& known : state_->kernels) clReleaseKernel(known.second);
  clReleaseProgram(state_->program);
  clReleaseCommandQueue(state_->queue);
  clReleaseContext(state_->context);
  delete state_;
}

bool opencl::has_sub_groups() const { return state_ && state_->sub_groups; }

std::string opencl::version() const { return state_ ? text_of(state_->device, CL_DEVICE_VERSION) : unavailable_; }

void opencl::run(const char* name, const opencl_shape& shape, const argument* arguments, size_t count) {
  cl_kernel kernel = state_->kernel(name);
  for (size_t i = 0; i < count; ++i) {
    check(clSetKernelArg(kernel, static_cast<cl_uint>(i), arguments[i].bytes, arguments[i].value), "clSetKernelArg");
  }
  const size_t global[2] = {shape.groups[0] * shape.items[0], shape.groups[1] * shape.items[1]};
  check(clEnqueueNDRangeKernel(state_->queue, kernel, 2, nullptr, global, shape.items, 0, nullptr, nullptr), name);
  check(clFinish(state_->queue), "clFinish");
}

opencl_buffer::opencl_buffer(void* host, size_t bytes) : bytes_(bytes) {
  cl_int error = 0;
  handle_ =
      clCreateBuffer(opencl::peer().state_->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host, &error);
  check(error, "clCreateBuffer");
}

opencl_buffer::~opencl_buffer() {
  if (handle_) clReleaseMemObject(static_cast<cl_mem>(handle_));
}

void opencl_buffer::update_host() const {
  cl_command_queue queue = opencl::peer().state_->queue;
  cl_mem memory = static_cast<cl_mem>(handle_);
  cl_int error = 0;
  void* mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, bytes_, 0, nullptr, nullptr, &error);
  check(error, "clEnqueueMapBuffer");
  check(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  check(clFinish(queue), "clFinish");
}

}  // namespace bench

#else  // without OpenCL

namespace bench {

struct opencl::state {};
opencl& opencl::peer() {
  static opencl made;
  return made;
}
opencl::opencl() : unavailable_("not installed") {}
opencl::~opencl() = default;
bool opencl::has_sub_groups() const { return false; }
std::string opencl::version() const { return unavailable_; }
void opencl::run(const char*, const opencl_shape&, const argument*, size_t) {}
opencl_buffer::opencl_buffer(void*, size_t bytes) : bytes_(bytes) {}
opencl_buffer::~opencl_buffer() = default;
void opencl_buffer::update_host() const {}

}  // namespace bench

#endif
