// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cohort/base/round_up.hpp>

namespace cohort::check {

namespace {
constexpr size_t page = 4096;
constexpr size_t worth_a_call = 16 * page;  // below it, writing zeros is faster than a system call
}  // namespace

void* lazy_pages(size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages != MAP_FAILED) return pages;
  std::fprintf(stderr, "cohort: the checker needs %zu bytes of address space, and the system has none left\n", bytes);
  std::abort();
}

void clear_pages(void* first, size_t bytes) {
  char* const begin = static_cast<char*>(first);
  if (bytes < worth_a_call) {
    std::memset(begin, 0, bytes);
    return;
  }
  char* const first_page = reinterpret_cast<char*>(cohort::detail::round_up(reinterpret_cast<uintptr_t>(begin), page));
  char* const end = begin + bytes;
  char* const last_page = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(end) / page * page);
  std::memset(begin, 0, static_cast<size_t>(first_page - begin));
  madvise(first_page, static_cast<size_t>(last_page - first_page), MADV_DONTNEED);
  std::memset(last_page, 0, static_cast<size_t>(end - last_page));
}

}  // namespace cohort::check
