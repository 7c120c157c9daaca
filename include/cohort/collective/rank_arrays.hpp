// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of the ranks of a multi-grid or of a world: all_reduce, reduce_scatter, all_gather and broadcast, each also
// with a begin and an end.
//
// A rank is a grid of a launch over several devices, or a rank of a world. All of its threads call a function together,
// with arrays in memory of their own device or process: pointers differ between ranks, the other arguments do not.
// Common to all functions:
//
// - Element i of a result combines the elements i of all ranks by the written tree over ranks (docs/collectives.md),
//   the lower rank on the left. Its bits depend on the number of ranks alone.
// - `to` and `from` are any memory that the rank's threads access, with any alignment of T. They are equal where the
//   function says in place, and do not overlap otherwise.
// - Any thread of the grid may read an element of `from` and write one of `to`. A thread that has written `from`, or
//   will read `to`, is separated from the call by a barrier of its grid, or of its block if the grid has only one.
// - No thread of the grid has returned. All ranks call the same function with equal counts.
// - A rank that does not come ends as in multi_grid_group::sync() and world_group::sync().
#pragma once

#include <stddef.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"
#include "../machine/this_machine.hpp"
#include "detail/array_exchange.hpp"
#include "detail/check_op.hpp"

namespace cohort {

/// An array collective that has begun. It keeps its arguments; all threads of the grid call end() once, operations in
/// the order of their begins. At most `most_array_operations` are between begin and end. Until its end neither the
/// operands nor the results are accessed otherwise.
/// @tparam Exchange The library's state of the operation.
template <class Exchange>
class array_operation {
 public:
  /// Begins the operation, and sends the operands that fit into messages.
  /// @param begun The state that the functions begin_...() make.
  COHORT_FN explicit array_operation(const Exchange& begun) : exchange_(begun) { exchange_.begin(); }
  array_operation(const array_operation&) = delete;
  array_operation& operator=(const array_operation&) = delete;
  /// Completes the operation: waits for the operands of the other ranks, and writes the calling thread's results.
  COHORT_FN void end() { exchange_.end(); }

