// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/fault.hpp"

#include <link.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string>

#include "engine/report/call_stack.hpp"
#include "engine/report/memory_operand.hpp"
#include "engine/report/report.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

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

// Executable ranges of the engine and of the kernels that the watchdog has interrupted. A lane is not abandoned in
// other code, such as libc, where it may hold a lock.
struct code_range {
  std::atomic<uintptr_t> low{0}, high{0};
};
constexpr size_t most_modules = 64;
code_range modules[most_modules];
std::atomic<size_t> module_count{0};

bool may_abandon_at(uintptr_t code) {
  for (size_t i = 0; i < std::min(module_count.load(std::memory_order_acquire), most_modules); ++i) {
    if (code >= modules[i].low.load(std::memory_order_relaxed) &&
        code < modules[i].high.load(std::memory_order_relaxed))
      return true;
  }
  return false;
}

// Stores the executable range that holds the address `wanted`.
int note_range(dl_phdr_info* info, size_t, void* wanted) {
  const auto code = reinterpret_cast<uintptr_t>(wanted);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const uintptr_t low = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) || code < low || code >= low + header.p_memsz) continue;
    const size_t slot = module_count.load(std::memory_order_relaxed) % most_modules;
    modules[slot].high.store(0, std::memory_order_relaxed);
    modules[slot].low.store(low, std::memory_order_relaxed);
    modules[slot].high.store(low + header.p_memsz, std::memory_order_relaxed);
    module_count.fetch_add(1, std::memory_order_release);
    return 1;
  }
  return 0;
}

#if defined(__x86_64__)
uintptr_t program_counter(const ucontext_t* u) { return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RIP]); }
// The address that caused a general protection fault, which the system does not report.
std::optional<uint64_t> accessed(const ucontext_t* u) {
  constexpr int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  uint64_t registers[16];
  for (int i = 0; i < 16; ++i) registers[i] = static_cast<uint64_t>(u->uc_mcontext.gregs[order[i]]);
  return memory_operand(reinterpret_cast<const unsigned char*>(program_counter(u)), registers);
}
uintptr_t stack_pointer(const ucontext_t* u) { return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RSP]); }
// Whether the instruction that faulted at `address` is a return, or the target of a return. A return leaves its address
// below the stack pointer. pre: the stack is readable there
bool has_returned(const ucontext_t* u, uintptr_t address) {
  const uintptr_t at = program_counter(u);
  if (at == address) return reinterpret_cast<const uintptr_t*>(stack_pointer(u))[-1] == at;
  const unsigned char code = *reinterpret_cast<const unsigned char*>(at);
  return code == 0xc2 || code == 0xc3;
}
// True if a call instruction ends at `end`, in the function that begins at `begin`.
bool is_call_before(const unsigned char* begin, const unsigned char* end) {
  constexpr int direct = 5;
  if (end - begin >= direct && end[-direct] == 0xe8) return true;
  // An indirect call has the opcode 0xff and then a byte whose bits 3 to 5 are 2. These are its lengths.
  constexpr int indirect[] = {2, 3, 4, 6, 7};
  return std::any_of(std::begin(indirect), std::end(indirect), [&](int length) {
    return end - begin >= length && end[-length] == 0xff && (end[1 - length] >> 3 & 7) == 2;
  });
}
// The return address of the call whose target is the faulting instruction, or 0. pre: the stack is readable there
uintptr_t caller_of(const ucontext_t* u) {
  const auto* after = *reinterpret_cast<unsigned char* const*>(stack_pointer(u));
  const void* function = _Unwind_FindEnclosingFunction(const_cast<unsigned char*>(after) - 1);
  const bool is_call = function && is_call_before(static_cast<const unsigned char*>(function), after);
  return is_call ? reinterpret_cast<uintptr_t>(after) : 0;
}
void go_to(ucontext_t* u, uintptr_t code, uintptr_t stack) {
  u->uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(code);
  // The ABI's alignment after a call: a multiple of 16, less the return address.
  u->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack - 8);
}
#elif defined(__aarch64__)
uintptr_t program_counter(const ucontext_t* u) { return u->uc_mcontext.pc; }
std::optional<uint64_t> accessed(const ucontext_t*) { return std::nullopt; }
uintptr_t stack_pointer(const ucontext_t* u) { return u->uc_mcontext.sp; }
// True if a return led to `address`: `ret` jumps to the address in the link register and leaves it there. A call leaves
// its return address in that register.
bool has_returned(const ucontext_t* u, uintptr_t address) {
  return program_counter(u) == address && u->uc_mcontext.regs[30] == address;
}
// The return address of the call whose target is the faulting instruction, or 0.
uintptr_t caller_of(const ucontext_t* u) {
  const uintptr_t after = u->uc_mcontext.regs[30];
  return after == program_counter(u) ? 0 : after;
}
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
  go_to(u, reinterpret_cast<uintptr_t>(&leave_after_fault), reinterpret_cast<uintptr_t>(rescue_stack(w)));
}

const void* const unknown_address = reinterpret_cast<const void*>(~uintptr_t{0});

std::atomic<void (*)(const void*, char*, size_t)> describe_address{nullptr};

// Plain stores only: the handler may have interrupted anything.
void note(worker& w, int number, const void* address, uintptr_t at) {
  w.failed.error = error_launch_failure;
  w.failed.signal = number;
  w.failed.address = address;
  w.failed.called = false;
  w.failed.place = reinterpret_cast<const void*>(at + 1);  // like a return address, after the instruction's first byte
}

