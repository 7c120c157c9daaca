// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fault.hpp"

#include <link.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "../state/running.hpp"
#include "../state/worker.hpp"
#include "call_stack.hpp"
#include "memory_operand.hpp"

namespace cohort::engine {

namespace {

constexpr size_t signal_stack_bytes = 64 * 1024;
constexpr size_t rescue_stack_bytes = 64 * 1024;

struct handled {
  int number;
  struct sigaction before;
};
handled handled_signals[] = {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGILL, {}}, {SIGFPE, {}}, {SIGABRT, {}}, {0, {}}};

__thread stack_t stack_before;

// Executable range of the main program. A lane is not abandoned inside libc, where it may hold a lock.
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
  return 1;  // stops after the first object, which is the main program
}

#if defined(__x86_64__)
uintptr_t program_counter(const ucontext_t* u) { return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RIP]); }
// The address that a general protection fault is about, which the system does not report.
std::optional<uint64_t> accessed(const ucontext_t* u) {
  constexpr int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  uint64_t registers[16];
  for (int i = 0; i < 16; ++i) registers[i] = static_cast<uint64_t>(u->uc_mcontext.gregs[order[i]]);
  return memory_operand(reinterpret_cast<const unsigned char*>(program_counter(u)), registers);
}
void go_to(ucontext_t* u, uintptr_t code, uintptr_t stack) {
  u->uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(code);
  // The ABI's alignment after a call: a multiple of 16, less the return address.
  u->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack - 8);
}
#elif defined(__aarch64__)
uintptr_t program_counter(const ucontext_t* u) { return u->uc_mcontext.pc; }
std::optional<uint64_t> accessed(const ucontext_t*) { return std::nullopt; }
void go_to(ucontext_t* u, uintptr_t code, uintptr_t stack) {
  u->uc_mcontext.pc = code;
  u->uc_mcontext.sp = stack;
}
#else
#error "fault.cpp supports x86-64 and AArch64; add the program counter and the stack pointer of this CPU"
#endif

// A faulting fiber continues here, on a small stack of the worker, because its own stack may be full.
void leave_after_fault() { give_up(*current_worker()); }

void redirect(worker& w, ucontext_t* u) {
  const auto top = reinterpret_cast<uintptr_t>(w.rescue_stack.get()) + rescue_stack_bytes;
  go_to(u, reinterpret_cast<uintptr_t>(&leave_after_fault), top / 16 * 16);
}

const void* const unknown_address = reinterpret_cast<const void*>(~uintptr_t{0});

std::atomic<void (*)(const void*, char*, size_t)> describe_address{nullptr};

// Plain stores only: the handler may have interrupted anything.
void note(worker& w, int number, const void* address, uintptr_t at) {
  w.failed.error = error_launch_failure;
  w.failed.signal = number;
  w.failed.address = address;
  w.failed.place = reinterpret_cast<const void*>(at + 1);  // as a return address: one byte behind the instruction
}

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* w = current_worker();
  if (w && current_lane() && w->computing.load(std::memory_order_relaxed)) {
    auto* u = static_cast<ucontext_t*>(raw);
    if (w->failed.unwinding) return redirect(*w, u);
    const void* address = info->si_addr;
    w->failed.misaligned = number == SIGBUS && info->si_code == BUS_ADRALN;
    if (number == SIGSEGV && info->si_code == SI_KERNEL) {
      // A general protection fault: a vector instruction on a misaligned address, or an address that none can have.
      const std::optional<uint64_t> operand = accessed(u);
      address = operand ? reinterpret_cast<const void*>(*operand) : unknown_address;
      w->failed.misaligned = operand && is_canonical(*operand);
    }
    const uintptr_t at = program_counter(u);
    note(*w, number, address, at);
    w->failed.unwinding = true;
    store_callers(at, w->failed);
    redirect(*w, u);
    return;
  }
  for (handled& h : handled_signals) {
    if (h.number != number) continue;
    if (h.before.sa_flags & SA_SIGINFO) return h.before.sa_sigaction(number, info, raw);
    if (h.before.sa_handler == SIG_IGN) return;
    if (h.before.sa_handler != SIG_DFL) return h.before.sa_handler(number);
    // Restores the default action; the instruction then faults again.
    signal(number, SIG_DFL);
    return;
  }
}

void on_abandon(int, siginfo_t*, void* raw) {
  worker* w = current_worker();
  if (!w || !current_lane() || !w->computing.load(std::memory_order_relaxed)) return;
  // The lane has failed already and is leaving its fiber. A second signal of the watchdog may arrive then. It must not
  // replace the noted place, which is in the kernel, by one in the engine.
  if (w->failed.error) return;
  auto* u = static_cast<ucontext_t*>(raw);
  const uintptr_t at = program_counter(u);
  if (at < program_low || at >= program_high) return;  // the watchdog sends the signal again
  note(*w, abandon_signal(), nullptr, at);
  // The checker's functions have no lines of the kernel: its call of them is the place.
  w->failed.unwinding = true;
  store_callers(at, w->failed);
  redirect(*w, u);
}

void install() {
  dl_iterate_phdr(note_program, nullptr);
  struct sigaction action{};
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

std::string access_sentence(const failure& f) {
  if (f.address == unknown_address) return "illegal address (not a canonical one) was accessed";
  char text[64];
  std::snprintf(text, sizeof text, "%s address %p was accessed",
                f.misaligned         ? "misaligned"
                : f.signal == SIGBUS ? "vanished"
                                     : "illegal",
                f.address);
  std::string sentence = text;
  if (f.misaligned) return sentence;
  if (!is_canonical(reinterpret_cast<uintptr_t>(f.address))) return sentence + ", which no pointer can have";
  char description[512] = "";
  if (const auto describe = describe_address.load(std::memory_order_acquire)) {
    describe(f.address, description, sizeof description);
  }
  return *description ? sentence + ": " + description : sentence;
}

}  // namespace

void explain_fault(worker& w, const stack& s) {
  failure& f = w.failed;
  if (f.signal == abandon_signal()) {
    f.error = error_launch_timeout;
    f.sentence = "the thread has run for ten times COHORT_TIMEOUT without a wait or a return: an endless loop?";
  } else if ((f.signal == SIGSEGV || f.signal == SIGBUS) && s.guards(f.address)) {
    f.error = error_hardware_stack_error;
    f.sentence = "stack overflow: the thread used up its stack of " + std::to_string(w.stacks.bytes() / 1024) +
                 " KiB; look for runaway recursion or large local arrays, or raise the limit with "
                 "cudaDeviceSetLimit(cudaLimitStackSize, bytes) or COHORT_STACK";
  } else if (f.signal == SIGSEGV || f.signal == SIGBUS) {
    f.error = f.misaligned ? error_misaligned_address : error_illegal_address;
    f.sentence = access_sentence(f);
  } else if (f.signal == SIGFPE) {
    f.sentence = "integer division by zero, or its result does not fit";
  } else if (f.signal == SIGABRT) {
    f.sentence = "abort() was called: by the kernel, or by the C library, which found its memory corrupted";
  } else {
    f.error = error_illegal_instruction;
    f.sentence = "illegal instruction";
  }
}

void describe_addresses_by(void (*describe)(const void* address, char* text, size_t size)) {
  describe_address.store(describe, std::memory_order_release);
}

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
