// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/device_variable_copies.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <cohort/base/limits.hpp>
#include <cohort/base/round_up.hpp>

#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t page = 4096;
// Inaccessible bytes on each side of a copy: a multiple of every page size.
constexpr size_t margin = size_t{1} << 20;

// Copies bytes, but skips pages of zeros: large arrays then use memory only after they are written.
void copy_pages(char* to, const char* from, size_t bytes) {
  static const char zeros[page] = {};
  for (size_t at = 0; at < bytes; at += page) {
    const size_t part = std::min(page, bytes - at);
    if (std::memcmp(from + at, zeros, part) != 0) std::memcpy(to + at, from + at, part);
  }
}

// Clears bytes, but skips pages of zeros: pages that were never written use no memory.
void clear_pages(char* to, size_t bytes) {
  static const char zeros[page] = {};
  for (size_t at = 0; at < bytes; at += page) {
    const size_t part = std::min(page, bytes - at);
    if (std::memcmp(to + at, zeros, part) != 0) std::memset(to + at, 0, part);
  }
}

}  // namespace

lazy_bytes::lazy_bytes(const char* first, size_t bytes) {
  const size_t offset = reinterpret_cast<uintptr_t>(first) % page;
  mapped_bytes_ = margin + detail::round_up(offset + bytes, page) + margin;
  void* const made = mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) throw std::bad_alloc();
  mapped_ = static_cast<char*>(made);
  if (mprotect(begin(), static_cast<size_t>(end() - begin()), PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped_, mapped_bytes_);
    throw std::bad_alloc();
  }
  data_ = begin() + offset;
}

char* lazy_bytes::begin() const { return mapped_ + margin; }
char* lazy_bytes::end() const { return mapped_ + mapped_bytes_ - margin; }

bool lazy_bytes::surrounds(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  return mapped_ && at >= mapped_ && at < mapped_ + mapped_bytes_;
}

lazy_bytes::lazy_bytes(lazy_bytes&& other) noexcept { *this = std::move(other); }

lazy_bytes& lazy_bytes::operator=(lazy_bytes&& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(data_, other.data_);
  return *this;
}

lazy_bytes::~lazy_bytes() {
  if (mapped_) munmap(mapped_, mapped_bytes_);
}

device_variable_copies::device_variable_copies(const std::vector<const cohort_module*>& units, guard_mode mode)
    : mode_(mode),
      begin_(units.front()->own_begin),
      bytes_(static_cast<size_t>(units.front()->own_end - units.front()->own_begin)),
      span_(begin_),
      deltas_(units.front()->deltas),
      compiled_(begin_, bytes_) {
  copy_pages(compiled_.data(), begin_, bytes_);
  char* end = begin_ + bytes_;
  for (const cohort_module* unit : units) {
    filler_.add(*unit);
    for (uint64_t i = 0; i < unit->zero_count; ++i) {
      span_ = std::min(span_, unit->zeros[i].address);
      end = std::max(end, unit->zeros[i].address + unit->zeros[i].bytes);
    }
  }
  span_bytes_ = static_cast<size_t>(end - span_);
  copies_.resize(static_cast<size_t>(std::min(device_count(), max_devices)));
  for (int device = mode == guard_mode::off ? 1 : 0; device < devices(); ++device) make_copy(device);
}

void device_variable_copies::make_copy(int device) {
  copies_[static_cast<size_t>(device)] = lazy_bytes(span_, span_bytes_);
  char* const copy = copies_[static_cast<size_t>(device)].data();
  deltas_[device] = static_cast<int64_t>(reinterpret_cast<uintptr_t>(copy) - reinterpret_cast<uintptr_t>(span_));
  copy_pages(copy + (begin_ - span_), compiled_.data(), bytes_);
  fill(device);
}

device_variable_copies::~device_variable_copies() {
  for (int device = 0; device < devices(); ++device) end_red_zones(device);
}

