// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::atomic_ref: atomic access to a value outside the object. It has all members of the C++ standard for the value's
// type, and fetch_min and fetch_max. Integers wrap around, pointers move by elements, float and double can be added to.
#pragma once

#include "atomic_access.h"

namespace cuda {
namespace detail {

enum class arithmetic { none, integer, floating, pointer };

template <class Value>
struct atomic_value {
  static constexpr arithmetic kind = __is_integral(Value) ? arithmetic::integer : arithmetic::none;
  using difference = Value;
};
template <>
struct atomic_value<bool> {
  static constexpr arithmetic kind = arithmetic::none;
  using difference = bool;
};
template <>
struct atomic_value<float> {
  static constexpr arithmetic kind = arithmetic::floating;
  using difference = float;
};
template <>
struct atomic_value<double> {
  static constexpr arithmetic kind = arithmetic::floating;
  using difference = double;
};
template <class Pointee>
struct atomic_value<Pointee*> {
  static constexpr arithmetic kind = arithmetic::pointer;
  using difference = ptrdiff_t;
};

}  // namespace detail

// @pre `value` is aligned to its size and outlives this object. All other accesses in its lifetime are atomic too.
template <class Value, thread_scope scope = thread_scope_system>
class atomic_ref {
  using access = detail::atomic_access<Value>;
  static constexpr detail::arithmetic kind = detail::atomic_value<Value>::kind;
  static constexpr memory_order strongest = memory_order::seq_cst;

 public:
  using value_type = Value;
  using difference_type = typename detail::atomic_value<Value>::difference;
  static constexpr size_t required_alignment = sizeof(Value);
  static constexpr bool is_always_lock_free = true;

  COHORT_ANY_SIDE explicit atomic_ref(Value& value) noexcept : address_(&value) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  COHORT_ANY_SIDE bool is_lock_free() const noexcept { return true; }
  COHORT_ANY_SIDE Value load(memory_order order = strongest) const noexcept { return access::load(address_, order); }
  COHORT_ANY_SIDE operator Value() const noexcept { return load(); }
  COHORT_ANY_SIDE void store(Value value, memory_order order = strongest) const noexcept {
    access::store(address_, value, order);
  }
  COHORT_ANY_SIDE Value operator=(Value value) const noexcept {
    store(value);
    return value;
  }
  COHORT_ANY_SIDE Value exchange(Value value, memory_order order = strongest) const noexcept {
    return access::exchange(address_, value, order);
  }

  COHORT_ANY_SIDE bool compare_exchange_weak(Value& expected, Value desired, memory_order success,
                                             memory_order failure) const noexcept {
    return access::compare_exchange(address_, expected, desired, true, success, failure);
  }
  COHORT_ANY_SIDE bool compare_exchange_weak(Value& expected, Value desired,
                                             memory_order order = strongest) const noexcept {
    return compare_exchange_weak(expected, desired, order, detail::order_of_failure(order));
  }
  COHORT_ANY_SIDE bool compare_exchange_strong(Value& expected, Value desired, memory_order success,
                                               memory_order failure) const noexcept {
    return access::compare_exchange(address_, expected, desired, false, success, failure);
  }
  COHORT_ANY_SIDE bool compare_exchange_strong(Value& expected, Value desired,
                                               memory_order order = strongest) const noexcept {
    return compare_exchange_strong(expected, desired, order, detail::order_of_failure(order));
  }

  // Waits until the value differs from `old`. It polls, so no thread needs to notify it.
  COHORT_ANY_SIDE void wait(Value old, memory_order order = strongest) const noexcept {
    access::wait(address_, old, order);
  }
  COHORT_ANY_SIDE void notify_one() const noexcept {}
  COHORT_ANY_SIDE void notify_all() const noexcept {}

