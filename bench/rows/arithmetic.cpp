// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures operations whose results a GPU defines for all operands, in a kernel that cannot wait, on one core. The
// peers are C loops without a check of the operands.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr size_t elements = 8192;
constexpr int rounds = 256;

template <class A, class B, class Result>
struct operands {
  array<A> a;
  array<B> b;
  array<Result> ours{elements};
  array<Result> hand{elements};
};

// Adds a row for an operation of two operands. The model computes each result with 128 bits.
template <class A, class B>
using binary = void (*)(const A*, const B*, A*, size_t, int);

template <class A, class B>
struct binary_row {
  const char* name;
  binary<A, B> ours;
  binary<A, B> hand;
  B (*second)(size_t);
  A (*model)(A, B);
};

template <class A, class B>
void add(suite& rows, const binary_row<A, B>& r) {
  rows.add(
      {.name = r.name,
       .unit = "ns",
       .peers = {{.name = "hand-written loop without checks", .limit = bar::at_most(1.3)}}},
      [r] {
        const auto d = std::make_shared<operands<A, B, A>>(operands<A, B, A>{
            array<A>(elements, [](size_t i) { return static_cast<A>(random_word(i)); }), array<B>(elements, r.second)});
        const array<A> expected(elements, [&](size_t i) { return r.model(d->a[i], d->b[i]); });
        const auto run_ours = [d, r](int n) { r.ours(d->a.data(), d->b.data(), d->ours.data(), elements, n); };
        const auto run_hand = [d, r](int n) { r.hand(d->a.data(), d->b.data(), d->hand.data(), elements, n); };
        run_ours(1);
        run_hand(1);
        expect_equal(r.name, d->ours.data(), expected.data(), elements);
        expect_equal(r.name, d->hand.data(), expected.data(), elements);
        return row_sides{time_of(double{elements} * rounds, [run_ours] { run_ours(rounds); }),
                         {{time_of(double{elements} * rounds, [run_hand] { run_hand(rounds); })}}};
      });
}

template <class A>
void add_conversion(suite& rows, const char* name, void (*ours)(const A*, int32_t*, size_t, int),
                    void (*hand)(const A*, int32_t*, size_t, int)) {
  rows.add(
      {.name = name, .unit = "ns", .peers = {{.name = "hand-written loop without checks", .limit = bar::at_most(1.3)}}},
      [=] {
        const auto d = std::make_shared<operands<A, int32_t, int32_t>>(operands<A, int32_t, int32_t>{
            array<A>(elements, [](size_t i) { return (static_cast<double>(random_word(i)) - 2147483648.0) * 0.99; }),
            array<int32_t>(1)});
        const array<int32_t> expected(elements, [&](size_t i) { return static_cast<int64_t>(d->a[i]); });
        ours(d->a.data(), d->ours.data(), elements, 1);
        hand(d->a.data(), d->hand.data(), elements, 1);
        expect_equal(name, d->ours.data(), expected.data(), elements);
        expect_equal(name, d->hand.data(), expected.data(), elements);
        return row_sides{
            time_of(double{elements} * rounds, [d, ours] { ours(d->a.data(), d->ours.data(), elements, rounds); }),
            {{time_of(double{elements} * rounds, [d, hand] { hand(d->a.data(), d->hand.data(), elements, rounds); })}}};
      });
}

// Divisors of all sizes, none of them 0 or -1.
int32_t divisor(size_t i) { return static_cast<int32_t>((random_word(i + elements) >> (i % 31)) / 2 + 2); }
uint32_t shift_count(size_t i) { return random_word(i + elements) % 32; }

}  // namespace

void add_arithmetic_rows(suite& rows) {
  add<int32_t, int32_t>(rows, {"int / variable, a lane", divide, hand_written::divide, divisor,
                               [](int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} / b); }});
  add<int32_t, int32_t>(rows, {"int % variable, a lane", remainder, hand_written::remainder, divisor,
                               [](int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} % b); }});
  add<uint32_t, uint32_t>(rows, {"unsigned / variable, a lane", divide_unsigned, hand_written::divide_unsigned,
                                 [](size_t i) { return static_cast<uint32_t>(divisor(i)); },
                                 [](uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} / b); }});
  add<int64_t, int64_t>(
      rows, {"long / variable, a lane", divide_long, hand_written::divide_long,
             [](size_t i) { return static_cast<int64_t>(divisor(i)); }, [](int64_t a, int64_t b) { return a / b; }});
  add<uint32_t, uint32_t>(rows, {"unsigned << variable, a lane", shift_left, hand_written::shift_left, shift_count,
                                 [](uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} << b); }});
  add<int32_t, uint32_t>(rows, {"int >> variable, a lane", shift_right, hand_written::shift_right, shift_count,
                                [](int32_t a, uint32_t b) { return static_cast<int32_t>(int64_t{a} >> b); }});
  add_conversion<float>(rows, "float to int, a lane", float_to_int, hand_written::float_to_int);
  add_conversion<double>(rows, "double to int, a lane", double_to_int, hand_written::double_to_int);
}

}  // namespace bench
