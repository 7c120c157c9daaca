// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ interface of NVTX, version 1: ranges that end with their scope, and domains, categories and registered
// strings that are made at their first use. Marks and ranges go to the trace of the program, as those of nvToolsExt.h.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <stddef.h>
#include <stdint.h>

#include <string>
#include <type_traits>
#include <utility>

#include "nvToolsExt.h"

#define NVTX3_CPP_DEFINITIONS_V1_0

namespace nvtx3 {
inline namespace v1 {

/// A named group of events. `get<D>()` is the domain whose name is `D::name`.
class domain {
 public:
  struct global {};

  domain(const domain&) = delete;
  domain& operator=(const domain&) = delete;

  template <class D = global>
  static const domain& get() noexcept {
    if constexpr (std::is_same<D, global>::value) {
      static const domain only;
      return only;
    } else {
      static const domain only(D::name);
      return only;
    }
  }
  operator nvtxDomainHandle_t() const noexcept { return handle_; }

 private:
  domain() noexcept = default;
  explicit domain(const char* name) noexcept : handle_(nvtxDomainCreateA(name)) {}
  explicit domain(const wchar_t* name) noexcept : handle_(nvtxDomainCreateW(name)) {}

  nvtxDomainHandle_t handle_ = nullptr;
};

struct rgb {
  using component_type = uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
struct argb : rgb {
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
      : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};

class color {
 public:
  using value_type = uint32_t;
  explicit constexpr color(value_type hex) noexcept : value_(hex) {}
  constexpr color(argb c) noexcept
      : value_(value_type{c.alpha} << 24 | value_type{c.red} << 16 | value_type{c.green} << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}

  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  value_type value_;
};

class category {
 public:
  using id_type = uint32_t;
  explicit constexpr category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};

template <class D = domain::global>
class named_category_in final : public category {
 public:
  template <class C>
  static const named_category_in& get() noexcept {
    static const named_category_in only(C::id, C::name);
    return only;
  }
  named_category_in(id_type id, const char* name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  named_category_in(id_type id, const wchar_t* name) noexcept : category(id) {
    nvtxDomainNameCategoryW(domain::get<D>(), id, name);
  }
};
using named_category = named_category_in<domain::global>;

template <class D = domain::global>
class registered_string_in {
 public:
  template <class M>
  static const registered_string_in& get() noexcept {
    static const registered_string_in only(M::message);
    return only;
  }
  explicit registered_string_in(const char* text) noexcept
      : handle_(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const wchar_t* text) noexcept
      : handle_(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string& text) noexcept : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const std::wstring& text) noexcept : registered_string_in(text.c_str()) {}

  nvtxStringHandle_t get_handle() const noexcept { return handle_; }

 private:
  nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<domain::global>;

/// The text of an event. It does not own its characters.
class message {
 public:
  using value_type = nvtxMessageValue_t;
  constexpr message(const char* text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII), value_{text} {}
  message(const std::string& text) noexcept : message(text.c_str()) {}
  message(std::string&&) = delete;
  message(const wchar_t* text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  message(const std::wstring& text) noexcept : message(text.c_str()) {}
  message(std::wstring&&) = delete;
  message(nvtxStringHandle_t handle) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) { value_.registered = handle; }
  template <class D>
  message(const registered_string_in<D>& text) noexcept : message(text.get_handle()) {}
  constexpr message(nvtxMessageType_t type, const value_type& value) noexcept : type_(type), value_(value) {}

  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxMessageType_t get_type() const noexcept { return type_; }

 private:
  nvtxMessageType_t type_;
  value_type value_{};
};

/// A number that an event carries.
class payload {
 public:
  using value_type = nvtxEventAttributes_v2::payload_t;
  explicit payload(int64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = value; }
  explicit payload(int32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = value; }
  explicit payload(uint64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { value_.ullValue = value; }
  explicit payload(uint32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { value_.uiValue = value; }
  explicit payload(float value) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = value; }
  explicit payload(double value) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = value; }
  payload(nvtxPayloadType_t type, const value_type& value) noexcept : type_(type), value_(value) {}

  value_type get_value() const noexcept { return value_; }
  nvtxPayloadType_t get_type() const noexcept { return type_; }

 private:
  nvtxPayloadType_t type_;
  value_type value_{};
};

/// Message, color, category and payload of an event, in any order. Of two of one kind the first counts.
class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept {
    value_.version = NVTX_VERSION;
    value_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... Rest>
  explicit event_attributes(const category& c, const Rest&... rest) noexcept : event_attributes(rest...) {
    value_.category = c.get_id();
  }
  template <class... Rest>
  explicit event_attributes(const color& c, const Rest&... rest) noexcept : event_attributes(rest...) {
    value_.colorType = c.get_type();
    value_.color = c.get_value();
  }
  template <class... Rest>
  explicit event_attributes(const payload& p, const Rest&... rest) noexcept : event_attributes(rest...) {
    value_.payloadType = p.get_type();
    value_.payload = p.get_value();
  }
  template <class... Rest>
  explicit event_attributes(const message& m, const Rest&... rest) noexcept : event_attributes(rest...) {
    value_.messageType = m.get_type();
    value_.message = m.get_value();
  }
  const value_type* get() const noexcept { return &value_; }

 private:
  value_type value_{};
};

// Enabled unless First is Self or event_attributes: those arguments go to the copy constructor and to the overload for
// event_attributes.
template <class Self, class First>
using cohort_if_part =
    typename std::enable_if<!std::is_same<event_attributes, typename std::decay<First>::type>::value &&
                            !std::is_same<Self, typename std::decay<First>::type>::value>::type;

/// A range from construction to destruction, nested in those of its thread.
template <class D = domain::global>
class scoped_range_in {
 public:
  scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
  explicit scoped_range_in(const event_attributes& event) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), event.get());
  }
  template <class First, class... Rest, class = cohort_if_part<scoped_range_in, First>>
  explicit scoped_range_in(const First& first, const Rest&... rest) noexcept
      : scoped_range_in(event_attributes(first, rest...)) {}
  ~scoped_range_in() { nvtxDomainRangePop(domain::get<D>()); }

  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  void* operator new(size_t) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

class range_handle {
 public:
  using value_type = nvtxRangeId_t;
  constexpr range_handle() noexcept = default;
  constexpr range_handle(std::nullptr_t) noexcept {}
  explicit constexpr range_handle(value_type id) noexcept : id_(id) {}
  explicit constexpr operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }
  friend constexpr bool operator==(range_handle a, range_handle b) noexcept { return a.id_ == b.id_; }
  friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return a.id_ != b.id_; }

