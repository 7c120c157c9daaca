// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's CPU device, pocl on Debian, with the kernels of peers/cl. Any error ends the program with OpenCL's number
// and the call.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

// A buffer over host memory, without copies.
class opencl_buffer {
 public:
  opencl_buffer() = default;
  opencl_buffer(void* host, size_t bytes);
  ~opencl_buffer();
  opencl_buffer(opencl_buffer&& other) noexcept : handle_(other.handle_), bytes_(other.bytes_) {
    other.handle_ = nullptr;
  }
  opencl_buffer& operator=(opencl_buffer&&) = delete;
  opencl_buffer(const opencl_buffer&) = delete;
  opencl_buffer& operator=(const opencl_buffer&) = delete;

  // Makes what kernels wrote visible in the host memory.
  void update_host() const;
  const void* argument() const { return &handle_; }

 private:
  void* handle_ = nullptr;
  size_t bytes_ = 0;
};

struct opencl_shape {
  size_t groups[2];
  size_t items[2];

  static opencl_shape line(size_t groups, size_t items) { return {{groups, 1}, {items, 1}}; }
};

class opencl {
 public:
  // Made at the first use, because pocl's compiler takes a second.
  static opencl& peer();

  // Returns the reason why OpenCL cannot be used, or an empty string.
  const std::string& unavailable() const { return unavailable_; }
  bool has_sub_groups() const;
  std::string version() const;

  // Runs a kernel and waits for it.
  template <class... Arguments>
  void run(const char* kernel, const opencl_shape& shape, const Arguments&... arguments) {
    const argument all[] = {as_argument(arguments)...};
    run(kernel, shape, all, sizeof...(arguments));
  }

 private:
  struct argument {
    const void* value;
    size_t bytes;
  };
  struct state;
  friend class opencl_buffer;

  opencl();
  ~opencl();
  template <class T>
  static argument as_argument(const T& value) {
    return {&value, sizeof value};
  }
  static argument as_argument(const opencl_buffer& buffer) { return {buffer.argument(), sizeof(void*)}; }
  void run(const char* kernel, const opencl_shape& shape, const argument* arguments, size_t count);

  state* state_ = nullptr;
  std::string unavailable_;
};

}  // namespace bench
