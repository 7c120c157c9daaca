// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fault.hpp"

#include <link.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <mutex>

#include "worker.hpp"

namespace cohort::engine {

namespace {

constexpr size_t signal_stack_bytes = 64 * 1024;
constexpr size_t rescue_stack_bytes = 64 * 1024;

struct handled {
  int number;
  struct sigaction before;
};
handled handled_signals[] = {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGILL, {}}, {SIGFPE, {}}, {0, {}}};

__thread stack_t stack_before;

// Executable range of the main program: forced abandonment must not cut into libc, which may hold a lock.
uintptr_t program_low = 0;
uintptr_t program_high = 0;

int note_program(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    const uintptr_t low = info->dlpi_addr + header.p_vaddr;
    program_low = low;
    program_high = low + header.p_memsz;
  }
  return 1;  // the main program comes first
}

#if defined(__x86_64__)
uintptr_t program_counter(const ucontext_t* u) { return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RIP]); }
void go_to(ucontext_t* u, uintptr_t code, uintptr_t stack) {
  u->uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(code);
  // As after a call: the stack pointer is a multiple of 16 less the return address.
  u->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack - 8);
}
#elif defined(__aarch64__)
uintptr_t program_counter(const ucontext_t* u) { return u->uc_mcontext.pc; }
void go_to(ucontext_t* u, uintptr_t code, uintptr_t stack) {
  u->uc_mcontext.pc = code;
  u->uc_mcontext.sp = stack;
}
#else
#error "fault.cpp knows x86-64 and AArch64; add the program counter and the stack pointer of this CPU"
#endif

// Where a faulting fiber goes on: on a small stack of the worker's, because its own may be full.
void leave_after_fault() {
  worker& w = *current_worker();
  thread* self = current_thread();
  before_switch(nullptr, w.home_sanitizer);
  cohort_switch(&self->registers, &w.home);
  __builtin_unreachable();
}

void redirect(worker& w, ucontext_t* u) {
  const auto top = reinterpret_cast<uintptr_t>(w.rescue_stack.get()) + rescue_stack_bytes;
  go_to(u, reinterpret_cast<uintptr_t>(&leave_after_fault), top / 16 * 16);
}

std::string hexadecimal(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

failure explain(int number, siginfo_t* info, const stack& s) {
  if (number == SIGSEGV || number == SIGBUS) {
    if (s.guards(info->si_addr)) {
      const auto bytes = static_cast<unsigned long long>(s.top - s.low) / 1024;
      return {error_hardware_stack,
              "stack overflow: the thread used up its stack of " + std::to_string(bytes) +
                  " KiB; look for runaway recursion or large local arrays, or raise the limit with "
                  "cudaDeviceSetLimit(cudaLimitStackSize, bytes) or COHORT_STACK",
              nullptr, false};
    }
    const char* what = number == SIGBUS ? "misaligned or vanished address " : "illegal address ";
    return {error_illegal_address, what + hexadecimal(info->si_addr) + " was accessed", nullptr, false};
  }
  if (number == SIGFPE) return {error_launch_failure, "integer division by zero, or its result does not fit", nullptr, false};
  return {error_illegal_instruction, "illegal instruction", nullptr, false};
}

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* w = current_worker();
  if (w && current_thread() && w->computing.load(std::memory_order_relaxed)) {
    auto* u = static_cast<ucontext_t*>(raw);
    // The report needs memory. The fault came from the kernel's own code, so that no lock of the allocator is held
    // unless the kernel corrupted it.
    w->failed = explain(number, info, *current_thread()->stack);
    w->failed.place = reinterpret_cast<const void*>(program_counter(u) + 1);
    redirect(*w, u);
    return;
  }
  for (handled& h : handled_signals) {
    if (h.number != number) continue;
    if (h.before.sa_flags & SA_SIGINFO) return h.before.sa_sigaction(number, info, raw);
    if (h.before.sa_handler == SIG_IGN) return;
    if (h.before.sa_handler != SIG_DFL) return h.before.sa_handler(number);
    // Back to the default, and the instruction faults again.
    signal(number, SIG_DFL);
    return;
  }
}

void on_abandon(int, siginfo_t*, void* raw) {
  worker* w = current_worker();
  if (!w || !current_thread() || !w->computing.load(std::memory_order_relaxed)) return;
  auto* u = static_cast<ucontext_t*>(raw);
  const uintptr_t at = program_counter(u);
  if (at < program_low || at >= program_high) return;  // the watchdog asks again
  w->failed = {error_launch_timeout,
               "the thread has run for ten times COHORT_TIMEOUT without a wait or a return: an endless loop?",
               reinterpret_cast<const void*>(at + 1), false};
  redirect(*w, u);
}

void install() {
  dl_iterate_phdr(note_program, nullptr);
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = on_fault;
  for (handled& h : handled_signals) {
    if (h.number) sigaction(h.number, &action, &h.before);
  }
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  action.sa_sigaction = on_abandon;
  sigaction(abandon_signal(), &action, nullptr);
}

}  // namespace

int abandon_signal() { return SIGRTMIN + 7; }

void prepare_faults(worker& w) {
  static std::once_flag once;
  std::call_once(once, install);
  if (!w.signal_stack) {
    w.signal_stack.reset(new char[signal_stack_bytes]);
    w.rescue_stack.reset(new char[rescue_stack_bytes]);
  }
  stack_t mine{};
  mine.ss_sp = w.signal_stack.get();
  mine.ss_size = signal_stack_bytes;
  sigaltstack(&mine, &stack_before);
}

void restore_faults(worker&) { sigaltstack(&stack_before, nullptr); }

}  // namespace cohort::engine
