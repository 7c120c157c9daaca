// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an image: a shared library that holds the device half of one source, made by `cohortcc -fatbin`.
#pragma once

#include <elf.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cohort::runtime {

class elf_image {
 public:
  // The number of bytes of the library that begins at `data`; 0 if no shared library for this CPU begins there.
  static size_t size_of(const void* data);

  elf_image(const void* data, size_t bytes);

  // Writes the addresses of this process's functions into the copy, in place of the relocations for them. Returns an
  // empty text, or a sentence that says why the process cannot load the bytes.
  std::string bind();

  const std::vector<char>& bytes() const { return bytes_; }

 private:
  // The bytes of the file that are loaded to `address`; null unless all of them are in the file.
  char* at(Elf64_Addr address, size_t bytes);
  std::string bind_entries(Elf64_Addr table, size_t bytes);
  std::string bind_entry(Elf64_Rela& entry);
  const char* symbol_name(const Elf64_Rela& entry);

  std::vector<char> bytes_;
  Elf64_Addr symbols_ = 0, names_ = 0;
  size_t names_bytes_ = 0;
  bool registers_ = false;  // the image calls cohort_register_module
};

}  // namespace cohort::runtime
