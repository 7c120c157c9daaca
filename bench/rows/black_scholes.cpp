// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the prices of options after Black and Scholes, on all CPUs.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr size_t options = 4'000'000;
constexpr double relative = 2e-3;
constexpr double absolute = 2e-3;

double between(size_t i, double low, double high) {
  return low + (high - low) * static_cast<double>(random_word(i)) / 4294967296.0;
}

struct prices {
  array<float> call{options}, put{options};
};

struct option_data {
  array<float> price{options, [](size_t i) { return between(3 * i, 5, 30); }};
  array<float> strike{options, [](size_t i) { return between(3 * i + 1, 1, 100); }};
  array<float> years{options, [](size_t i) { return between(3 * i + 2, 0.25, 10); }};
  prices ours, hand, theirs;
};

double normal_distribution(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

// The model computes every 101st option in double precision.
void verify(const char* side, const option_data& d, const prices& found) {
  for (size_t i = 0; i < options; i += 101) {
    const double s = d.price[i], x = d.strike[i], t = d.years[i];
    const double r = hand_written::riskless_rate, v = hand_written::volatility;
    const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    const double discounted = x * std::exp(-r * t);
    const double call = s * normal_distribution(d1) - discounted * normal_distribution(d2);
    const double expected[] = {call, call - s + discounted};
    const double priced[] = {found.call[i], found.put[i]};
    expect_near(side, priced, expected, 2, relative, absolute);
  }
}

peer_side sleef_side(const std::shared_ptr<option_data>& d) {
  if (!hand_written::has_sleef()) return {{}, hand_written::sleef_version()};
  const auto run = [d] {
    hand_written::black_scholes(
        {d->price.data(), d->strike.data(), d->years.data(), d->hand.call.data(), d->hand.put.data()}, options);
  };
  run();
  verify("hand-written Black-Scholes", *d, d->hand);
  return {time_of(options, run)};
}

row_sides black_scholes_sides() {
  const auto d = std::make_shared<option_data>();
  const auto run_ours = [d] {
    black_scholes(d->price.data(), d->strike.data(), d->years.data(), d->ours.call.data(), d->ours.put.data(), options);
  };
  run_ours();
  verify("Black-Scholes", *d, d->ours);
  return {time_of(options, run_ours),
          {sleef_side(d), opencl_side([&] {
             std::vector<std::shared_ptr<opencl_buffer>> b;
             for (const array<float>* a : {&d->price, &d->strike, &d->years, &d->theirs.call, &d->theirs.put}) {
               b.push_back(std::make_shared<opencl_buffer>(a->data(), a->bytes()));
             }
             const auto run = [d, b] {
               opencl::peer().run("black_scholes", opencl_shape::line(options / 256, 256), *b[0], *b[1], *b[2], *b[3],
                                  *b[4], hand_written::riskless_rate, hand_written::volatility);
             };
             run();
             b[3]->update_host();
             b[4]->update_host();
             verify("pocl's Black-Scholes", *d, d->theirs);
             return time_of(options, run);
           })}};
}

}  // namespace

void add_black_scholes_rows(suite& rows) {
  rows.add({.name = "Black-Scholes, an option",
            .unit = "ns",
            .peers = {{.name = "hand-written loop over SLEEF", .limit = bar::at_most(1.25)},
                      {.name = "pocl", .limit = bar::at_most(1)}},
            .on = cpus::all},
           black_scholes_sides);
}

}  // namespace bench
