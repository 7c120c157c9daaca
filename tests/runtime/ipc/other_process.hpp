// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another process of the same program that serves requests: one request and one answer at a time, over a socket.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "../expect.hpp"

enum class action {
  open_memory,
  open_memory_driver,
  close_memory,
  free_memory,
  size_of,
  fill,
  count_equal,
  export_memory,
  export_again,
  open_event,
  record,
  record_behind_spin,
  query,
  synchronize,
  wait_in_stream,
  destroy_event,
  export_event,
  choose_device,
  reset,
  change_user,
  import_memory,
  map_memory,
  unmap_memory,
  release_handle,
  export_physical,
  import_pool,
  import_pointer,
  allocate_from,
  free_in_stream,
  destroy_pool,
  make_current_pool,
  export_pool_again,
  export_pool,
  export_pointer,
  leave,
};

struct request {
  action what;
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  void* address;
  cudaEvent_t handle;
  size_t bytes;
  int value;
  CUmemGenericAllocationHandle physical;
  cudaMemPool_t pool;
  cudaMemPoolPtrExportData pointer;
};

struct answer {
  int error;
  void* address;
  cudaEvent_t handle;
  size_t number;
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  CUmemGenericAllocationHandle physical;
  cudaMemPool_t pool;
  cudaMemPoolPtrExportData pointer;
};

// Sends a file descriptor through a socket.
bool send_descriptor(int socket, int file);
int receive_descriptor(int socket);

class other_process {
 public:
  explicit other_process(const char* program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::exit(1);
    number_ = fork();
    if (number_ == 0) {
      const int mine = dup(ends[1]);
      char text[16];
      std::snprintf(text, sizeof text, "%d", mine);
      execl(program, program, "serve", text, static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    socket_ = ends[0];
  }
  other_process(const other_process&) = delete;
  ~other_process() {
    if (number_ < 0) return;
    ask({action::leave});
    EXPECT(wait() == 0);
  }

  answer ask(const request& wanted) {
    send(wanted);
    return take_answer();
  }
  // Sends a request together with a file descriptor, and returns the answer.
  answer ask(const request& wanted, int file) {
    send(wanted);
    EXPECT(send_descriptor(socket_, file));
    return take_answer();
  }
  // Receives the descriptor that precedes the answer to a request for an export.
  int descriptor() { return receive_descriptor(socket_); }
  answer take_answer() {
    answer made{};
    EXPECT(recv(socket_, &made, sizeof made, MSG_WAITALL) == sizeof made);
    return made;
  }
  void send(const request& wanted) { EXPECT(write(socket_, &wanted, sizeof wanted) == sizeof wanted); }
  // Returns the exit status, or -1 for a process that a signal ended.
  int wait() {
    int status = 0;
    waitpid(number_, &status, 0);
    close(socket_);
    number_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void kill() {
    ::kill(number_, SIGKILL);
    wait();
  }
  pid_t number() const { return number_; }

  answer open(const cudaIpcMemHandle_t& handle) {
    request wanted{action::open_memory};
    wanted.memory = handle;
    return ask(wanted);
  }
  answer open(const cudaIpcEventHandle_t& handle) {
    request wanted{action::open_event};
    wanted.event = handle;
    return ask(wanted);
  }
  answer with(action what, void* address = nullptr, size_t bytes = 0, int value = 0) {
    request wanted{what};
    wanted.address = address;
    wanted.bytes = bytes;
    wanted.value = value;
    return ask(wanted);
  }
  answer with(action what, cudaEvent_t event) {
    request wanted{what};
    wanted.handle = event;
    return ask(wanted);
  }

 private:
  pid_t number_ = -1;
  int socket_ = -1;
};

// Serves a request about file descriptors or about memory that came by a descriptor.
int run_descriptor_request(int socket, const request& r, answer* a);
// The main function of the process that serves requests.
int serve(int socket);
