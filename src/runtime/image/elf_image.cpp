// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/elf_image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/image/image_ports.hpp"

namespace cohort::runtime {
namespace {

// The relocations that are used: none, the offset of a thread-local variable, and the address of a symbol.
#if defined(__aarch64__)
constexpr uint32_t machine = EM_AARCH64, none = R_AARCH64_NONE, thread_distance = R_AARCH64_TLS_TPREL;
constexpr uint32_t addresses[] = {R_AARCH64_ABS64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT};
#else
constexpr uint32_t machine = EM_X86_64, none = R_X86_64_NONE, thread_distance = R_X86_64_TPOFF64;
constexpr uint32_t addresses[] = {R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT};
#endif

// The offset of cohort_current_thread from the thread pointer. Equal in all threads, because it has the initial-exec
// model.
int64_t current_thread_distance() {
  return reinterpret_cast<const char*>(&cohort_current_thread) - static_cast<const char*>(__builtin_thread_pointer());
}

}  // namespace

size_t elf_image::size_of(const void* data) {
  const char* const first = static_cast<const char*>(data);
  for (int i = 0; i < SELFMAG; ++i) {
    if (first[i] != ELFMAG[i]) return 0;  // byte by byte: `data` may be a text that is shorter than the magic
  }
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof header);
  const bool usable = header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
                      header.e_type == ET_DYN && header.e_machine == machine &&
                      header.e_shentsize == sizeof(Elf64_Shdr);
  // The linker writes the table of sections last.
  return usable ? header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr) : 0;
}

elf_image::elf_image(const void* data, size_t bytes)
    : bytes_(static_cast<const char*>(data), static_cast<const char*>(data) + bytes) {}

char* elf_image::at(Elf64_Addr address, size_t bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes_.data(), sizeof header);
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const size_t place = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (place + sizeof(Elf64_Phdr) > bytes_.size()) return nullptr;
    Elf64_Phdr part;
    std::memcpy(&part, bytes_.data() + place, sizeof part);
    if (part.p_type != PT_LOAD || address < part.p_vaddr || address - part.p_vaddr > part.p_filesz) continue;
    const size_t offset = part.p_offset + (address - part.p_vaddr);
    const bool inside = bytes <= part.p_filesz - (address - part.p_vaddr) && offset + bytes <= bytes_.size();
    return inside ? bytes_.data() + offset : nullptr;
  }
  return nullptr;
}

const char* elf_image::symbol_name(const Elf64_Rela& entry) {
  const char* const symbol = at(symbols_ + ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
  if (!symbol) return nullptr;
  Elf64_Sym found;
  std::memcpy(&found, symbol, sizeof found);
  if (found.st_shndx != SHN_UNDEF || found.st_name >= names_bytes_) return "";
  const char* const name = at(names_ + found.st_name, 1);
  return name && std::memchr(name, 0, names_bytes_ - found.st_name) ? name : nullptr;
}

std::string elf_image::bind_entry(Elf64_Rela& entry) {
  const char* const text = symbol_name(entry);
  if (!text) return "its table of symbols is damaged";
  const std::string_view name = text;
  const uint32_t kind = ELF64_R_TYPE(entry.r_info);
  int64_t value = 0;
  if (kind == thread_distance && name == "cohort_current_thread") {
    value = current_thread_distance();
  } else if (const void* const port = find_image_port(name)) {
    if (std::find(std::begin(addresses), std::end(addresses), kind) == std::end(addresses)) {
      return "it reaches '" + std::string(name) + "' in a way that this library does not know";
    }
    registers_ |= name == "cohort_register_module";
    value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(port));
  } else if (name.substr(0, 7) == "cohort_") {
    return "it calls '" + std::string(name) + "', which this library does not have";
  } else {
    return "";  // a function of the C library: the dynamic linker binds it
  }
  value += entry.r_addend;
  char* const place = at(entry.r_offset, sizeof value);
  if (!place) return "its relocations are damaged";
  std::memcpy(place, &value, sizeof value);
  entry.r_info = ELF64_R_INFO(0, none);
  return "";
}

std::string elf_image::bind_entries(Elf64_Addr table, size_t bytes) {
  char* const entries = at(table, bytes);
  if (!entries && bytes != 0) return "its relocations are damaged";
  for (size_t offset = 0; offset + sizeof(Elf64_Rela) <= bytes; offset += sizeof(Elf64_Rela)) {
    Elf64_Rela entry;
    std::memcpy(&entry, entries + offset, sizeof entry);
    if (const std::string problem = bind_entry(entry); !problem.empty()) return problem;
    std::memcpy(entries + offset, &entry, sizeof entry);
  }
  return "";
}

std::string elf_image::bind() {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes_.data(), sizeof header);
  Elf64_Addr tables[2] = {};
  size_t sizes[2] = {};
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const size_t place = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (place + sizeof(Elf64_Phdr) > bytes_.size()) return "its headers are damaged";
    Elf64_Phdr part;
    std::memcpy(&part, bytes_.data() + place, sizeof part);
    if (part.p_type != PT_DYNAMIC) continue;
    const char* const entries = at(part.p_vaddr, part.p_filesz);
    for (size_t at_byte = 0; entries && at_byte + sizeof(Elf64_Dyn) <= part.p_filesz; at_byte += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      std::memcpy(&entry, entries + at_byte, sizeof entry);
      if (entry.d_tag == DT_SYMTAB) symbols_ = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRTAB) names_ = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) names_bytes_ = entry.d_un.d_val;
      if (entry.d_tag == DT_RELA) tables[0] = entry.d_un.d_ptr;
      if (entry.d_tag == DT_RELASZ) sizes[0] = entry.d_un.d_val;
      if (entry.d_tag == DT_JMPREL) tables[1] = entry.d_un.d_ptr;
      if (entry.d_tag == DT_PLTRELSZ) sizes[1] = entry.d_un.d_val;
    }
  }
  for (int i = 0; i < 2; ++i) {
    if (const std::string problem = bind_entries(tables[i], sizes[i]); !problem.empty()) return problem;
  }
  return registers_ ? "" : "cohortcc did not make it";
}

}  // namespace cohort::runtime