void device_variable_copies::fill(int device) const {
  const lazy_bytes& copy = copies_[static_cast<size_t>(device)];
  if (mode_ == guard_mode::strict) {
    filler_.fill(copy.begin() - deltas_[device], copy.end() - deltas_[device], deltas_[device]);
  }
  make_red_zones(device);
}

void device_variable_copies::make_red_zones(int device) const {
  const lazy_bytes& copy = copies_[static_cast<size_t>(device)];
  filler_.make_red_zones(copy.begin() - deltas_[device], copy.end() - deltas_[device], deltas_[device]);
}

void device_variable_copies::end_red_zones(int device) const {
  if (!has_mapping(device)) return;
  const lazy_bytes& copy = copies_[static_cast<size_t>(device)];
  filler_.end_red_zones(copy.begin() - deltas_[device], copy.end() - deltas_[device], deltas_[device]);
}

const char* device_variable_copies::find_damage(int device) const {
  if (mode_ != guard_mode::strict || device >= devices()) return nullptr;
  const lazy_bytes& copy = copies_[static_cast<size_t>(device)];
  return filler_.find_damage(copy.begin() - deltas_[device], copy.end() - deltas_[device], deltas_[device]);
}

bool device_variable_copies::find_nearest(const void* address, cohort_own_variable* found) const {
  for (int device = 0; device < devices(); ++device) {
    if (!copies_[static_cast<size_t>(device)].surrounds(address)) continue;
    if (!filler_.find_nearest(static_cast<const char*>(address) - deltas_[device], found)) return false;
    found->address += deltas_[device];
    return true;
  }
  return false;
}

void device_variable_copies::relocate(const cohort_module& module, int device) const {
  const int64_t delta = deltas_[device];
  for (uint64_t i = 0; i < module.place_count; ++i) {
    const auto at = module.places[i] - begin_;
    uint64_t address = 0;
    // Starts from the compiled value, because two units can list the same address, in a variable that both define and
    // the linker merges.
    std::memcpy(&address, compiled_.data() + at, sizeof address);
    address += static_cast<uint64_t>(delta);
    std::memcpy(begin_ + at + delta, &address, sizeof address);
  }
}

void device_variable_copies::add(const cohort_module& module) {
  units_.push_back(&module);
  for (int device = 0; device < devices(); ++device) end_red_zones(device);
  filler_.add(module);
  for (int device = 0; device < devices(); ++device) {
    if (!has_mapping(device)) continue;
    // The filler may have overwritten the variables of a unit that was registered late.
    for (uint64_t i = 0; mode_ == guard_mode::strict && i < module.filled_count; ++i) {
      const cohort_own_variable& v = module.filled[i];
      std::memcpy(v.address + deltas_[device], compiled_.data() + (v.address - begin_), v.bytes);
    }
    relocate(module, device);
    make_red_zones(device);
  }
}

bool device_variable_copies::remove(const cohort_module& module) {
  std::erase(units_, &module);
  return !units_.empty();
}

const char* device_variable_copies::find(const void* address, int* device) const {
  const char* const at = static_cast<const char*>(address);
  for (int d = 0; d < devices(); ++d) {
    if (at < copy_of(d) || at >= copy_of(d) + span_bytes_) continue;
    *device = d;
    return span_ + (at - copy_of(d));
  }
  return nullptr;
}

void device_variable_copies::restore(int device) {
  if (device >= devices()) return;
  end_red_zones(device);
  std::memcpy(begin_ + deltas_[device], compiled_.data(), bytes_);
  for (const cohort_module* unit : units_) {
    for (uint64_t i = 0; i < unit->zero_count; ++i)
      clear_pages(unit->zeros[i].address + deltas_[device], unit->zeros[i].bytes);
    if (has_mapping(device)) relocate(*unit, device);
  }
  if (has_mapping(device)) fill(device);
}

}  // namespace cohort::runtime
