// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_update_async, reduce_store_async, inclusive_scan_update, exclusive_scan_update: a collective whose total goes
// to an atomic variable, or is added to it.
//
// Who takes part: all threads of the group that exist and have not returned, with the same operator and destination.
// Who has the result: of the reductions nobody; the destination has been updated, once and with relaxed order, when the
// group has been synchronised. Of the scans each thread its own, in which the old value of the destination comes first.
// Order: as reduce and the scans.
// Cost on the CPU: reduce_..._async that of reduce; the scan updates those of a scan, a reduction and a broadcast
// (exclusive_scan_update: of one scan more).
//
// The destination is a cuda::atomic or cuda::atomic_ref of the value's type, or anything with the same members
// (value_type, load, store, compare_exchange_weak); a native fetch_... is used where the operator has one.
#pragma once

#include "../base/config.hpp"
#include "../base/op.hpp"
#include "../base/types.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"
#include "detail/optional_value.hpp"
#include "reduce.hpp"
#include "scan.hpp"

namespace cohort {
namespace detail {

// Becomes any library's memory_order_relaxed, whose number is 0 everywhere.
struct relaxed_order {
  template <class Order>
  COHORT_ANY_SIDE constexpr operator Order() const {
    static_assert(__is_enum(Order), "an order is an enumeration");
    return static_cast<Order>(0);
  }
};

// The type that an atomic holds. (CUDA 12.4's own has no member value_type.)
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
    return true;  // the other sentence says what is wrong
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

// has_fetch_x: the atomic has a native fetch_x for the operator.
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

// Makes the destination op(old, value), atomically; returns old. For floating-point numbers the library's own less and
// greater are not what fetch_min and fetch_max may do with NaN and -0, so they are compared here.
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

// The highest rank of the threads that take part.
template <class Group>
COHORT_FN auto last_rank(const Group& group, const char* op_name) {
  using rank = remove_cvref_t<decltype(group.thread_rank())>;
  greater<rank> higher;
  return dispatch<Group>::template reduce<rank>(group, group.thread_rank(), higher, op_name);
}

// The reduction, and with it the first thread that takes part: it makes the update.
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

// Calls act(total) in one thread.
template <class Group, class T, class Op, class Act>
COHORT_FN void reduce_to_one(const Group& group, const T& value, Op& op, const char* op_name, Act act) {
  using rank = remove_cvref_t<decltype(group.thread_rank())>;
  const with_leader_op<T, rank, Op> both{&op};
  const with_leader<T, rank> mine{value, group.thread_rank()};
  const with_leader<T, rank> total = dispatch<Group>::reduce(group, mine, both, op_name);
  if (total.leader == mine.leader) act(total.value);
}

// Has the last thread combine its inclusive scan with the destination; all get the old value.
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

// Makes `destination` op(destination, reduction of the group's values), atomically.
//   destination  a cuda::atomic or cuda::atomic_ref of the value's type; its scope must cover all who use it
//   value, op    as in reduce
template <class Group, class Atomic, class T, class Op>
COHORT_FN void reduce_update_async(const Group& group, Atomic&& destination, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_reduced_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    const value_type own = value;
    detail::reduce_to_one(group, own, op, "reduce_update_async",
                          [&](const value_type& total) { detail::fetch_op(destination, total, op); });
  }
}

// Stores the reduction of the group's values: atomically in a cuda::atomic or cuda::atomic_ref, plainly through a
// pointer.
template <class Group, class Destination, class T, class Op>
COHORT_FN void reduce_store_async(const Group& group, Destination&& destination, T&& value, Op&& op) {
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

// inclusive_scan behind the destination: rank r gets op(old, inclusive scan of rank r), and the destination becomes
// what the last rank gets. One atomic update a call, so that calls of several groups line up one after another.
template <class Group, class Atomic, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan_update(const Group& group, Atomic&& destination, T&& value,
                                                          Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    constexpr const char* op_name = "inclusive_scan_update";
    const value_type own = value;
    value_type mine = detail::dispatch<Group>::template inclusive_scan<value_type, op_type>(group, own, op, op_name);
    value_type old = detail::update_by_last(group, destination, mine, op, op_name);
    return op(old, mine);
  } else {
    return value;
  }
}
template <class Group, class Atomic, class T>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan_update(const Group& group, Atomic&& destination, T&& value) {
  return inclusive_scan_update(group, detail::forward<Atomic>(destination), detail::forward<T>(value),
                               plus<detail::remove_cvref_t<T>>());
}

// The same with the exclusive scan: rank 0 gets old, rank r op(old, inclusive scan of rank r - 1). The destination
// becomes op(old, inclusive scan of the last rank). The type needs no default constructor.
template <class Group, class Atomic, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan_update(const Group& group, Atomic&& destination, T&& value,
                                                          Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  using atomic = detail::remove_reference_t<Atomic>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_updated<atomic, value_type>()) {
    using optional = detail::optional_value<value_type>;
    constexpr const char* op_name = "exclusive_scan_update";
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
template <class Group, class Atomic, class T>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan_update(const Group& group, Atomic&& destination, T&& value) {
  return exclusive_scan_update(group, detail::forward<Atomic>(destination), detail::forward<T>(value),
                               plus<detail::remove_cvref_t<T>>());
}

}  // namespace cohort
