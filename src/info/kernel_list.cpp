// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's plugin writes one note for each module (src/compiler/plugin/loops/kernel_notes.cpp). Object files have
// it in a section, programs and libraries in a segment, also after strip.
#include "info/kernel_list.hpp"

#include <elf.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view owner{"Cohort\0", 7};  // the name of a note's owner, with its closing zero
constexpr uint32_t kernels_type = 1;
constexpr size_t note_alignment = 4;

std::optional<std::string> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return file.bad() ? std::nullopt : std::optional(std::move(bytes));
}

// Copies a T out of `bytes`. False if it does not lie inside.
template <class T>
bool read_at(std::string_view bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
  return offset < bytes.size() ? bytes.substr(offset, size) : std::string_view();
}

// The ranges of the file that hold notes, once each.
std::vector<std::string_view> note_ranges(std::string_view file, const Elf64_Ehdr& header) {
  std::vector<std::string_view> ranges;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (read_at(file, header.e_phoff + i * header.e_phentsize, segment) && segment.p_type == PT_NOTE) {
      ranges.push_back(part(file, segment.p_offset, segment.p_filesz));
    }
  }
  if (header.e_phnum) return ranges;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (read_at(file, header.e_shoff + i * header.e_shentsize, section) && section.sh_type == SHT_NOTE) {
      ranges.push_back(part(file, section.sh_offset, section.sh_size));
    }
  }
  return ranges;
}

// Appends the lines of Cohort's notes in `notes`.
void collect_lines(std::string_view notes, std::set<std::string>& lines) {
  const auto padded = [](uint64_t size) { return (size + note_alignment - 1) / note_alignment * note_alignment; };
  Elf64_Nhdr head;
  for (uint64_t at = 0; read_at(notes, at, head);) {
    const uint64_t text = at + sizeof head + padded(head.n_namesz);
    if (head.n_type == kernels_type && part(notes, at + sizeof head, head.n_namesz) == owner) {
      std::istringstream stream{std::string(part(notes, text, head.n_descsz))};
      for (std::string line; std::getline(stream, line);) lines.insert(line);
    }
    at = text + padded(head.n_descsz);
  }
}

// "thread loop 4x32 32" as " thread, loop, gangs of 4 rows of 32, gangs of 32".
std::string readable_ways(const std::string& words) {
  std::string text;
  std::istringstream versions(words);
  const char* separator = " ";
  for (std::string version; versions >> version; separator = ", ") {
    const bool is_gang = version.find_first_not_of("0123456789x") == std::string::npos;
    if (const size_t rows = version.find('x'); is_gang && rows != std::string::npos) {
      version.replace(rows, 1, " rows of ");
    }
    text += separator + (is_gang ? "gangs of " + version : version);
  }
  return text;
}

// "kernel<TAB>thread 32<TAB>znver5 thread 64" as "kernel: thread, gangs of 32; on znver5: thread, gangs of 64".
std::string readable(const std::string& line) {
  std::istringstream parts(line);
  std::string text, part;
  std::getline(parts, text, '\t');
  text += ":";
  for (bool is_first = true; std::getline(parts, part, '\t'); is_first = false) {
    const size_t space = is_first ? 0 : part.find(' ');
    if (!is_first) text += "; on " + part.substr(0, space) + ":";
    text += readable_ways(space < part.size() ? part.substr(space) : "");
  }
  return text;
}

}  // namespace

int print_kernels(const char* path) {
  const std::optional<std::string> file = read_file(path);
  if (!file) {
    std::fprintf(stderr, "cohort-info: cannot read %s\n", path);
    return 1;
  }
  Elf64_Ehdr header;
  if (!read_at(*file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    std::fprintf(stderr, "cohort-info: %s is no program, shared library or object file (ELF, 64 bits)\n", path);
    return 1;
  }
  std::set<std::string> lines;
  for (const std::string_view notes : note_ranges(*file, header)) collect_lines(notes, lines);
  for (const std::string& line : lines) std::printf("%s\n", readable(line).c_str());
  if (lines.empty()) std::fprintf(stderr, "cohort-info: %s has no kernels that cohortcc compiled\n", path);
  return lines.empty() ? 1 : 0;
}