// Whether the running fiber's stack holds the `above` bytes at the stack pointer, and the word below them.
bool has_on_stack(const ucontext_t* u, size_t above) {
  const stack& s = *current_lane()->fiber->stack;
  const uintptr_t pointer = stack_pointer(u);
  return pointer > reinterpret_cast<uintptr_t>(s.low) && pointer <= reinterpret_cast<uintptr_t>(s.top) - above;
}

// If the fault is a call of `address`, which is no code: the return address of that call. 0 for any other fault.
uintptr_t call_of(const ucontext_t* u, int number, const void* address) {
  const bool is_target =
      (number == SIGSEGV || number == SIGBUS) && reinterpret_cast<uintptr_t>(address) == program_counter(u);
  return is_target && has_on_stack(u, sizeof(uintptr_t)) ? caller_of(u) : 0;
}

// Whether the fault is a return to an address that the kernel has overwritten.
bool is_broken_return(const worker& w, const ucontext_t* u, const void* address) {
  return is_kernel_return(program_counter(u)) ||
         (has_on_stack(u, 0) && w.failed.signal != SIGABRT && has_returned(u, reinterpret_cast<uintptr_t>(address)));
}

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* w = current_worker();
  if (w && current_lane() && w->computing.load(std::memory_order_relaxed)) {
    auto* u = static_cast<ucontext_t*>(raw);
    if (w->failed.unwinding) return redirect(*w, u);
    const void* address = info->si_addr;
    w->failed.misaligned = number == SIGBUS && info->si_code == BUS_ADRALN;
    if (number == SIGSEGV && info->si_code == SI_KERNEL) {
      // A general protection fault: a vector instruction on a misaligned address, or a non-canonical address.
      const std::optional<uint64_t> operand = accessed(u);
      address = operand ? reinterpret_cast<const void*>(*operand) : unknown_address;
      w->failed.misaligned = operand && is_canonical(*operand);
    }
    const uintptr_t at = program_counter(u);
    note(*w, number, address, at);
    w->failed.unwinding = true;
    if (const uintptr_t caller = call_of(u, number, info->si_addr)) {
      w->failed.called = true;
      w->failed.place = reinterpret_cast<const void*>(caller);
      w->failed.caller_count = 0;
    } else if (is_broken_return(*w, u, info->si_addr)) {
      note_overrun(*w);
    } else {
      store_callers(at, w->failed);
    }
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

// Reached on the worker's rescue stack. The frame that __builtin_setjmp() marked waits for the share to end.
void escape_from_share() { __builtin_longjmp(current_worker()->escape, 1); }

void on_abandon(int, siginfo_t*, void* raw) {
  worker* w = current_worker();
  if (w && !w->computing.load(std::memory_order_relaxed) && w->shares.load(std::memory_order_relaxed) &&
      w->must_leave.exchange(false, std::memory_order_relaxed)) {
    go_to(static_cast<ucontext_t*>(raw), reinterpret_cast<uintptr_t>(&escape_from_share),
          reinterpret_cast<uintptr_t>(rescue_stack(*w)));
    return;
  }
  if (!w || !current_lane() || !w->computing.load(std::memory_order_relaxed)) return;
  // The lane has failed and is leaving its fiber. A second signal of the watchdog must not replace the stored place in
  // the kernel by a place in the engine.
  if (w->failed.error) return;
  auto* u = static_cast<ucontext_t*>(raw);
  const uintptr_t at = program_counter(u);
  // Otherwise the watchdog repeats the signal; after a second it sets must_leave.
  if (!may_abandon_at(at) && !w->must_leave.exchange(false, std::memory_order_relaxed)) return;
  note(*w, abandon_signal(), nullptr, at);
  // The checker's functions have no lines of the kernel, so the kernel's call of them is the place.
  w->failed.unwinding = true;
  store_callers(at, w->failed);
  redirect(*w, u);
}

void install() {
  abandon_in_module_of(reinterpret_cast<const void*>(&install));
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

std::string call_sentence(const failure& f) {
  if (!f.address) return "a function was called through a null pointer";
  char text[96];
  std::snprintf(text, sizeof text, "a function was called at address %p, which holds no code", f.address);
  return text;
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
  if (f.called) {
    f.error = error_illegal_address;
    f.sentence = call_sentence(f);
  } else if (f.overrun || ((f.signal == SIGSEGV || f.signal == SIGBUS) && s.lies_below(f.address))) {
    f.error = error_illegal_address;
    f.sentence =
        "a local array was overrun: the words above its function's stack frame, such as the return address, were "
        "overwritten; cohortcc -fsanitize=address names the line";
  } else if (f.signal == abandon_signal()) {
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

char* rescue_stack(const worker& w) {
  const auto top = reinterpret_cast<uintptr_t>(w.rescue_stack.get()) + rescue_stack_bytes;
  return reinterpret_cast<char*>(top / 16 * 16);
}

void note_overrun(worker& w) {
  w.failed.error = error_illegal_address;
  w.failed.overrun = true;
  w.failed.caller_count = 0;
  const void* const plain = plain_kernel(*w.grid);
  const void* const code = plain ? plain : reinterpret_cast<const void*>(w.grid->launch->kernel->thread_entry);
  w.failed.place =
      static_cast<const char*>(code) + 1;  // no source line: the stack with the return addresses was overwritten
}

int abandon_signal() { return SIGRTMIN + 7; }

void abandon_in_module_of(const void* code) {
  if (may_abandon_at(reinterpret_cast<uintptr_t>(code))) return;
  static std::mutex one_writer;
  const std::lock_guard lock(one_writer);
  dl_iterate_phdr(note_range, const_cast<void*>(code));
}

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
