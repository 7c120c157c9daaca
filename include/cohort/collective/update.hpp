// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_update_async, reduce_store_async, inclusive_scan_update, exclusive_scan_update: collectives that update an
// atomic variable with their total.
//
// The destination is a cuda::atomic or cuda::atomic_ref of the value's type, or any type with load, store and
// compare_exchange_weak. A native fetch_... is used where the operator has one.
#pragma once

#include "../base/config.hpp"
#include "../base/op.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"
#include "detail/optional_value.hpp"
#include "reduce.hpp"
#include "scan.hpp"

namespace cohort {
namespace detail {

// Converts to any library's memory_order_relaxed, whose value is 0 in all of them.
struct relaxed_order {
  template <class Order>
  COHORT_ANY_SIDE constexpr operator Order() const {
    static_assert(__is_enum(Order), "an order is an enumeration");
    return static_cast<Order>(0);
  }
};

// The value type of an atomic. CUDA 12.4's cuda::atomic has no member value_type, so load() defines it.
template <class Atomic>
using held_t = remove_cvref_t<decltype(declval<Atomic&>().load(relaxed_order{}))>;

template <class Atomic, class = void>
inline constexpr bool is_atomic_v = false;
template <class Atomic>
inline constexpr bool is_atomic_v<
    Atomic, void_t<decltype(declval<Atomic&>().compare_exchange_weak(
                declval<held_t<Atomic>&>(), declval<held_t<Atomic>>(), relaxed_order{}, relaxed_order{}))>> = true;

template <class Atomic, class T>
COHORT_ANY_SIDE constexpr bool holds_type() {
  if constexpr (is_atomic_v<Atomic>) {
    return is_same_v<held_t<Atomic>, T>;
  } else {
    return true;  // the assertion on is_atomic_v reports the error
  }
}

template <class Atomic, class T>
COHORT_ANY_SIDE constexpr bool check_updated() {
  static_assert(is_atomic_v<Atomic>,
                "reduce_update_async and the scan updates: the destination must be a cuda::atomic or cuda::atomic_ref");
  static_assert(holds_type<Atomic, T>(),
                "reduce_update_async and the scan updates: the destination's type differs from the value's type");
  return is_atomic_v<Atomic> && holds_type<Atomic, T>();
}

// Defines has_fetch_x: true if the atomic type has a native fetch_x for the operator.
#define COHORT_HAS_FETCH(name)                    \
  template <class Atomic, class = void>           \
  inline constexpr bool has_fetch_##name = false; \
  template <class Atomic>                         \
  inline constexpr bool has_fetch_##name<         \
      Atomic, void_t<decltype(declval<Atomic&>().fetch_##name(declval<held_t<Atomic>>(), relaxed_order{}))>> = true;
COHORT_HAS_FETCH(add)
COHORT_HAS_FETCH(min)
COHORT_HAS_FETCH(max)
COHORT_HAS_FETCH(and)
COHORT_HAS_FETCH(or)
COHORT_HAS_FETCH(xor)
#undef COHORT_HAS_FETCH

// Replaces the destination by op(old, value), atomically; returns old. Floating-point less and greater do not use
// fetch_min and fetch_max, which may treat NaN and -0 differently.
template <class Atomic, class T, class Op>
COHORT_FN T fetch_op(Atomic& destination, const T& value, Op& op) {
  using op_type = remove_cvref_t<Op>;
  constexpr bool is_number = is_integral_v<T> || is_floating_v<T>;
  if constexpr (is_same_v<op_type, plus<T>> && is_number && has_fetch_add<Atomic>) {
    return destination.fetch_add(value, relaxed_order{});
  } else if constexpr (is_same_v<op_type, less<T>> && is_integral_v<T> && has_fetch_min<Atomic>) {
    return destination.fetch_min(value, relaxed_order{});
  } else if constexpr (is_same_v<op_type, greater<T>> && is_integral_v<T> && has_fetch_max<Atomic>) {
    return destination.fetch_max(value, relaxed_order{});
  } else if constexpr (is_same_v<op_type, bit_and<T>> && is_integral_v<T> && has_fetch_and<Atomic>) {
    return destination.fetch_and(value, relaxed_order{});
  } else if constexpr (is_same_v<op_type, bit_or<T>> && is_integral_v<T> && has_fetch_or<Atomic>) {
    return destination.fetch_or(value, relaxed_order{});
  } else if constexpr (is_same_v<op_type, bit_xor<T>> && is_integral_v<T> && has_fetch_xor<Atomic>) {
    return destination.fetch_xor(value, relaxed_order{});
  } else {
    T old = destination.load(relaxed_order{});
    T own = value;
    for (;;) {
      T before = old;
      const T after = op(before, own);
      if (destination.compare_exchange_weak(old, after, relaxed_order{}, relaxed_order{})) return old;
    }
  }
}

// The highest rank of the participating threads.
template <class Group>
COHORT_FN auto last_rank(const Group& group, const char* op_name) {
  using rank = remove_cvref_t<decltype(group.thread_rank())>;
  greater<rank> higher;
  return dispatch<Group>::template reduce<rank>(group, group.thread_rank(), higher, op_name);
}

// A partial reduction, and the lowest rank that contributed to it. In the total, this rank is the leader: the thread
// that updates the destination.
template <class T, class Rank>
struct with_leader {
  T value;
  Rank leader;
};
template <class T, class Rank, class Op>
struct with_leader_op {
  Op* op;
  COHORT_FN with_leader<T, Rank> operator()(with_leader<T, Rank>& lower, with_leader<T, Rank>& higher) const {
    return {(*op)(lower.value, higher.value), lower.leader};
  }
};

// Reduces the group's values and calls act(total) in the leader.
template <class Group, class T, class Op, class Act>
COHORT_FN void reduce_to_one(const Group& group, const T& value, Op& op, const char* op_name, Act act) {
  using rank = remove_cvref_t<decltype(group.thread_rank())>;
  const with_leader_op<T, rank, Op> both{&op};
  const with_leader<T, rank> mine{value, group.thread_rank()};
  const with_leader<T, rank> total = dispatch<Group>::reduce(group, mine, both, op_name);
  if (total.leader == mine.leader) act(total.value);
}

// The last thread combines its inclusive scan with the destination. Returns the destination's old value in all threads.
template <class Group, class Atomic, class T, class Op>
COHORT_FN T update_by_last(const Group& group, Atomic& destination, const T& inclusive, Op& op, const char* op_name) {
  const auto last = last_rank(group, op_name);
  slot<T> old;
  clear_value(old.value);
  if (group.thread_rank() == last) {
    const T before = fetch_op(destination, inclusive, op);
    copy_value(old.value, before);
  }
  return dispatch<Group>::broadcast(group, old, last, op_name).value;
}

}  // namespace detail

/// Replaces the destination by op(destination, reduction of the group's values), atomically, once and with relaxed
/// order. The update is complete after the next synchronisation of the group. Group, value, op and cost are those of
/// reduce().
/// @param destination A cuda::atomic or cuda::atomic_ref of the value's type. Its scope covers all threads that use it.
/// @pre All threads of the group that have not returned call it, with the same operator and destination.
/// @snippet tests/collective/update_test.cpp updates
template <class Group, class Atomic, class T, class Op>
COHORT_FN void reduce_update_async(const Group& group, Atomic&& destination, T&& value, Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_reduced_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    COHORT_CHECKED_CALL_OF(reduce_update_async, detail::group_access::checked(group));
    const value_type own = value;
    detail::reduce_to_one(group, own, op, "reduce_update_async",
                          [&](const value_type& total) { detail::fetch_op(destination, total, op); });
  }
}

/// Stores the reduction of the group's values. The store is complete after the next synchronisation of the group.
/// Group, value, op and cost are those of reduce().
/// @param destination A cuda::atomic or cuda::atomic_ref of the value's type, stored to with relaxed order; or a
/// pointer to the value's type, stored to by a plain store.
/// @pre All threads of the group that have not returned call it, with the same operator and destination.
template <class Group, class Destination, class T, class Op>
COHORT_FN void reduce_store_async(const Group& group, Destination&& destination, T&& value,
                                  Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using target = detail::remove_reference_t<Destination>;
  constexpr bool is_pointer = detail::is_same_v<detail::remove_cvref_t<Destination>, value_type*>;
  static_assert(is_pointer || detail::is_atomic_v<target>,
                "reduce_store_async: the destination must be a cuda::atomic, a cuda::atomic_ref or a pointer to the "
                "value's type");
  static_assert(is_pointer || detail::holds_type<target, value_type>(),
                "reduce_store_async: the destination's type differs from the value's type");
  if constexpr (detail::check_reduced_group<Group>() && detail::check_op<op_type, value_type>() &&
                (is_pointer || (detail::is_atomic_v<target> && detail::holds_type<target, value_type>()))) {
    COHORT_CHECKED_CALL_OF(reduce_store_async, detail::group_access::checked(group));
    const value_type own = value;
    detail::reduce_to_one(group, own, op, "reduce_store_async", [&](const value_type& total) {
      if constexpr (is_pointer) {
        *destination = total;
      } else {
        destination.store(total, detail::relaxed_order{});
      }
    });
  }
}

/// Scans the group's values with the destination's old value in front. The destination becomes the last rank's result,
/// by one atomic update, so calls of several groups continue each other's scans. Group, value and op are those of
/// inclusive_scan(). The cost is that of a scan, a reduction and a broadcast.
/// @param destination A cuda::atomic or cuda::atomic_ref of the value's type. Its scope covers all threads that use it.
/// @return op(old value of the destination, inclusive scan of the caller's rank).
/// @pre All threads of the group that have not returned call it, with the same operator and destination.
template <class Group, class Atomic, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan_update(const Group& group, Atomic&& destination, T&& value,
                                                          Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    constexpr const char* op_name = "inclusive_scan_update";
    COHORT_CHECKED_CALL_OF(inclusive_scan_update, detail::group_access::checked(group));
    const value_type own = value;
    value_type mine = detail::dispatch<Group>::template inclusive_scan<value_type, op_type>(group, own, op, op_name);
    value_type old = detail::update_by_last(group, destination, mine, op, op_name);
    return op(old, mine);
  } else {
    return value;
  }
}
/// Computes inclusive_scan_update() with plus.
template <class Group, class Atomic, class T>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan_update(const Group& group, Atomic&& destination,
                                                          T&& value COHORT_AND_CALLED_AT) {
  return inclusive_scan_update(group, detail::forward<Atomic>(destination), detail::forward<T>(value),
                               plus<detail::remove_cvref_t<T>>() COHORT_AND_HAND_ON);
}