 private:
  Exchange exchange_;
};

/// The operations of one grid that may be between begin and end.
inline constexpr int most_array_operations = 4;

namespace detail {

template <class Group, class T>
COHORT_ANY_SIDE constexpr bool check_arrays() {
  static_assert(is_one_of_v<remove_cvref_t<Group>, multi_grid_group, world_group>,
                "collectives of arrays: the group is neither a multi_grid_group nor a world_group");
  static_assert(is_trivially_copyable_v<T>,
                "collectives of arrays copy bytes between ranks: the element's type must be trivially copyable");
  static_assert(sizeof(T) <= most_array_element_bytes,
                "collectives of arrays: an element has more than 1024 bytes; divide it into smaller ones");
  return is_one_of_v<remove_cvref_t<Group>, multi_grid_group, world_group> && is_trivially_copyable_v<T> &&
         sizeof(T) <= most_array_element_bytes;
}

template <class Op, class T>
COHORT_ANY_SIDE constexpr bool check_array_op() {
  if constexpr (is_same_v<Op, no_operator>) {
    return true;
  } else {
    return check_op<Op, T>();
  }
}

// The result of a call that a failed assertion has refused.
struct refused_operation {
  COHORT_FN void end() const {}
};

// Begins an operation; the caller receives it without a copy.
template <array_kind Kind, class Group, class T, class Op, class Finish>
COHORT_FN auto begin_arrays(const Group&, T* to, const T* from, size_t count, const Op& op, const Finish& finish,
                            unsigned int root = 0) {
  if constexpr (check_arrays<Group, T>() && check_array_op<Op, T>()) {
    using exchange = array_exchange<Kind, T, Op, Finish>;
    return array_operation<exchange>(exchange(to, from, count, op, finish, root));
  } else {
    return refused_operation();
  }
}

}  // namespace detail

/// Begins all_reduce(). Arrays that travel as messages are sent at once, so the threads can compute meanwhile; longer
/// ones, and all on the CPU, are sent by end().
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN auto begin_all_reduce(const Group& group, T* to, const T* from, size_t count, Op op, Finish finish = {}) {
  return detail::begin_arrays<detail::array_kind::all_reduce>(group, to, from, count, op, finish);
}
/// Begins all_reduce_unordered().
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN auto begin_all_reduce_unordered(const Group& group, T* to, const T* from, size_t count, Op op,
                                          Finish finish = {}) {
  return begin_all_reduce(group, to, from, count, op, finish);
}
/// Begins reduce_scatter().
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN auto begin_reduce_scatter(const Group& group, T* to, const T* from, size_t count, Op op, Finish finish = {}) {
  return detail::begin_arrays<detail::array_kind::reduce_scatter>(group, to, from, count, op, finish);
}
/// Begins all_gather().
template <class Group, class T>
COHORT_FN auto begin_all_gather(const Group& group, T* to, const T* from, size_t count) {
  return detail::begin_arrays<detail::array_kind::all_gather>(group, to, from, count, detail::no_operator(),
                                                              detail::unchanged());
}
/// Begins the broadcast() of an array.
template <class Group, class T>
COHORT_FN auto begin_broadcast(const Group& group, T* to, const T* from, size_t count, unsigned int root) {
  return detail::begin_arrays<detail::array_kind::broadcast>(group, to, from, count, detail::no_operator(),
                                                             detail::unchanged(), root);
}

/// Combines the arrays of all ranks, element by element; all ranks receive all results.
///
/// Cost on the CPU: B + 2 barriers of the group, where B is the array's length in parts of the staging buffer.
/// @param group  The multi_grid_group or world_group.
/// @param to     The results. In place: equal to `from`.
/// @param from   The operands of this rank.
/// @param count  The number of elements, the same in all ranks.
/// @param op     Associative, the same in all threads; it need not be commutative and uses no collective.
/// @param finish Optional epilogue: `to[i]` becomes finish(i, result i), called once for each element in each rank.
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN void all_reduce(
    const Group& group, T* to, const T* from, size_t count, Op op, Finish finish = {} COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(all_reduce, detail::group_access::checked(group));
  begin_all_reduce(group, to, from, count, op, finish).end();
}

/// Combines like all_reduce(), but promises no order: results of floating-point sums may differ in their last bits from
/// version to version and between machines. Today it is all_reduce(), because the written order costs no time.
/// @param op  Associative and commutative.
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN void all_reduce_unordered(
    const Group& group, T* to, const T* from, size_t count, Op op, Finish finish = {} COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(all_reduce_unordered, detail::group_access::checked(group));
  begin_all_reduce_unordered(group, to, from, count, op, finish).end();
}

/// Combines the arrays of all ranks, element by element; rank r receives results r * count .. (r + 1) * count - 1.
/// @param to    `count` results. In place: from + rank * count.
/// @param from  The operands of this rank: `count` for each rank.
/// @param count The number of results of each rank, the same in all ranks.
/// @param op, finish  As in all_reduce(); `finish` receives the index in `to`.
template <class Group, class T, class Op, class Finish = detail::unchanged>
COHORT_FN void reduce_scatter(
    const Group& group, T* to, const T* from, size_t count, Op op, Finish finish = {} COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(reduce_scatter, detail::group_access::checked(group));
  begin_reduce_scatter(group, to, from, count, op, finish).end();
}

/// Copies the arrays of all ranks to all ranks, one after another in the order of the ranks.
/// @param to    `count` elements for each rank.
/// @param from  `count` elements of this rank. In place: to + rank * count.
/// @param count The number of elements of each rank, the same in all ranks.
template <class Group, class T>
COHORT_FN void all_gather(const Group& group, T* to, const T* from, size_t count COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(all_gather, detail::group_access::checked(group));
  begin_all_gather(group, to, from, count).end();
}

/// Copies the array of one rank to all ranks.
/// @param to    Receives the elements. In place: equal to `from`.
/// @param from  The elements; read in rank `root` only.
/// @param count The number of elements, the same in all ranks.
/// @param root  The rank whose array is copied.
template <class Group, class T>
COHORT_FN void broadcast(const Group& group, T* to, const T* from, size_t count,
                         unsigned int root COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(broadcast_of_an_array, detail::group_access::checked(group));
  begin_broadcast(group, to, from, count, root).end();
}

}  // namespace cohort