  COHORT_ANY_SIDE Value fetch_add(difference_type value, memory_order order = strongest) const noexcept {
    static_assert(kind != detail::arithmetic::none, "cuda::atomic: values of this type cannot be added");
    if constexpr (kind == detail::arithmetic::integer) {
      return __builtin_bit_cast(Value, __atomic_fetch_add(access::word(address_), access::to_bits(value), int(order)));
    } else {
      return access::update(address_, order, [value](Value old) COHORT_HOST_DEVICE { return old + value; });
    }
  }
  COHORT_ANY_SIDE Value fetch_sub(difference_type value, memory_order order = strongest) const noexcept {
    static_assert(kind != detail::arithmetic::none, "cuda::atomic: values of this type cannot be subtracted");
    if constexpr (kind == detail::arithmetic::integer) {
      return __builtin_bit_cast(Value, __atomic_fetch_sub(access::word(address_), access::to_bits(value), int(order)));
    } else {
      return access::update(address_, order, [value](Value old) COHORT_HOST_DEVICE { return old - value; });
    }
  }
  COHORT_ANY_SIDE Value fetch_and(Value value, memory_order order = strongest) const noexcept {
    static_assert(kind == detail::arithmetic::integer, "cuda::atomic: fetch_and wants an integer");
    return __builtin_bit_cast(Value, __atomic_fetch_and(access::word(address_), access::to_bits(value), int(order)));
  }
  COHORT_ANY_SIDE Value fetch_or(Value value, memory_order order = strongest) const noexcept {
    static_assert(kind == detail::arithmetic::integer, "cuda::atomic: fetch_or wants an integer");
    return __builtin_bit_cast(Value, __atomic_fetch_or(access::word(address_), access::to_bits(value), int(order)));
  }
  COHORT_ANY_SIDE Value fetch_xor(Value value, memory_order order = strongest) const noexcept {
    static_assert(kind == detail::arithmetic::integer, "cuda::atomic: fetch_xor wants an integer");
    return __builtin_bit_cast(Value, __atomic_fetch_xor(access::word(address_), access::to_bits(value), int(order)));
  }
  COHORT_ANY_SIDE Value fetch_min(Value value, memory_order order = strongest) const noexcept {
    return access::update(address_, order, [value](Value old) COHORT_HOST_DEVICE { return value < old ? value : old; });
  }
  COHORT_ANY_SIDE Value fetch_max(Value value, memory_order order = strongest) const noexcept {
    return access::update(address_, order, [value](Value old) COHORT_HOST_DEVICE { return old < value ? value : old; });
  }

  COHORT_ANY_SIDE Value operator++(int) const noexcept { return fetch_add(1); }
  COHORT_ANY_SIDE Value operator--(int) const noexcept { return fetch_sub(1); }
  COHORT_ANY_SIDE Value operator++() const noexcept { return sum(fetch_add(1), 1); }
  COHORT_ANY_SIDE Value operator--() const noexcept { return difference(fetch_sub(1), 1); }
  COHORT_ANY_SIDE Value operator+=(difference_type value) const noexcept { return sum(fetch_add(value), value); }
  COHORT_ANY_SIDE Value operator-=(difference_type value) const noexcept { return difference(fetch_sub(value), value); }
  COHORT_ANY_SIDE Value operator&=(Value value) const noexcept { return static_cast<Value>(fetch_and(value) & value); }
  COHORT_ANY_SIDE Value operator|=(Value value) const noexcept { return static_cast<Value>(fetch_or(value) | value); }
  COHORT_ANY_SIDE Value operator^=(Value value) const noexcept { return static_cast<Value>(fetch_xor(value) ^ value); }

 private:
  // Returns the value after an addition. It adds unsigned integers, because signed ones wrap around in memory, but here
  // their overflow would be undefined.
  static COHORT_ANY_SIDE Value sum(Value old, difference_type value) {
    if constexpr (kind == detail::arithmetic::integer) {
      return static_cast<Value>(access::to_bits(old) + access::to_bits(value));
    } else {
      return old + value;
    }
  }
  static COHORT_ANY_SIDE Value difference(Value old, difference_type value) {
    if constexpr (kind == detail::arithmetic::integer) {
      return static_cast<Value>(access::to_bits(old) - access::to_bits(value));
    } else {
      return old - value;
    }
  }

  Value* address_;
};

}  // namespace cuda