/// Computes the exclusive scan with the destination's old value in front. The destination becomes
/// op(old value, inclusive scan of the last rank), by one atomic update. Group, value and op are those of
/// inclusive_scan(); the type needs no default constructor. The cost is that of two scans, a reduction and a broadcast.
/// @param destination A cuda::atomic or cuda::atomic_ref of the value's type. Its scope covers all threads that use it.
/// @return The old value for rank 0, op(old value, inclusive scan of rank r - 1) for rank r.
/// @pre All threads of the group that have not returned call it, with the same operator and destination.
template <class Group, class Atomic, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan_update(const Group& group, Atomic&& destination, T&& value,
                                                          Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    using optional = detail::optional_value<value_type>;
    constexpr const char* op_name = "exclusive_scan_update";
    COHORT_CHECKED_CALL_OF(exclusive_scan_update, detail::group_access::checked(group));
    const value_type own = value;
    const detail::join_op<value_type, op_type> joined{&op};
    const value_type mine =
        detail::dispatch<Group>::template inclusive_scan<value_type, op_type>(group, own, op, op_name);
    optional before =
        detail::dispatch<Group>::exclusive_scan(group, optional::of(own), optional::none(), joined, op_name);
    value_type old = detail::update_by_last(group, destination, mine, op, op_name);
    if (!before.present) return old;
    return op(old, before.value.value);
  } else {
    return value;
  }
}
/// Computes exclusive_scan_update() with plus.
template <class Group, class Atomic, class T>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan_update(const Group& group, Atomic&& destination,
                                                          T&& value COHORT_AND_CALLED_AT) {
  return exclusive_scan_update(group, detail::forward<Atomic>(destination), detail::forward<T>(value),
                               plus<detail::remove_cvref_t<T>>() COHORT_AND_HAND_ON);
}

}  // namespace cohort
