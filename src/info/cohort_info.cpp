// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort-info: prints the virtual devices and the environment variables that configure them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cuda_runtime_api.h>

#include "engine/settings/settings.hpp"
#include "info/doctor.hpp"
#include "info/kernel_list.hpp"

namespace {

constexpr const char* usage =
    "usage: cohort-info [--env | --json | --kernels FILE | --doctor | --help]\n"
    "  (nothing)       the devices, as CUDA programs see them\n"
    "  --env           the COHORT_* environment variables: meaning, default, value now\n"
    "  --json          the devices and the variables, for programs\n"
    "  --kernels FILE  the kernels of a program, a library or an object file, and how their threads can run\n"
    "  --doctor        checks this installation: clang, plugin, headers, SLEEF; the last line is what to do\n";

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cohort-info: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, device), "cudaGetDeviceProperties");
  return p;
}

double bandwidth_of(const cudaDeviceProp& p) { return 2.0 * p.memoryClockRate * p.memoryBusWidth / 8 / 1e6; }

void print_number(const char* what, double value, const char* unit) {
  std::printf("  %-48s %.15g%s%s\n", what, value, *unit ? " " : "", unit);
}

void print_flag(const char* what, int value) { std::printf("  %-48s %s\n", what, value ? "yes" : "no"); }

void print_extent(const char* what, const int (&extent)[3]) {
  std::printf("  %-48s (%d, %d, %d)\n", what, extent[0], extent[1], extent[2]);
}

void print_device(int index, const cudaDeviceProp& p) {
  std::printf("Device %d: \"%s\"\n", index, p.name);
  std::printf("  %-48s %d.%d\n", "CUDA capability major.minor", p.major, p.minor);
  print_number("Total amount of global memory", static_cast<double>(p.totalGlobalMem >> 20), "MBytes");
  print_number("Multiprocessors", p.multiProcessorCount, "");
  const int clock_megahertz = p.clockRate / 1000;
  print_number("Clock rate", clock_megahertz, "MHz");
  // The clock and the bus width in cudaDeviceProp are only factors of the bandwidth, and not measured. So the bandwidth
  // is printed in place of them.
  const bool is_gpu = cohort::engine::read_form_setting("COHORT_GPU");
  std::printf("  %-48s %.1f GB/s\n", is_gpu ? "Memory bandwidth of the GPU" : "Measured copy bandwidth",
              bandwidth_of(p));
  print_number("Last-level cache", p.l2CacheSize, "bytes");
  print_number("Total amount of constant memory", static_cast<double>(p.totalConstMem), "bytes");
  print_number("Shared memory per block", static_cast<double>(p.sharedMemPerBlock), "bytes");
  print_number("Shared memory per block with opt-in", static_cast<double>(p.sharedMemPerBlockOptin), "bytes");
  print_number("Shared memory per multiprocessor", static_cast<double>(p.sharedMemPerMultiprocessor), "bytes");
  print_number("Registers per block", p.regsPerBlock, "");
  print_number("Warp size", p.warpSize, "");
  print_number("Maximum threads per multiprocessor", p.maxThreadsPerMultiProcessor, "");
  print_number("Maximum blocks per multiprocessor", p.maxBlocksPerMultiProcessor, "");
  print_number("Maximum threads per block", p.maxThreadsPerBlock, "");
  print_extent("Maximum dimensions of a block (x, y, z)", p.maxThreadsDim);
  print_extent("Maximum dimensions of a grid (x, y, z)", p.maxGridSize);
  print_number("Copy engines", p.asyncEngineCount, "");
  print_flag("Integrated, shares the host's memory", p.integrated);
  print_flag("Unified addressing", p.unifiedAddressing);
  print_flag("Managed memory", p.managedMemory);
  print_flag("Cooperative launch", p.cooperativeLaunch);
  print_flag("Multi-device cooperative launch", p.cooperativeMultiDeviceLaunch);
  print_flag("Thread block clusters", p.clusterLaunch);
  print_flag("Concurrent kernels", p.concurrentKernels);
  std::printf("  %-48s %d / %d / %d\n", "PCI domain / bus / device", p.pciDomainID, p.pciBusID, p.pciDeviceID);
}

