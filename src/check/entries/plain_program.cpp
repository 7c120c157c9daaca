// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of plain C++ programs that link cohort::check: it finds races, as --check=race does, and replaces
// ThreadSanitizer's runtime. Memory that a kernel allocates starts without a history, although another thread may have
// freed it.
#include <malloc.h>
#include <unistd.h>

#include <cohort/machine/cpu/port.hpp>
#include <cstdlib>
#include <new>
#include <string_view>

#include "check/memory/shadow.hpp"

extern "C" {
extern const char cohort_check_finds_race;
// A reference to this name makes the linker add this file, which is in an archive, to the program.
extern const void* const cohort_check_plain_program;
const void* const cohort_check_plain_program = &cohort_check_finds_race;

// A function that only ThreadSanitizer's runtime has.
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
}

namespace {

// Refuses a program with both runtimes: some accesses would reach one of them and some the other.
__attribute__((constructor)) void refuse_other_runtime() {
  if (!&__tsan_create_fiber) return;
  constexpr std::string_view sentence =
      "cohort: this program is linked with -fsanitize=thread, and so contains ThreadSanitizer's runtime, whose place "
      "cohort::check takes. Compile the kernels with that option, and link without it.\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(2);
}

void* without_history(void* memory) {
  if (cohort_current_thread && memory) cohort::check::clear_allocated(memory, malloc_usable_size(memory));
  return memory;
}

void* not_null(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The link options of cohort::check replace these functions of the C library.
extern "C" {
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* memory, size_t bytes);
void* __wrap_malloc(size_t bytes) { return without_history(__real_malloc(bytes)); }
void* __wrap_calloc(size_t count, size_t bytes) { return without_history(__real_calloc(count, bytes)); }
void* __wrap_realloc(void* memory, size_t bytes) { return without_history(__real_realloc(memory, bytes)); }
}

// The other forms of `new` call these two, and each `delete` calls free(). Weak: a program may have its own.
__attribute__((weak)) void* operator new(size_t bytes) { return not_null(__wrap_malloc(bytes != 0 ? bytes : 1)); }
__attribute__((weak)) void* operator new(size_t bytes, std::align_val_t alignment) {
  const auto multiple = static_cast<size_t>(alignment);
  return not_null(without_history(std::aligned_alloc(multiple, (bytes + multiple - 1) / multiple * multiple)));
}