 private:
  value_type id_ = 0;
};

/// Starts a range that any thread may end.
template <class D = domain::global>
range_handle start_range_in(const event_attributes& event) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event.get()));
}
template <class D = domain::global, class First, class... Rest, class = cohort_if_part<void, First>>
range_handle start_range_in(const First& first, const Rest&... rest) noexcept {
  return start_range_in<D>(event_attributes(first, rest...));
}
template <class... Parts>
range_handle start_range(const Parts&... parts) noexcept {
  return start_range_in<domain::global>(parts...);
}
template <class D = domain::global>
void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in<domain::global>(range); }

/// A range that moves, and ends with its owner.
template <class D = domain::global>
class unique_range_in {
 public:
  unique_range_in() noexcept : unique_range_in(event_attributes()) {}
  explicit unique_range_in(const event_attributes& event) noexcept : range_(start_range_in<D>(event)) {}
  template <class First, class... Rest, class = cohort_if_part<unique_range_in, First>>
  explicit unique_range_in(const First& first, const Rest&... rest) noexcept
      : unique_range_in(event_attributes(first, rest...)) {}
  unique_range_in(unique_range_in&& other) noexcept : range_(std::exchange(other.range_, range_handle())) {}
  unique_range_in& operator=(unique_range_in&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }
  ~unique_range_in() {
    if (range_) end_range_in<D>(range_);
  }

 private:
  range_handle range_;
};
using unique_range = unique_range_in<domain::global>;

template <class D = domain::global>
void mark_in(const event_attributes& event) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), event.get());
}
template <class D = domain::global, class First, class... Rest, class = cohort_if_part<void, First>>
void mark_in(const First& first, const Rest&... rest) noexcept {
  mark_in<D>(event_attributes(first, rest...));
}
template <class... Parts>
void mark(const Parts&... parts) noexcept {
  mark_in<domain::global>(parts...);
}

// The range of NVTX3_FUNC_RANGE_IF.
template <class D>
class cohort_optional_range {
 public:
  cohort_optional_range() noexcept = default;
  cohort_optional_range(const cohort_optional_range&) = delete;
  cohort_optional_range& operator=(const cohort_optional_range&) = delete;
  void begin(const event_attributes& event) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), event.get());
    open_ = true;
  }
  ~cohort_optional_range() {
    if (open_) nvtxDomainRangePop(domain::get<D>());
  }

 private:
  bool open_ = false;
};

}  // namespace v1
}  // namespace nvtx3

/// A range with the name of the function, to the end of the scope; and one that begins if `C` holds.
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                        \
  static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__(__func__);         \
  static const ::nvtx3::v1::event_attributes nvtx3_func_attributes__(nvtx3_func_name__); \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(nvtx3_func_attributes__)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                    \
  ::nvtx3::v1::cohort_optional_range<D> nvtx3_range__;                                     \
  if (C) {                                                                                 \
    static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__(__func__);         \
    static const ::nvtx3::v1::event_attributes nvtx3_func_attributes__(nvtx3_func_name__); \
    nvtx3_range__.begin(nvtx3_func_attributes__);                                          \
  }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)

#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF

#include <cohort/base/user_macros/on.hpp>