void print_devices() {
  int count = 0;
  int version = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  std::printf("CUDA runtime version %d.%d on the CPU, %d virtual device%s\n", version / 1000, version % 1000 / 10,
              count, count == 1 ? "" : "s");
  for (int i = 0; i < count; ++i) {
    std::printf("\n");
    print_device(i, properties_of(i));
  }
  std::printf("\n`cohort-info --env` lists the environment variables that change this.\n");
}

// The text of a default or of a variable's value; sizes that are plain numbers get their unit.
std::string value_text(const cohort::engine::setting& s, const char* value) {
  char* end = nullptr;
  const double number = std::strtod(value, &end);
  return cohort::engine::is_bytes(s) && end != value && *end == '\0' ? cohort::engine::bytes_text(number) : value;
}

void print_variables() {
  for (const cohort::engine::setting* s = cohort::engine::settings(); s->name; ++s) {
    const char* const value = cohort::engine::text_of(*s);
    std::printf("%s\n", s->name);
    std::printf("  meaning  %s\n", s->meaning);
    std::printf("  allowed  %s %s\n",
                s->program   ? "the absolute path of"
                : s->words   ? "one of"
                : s->form    ? "a text"
                : s->integer ? "a whole number"
                             : "a number",
                cohort::engine::range_text(*s).c_str());
    std::printf("  default  %s\n", value_text(*s, s->default_text).c_str());
    std::printf("  now      %s\n\n", value ? value_text(*s, value).c_str() : "(not set)");
  }
}

std::string quoted(const char* text) {
  std::string out = "\"";
  for (const char* c = text; *c; ++c) {
    if (*c == '"' || *c == '\\') out += '\\';
    if (static_cast<unsigned char>(*c) >= 0x20) out += *c;
  }
  return out + '"';
}

void print_json() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  std::printf("{\n  \"cudart_version\": %d,\n  \"devices\": [", CUDART_VERSION);
  for (int i = 0; i < count; ++i) {
    const cudaDeviceProp p = properties_of(i);
    std::printf("%s\n    {\"name\": %s, \"compute_capability\": \"%d.%d\", \"multiprocessors\": %d, ", i ? "," : "",
                quoted(p.name).c_str(), p.major, p.minor, p.multiProcessorCount);
    std::printf("\"memory_bytes\": %zu, \"copy_gb_per_second\": %.1f, ", p.totalGlobalMem, bandwidth_of(p));
    std::printf("\"max_threads_per_multiprocessor\": %d, \"max_threads_per_block\": %d, \"warp_size\": %d, ",
                p.maxThreadsPerMultiProcessor, p.maxThreadsPerBlock, p.warpSize);
    std::printf("\"shared_bytes_per_block\": %zu, \"shared_bytes_per_block_optin\": %zu, ", p.sharedMemPerBlock,
                p.sharedMemPerBlockOptin);
    std::printf("\"shared_bytes_per_multiprocessor\": %zu}", p.sharedMemPerMultiprocessor);
  }
  std::printf("\n  ],\n  \"variables\": [");
  for (const cohort::engine::setting* s = cohort::engine::settings(); s->name; ++s) {
    const char* const value = cohort::engine::text_of(*s);
    std::printf("%s\n    {\"name\": \"%s\", \"meaning\": %s, \"default\": %s, \"value\": %s}",
                s == cohort::engine::settings() ? "" : ",", s->name, quoted(s->meaning).c_str(),
                quoted(s->default_text).c_str(), value ? quoted(value).c_str() : "null");
  }
  std::printf("\n  ]\n}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const char* const option = argc > 1 ? argv[1] : "";
  if (std::strcmp(option, "--kernels") == 0) {
    if (argc == 3) return print_kernels(argv[2]);
    std::fprintf(stderr, "cohort-info: --kernels needs one file\n%s", usage);
    return 2;
  }
  if (argc > 2) {
    std::fprintf(stderr, "cohort-info: at most one option, not \"%s\" too\n%s", argv[2], usage);
    return 2;
  }
  if (!*option) {
    print_devices();
  } else if (std::strcmp(option, "--env") == 0) {
    print_variables();
  } else if (std::strcmp(option, "--json") == 0) {
    print_json();
  } else if (std::strcmp(option, "--doctor") == 0) {
    return print_doctor();
  } else if (std::strcmp(option, "--help") == 0 || std::strcmp(option, "-h") == 0) {
    std::printf("%s", usage);
  } else {
    std::fprintf(stderr, "cohort-info: unknown option \"%s\"\n%s", option, usage);
    return 2;
  }
  return 0;
}
