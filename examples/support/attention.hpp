// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forward pass of attention, out = softmax(q k^T / sqrt(dim)) v, in half precision: its inputs, its model on the
// host and the parts that the kernels of several examples share.
#pragma once

#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "cuda_check.hpp"
#include "options.hpp"

namespace example {

constexpr int attention_dim = 64;  // elements of a row of q, k, v and out

// The arguments of a kernel. The arrays are [heads][queries][attention_dim] and [heads][keys][attention_dim].
struct attention_arguments {
  const __half *q, *k, *v;
  __half* out;
  int queries, keys;
  bool causal;

  // Returns how many keys, from the first on, the query sees. A causal query sees those up to its own place, where the
  // last query has the place of the last key.
  __host__ __device__ int visible_keys(int query) const {
    const int end = query + 1 + keys - queries;
    if (!causal || end > keys) return keys;
    return end < 0 ? 0 : end;
  }
};

// exp(x / sqrt(dim)) = exp2(x * softmax_scale)
constexpr float softmax_scale = 1.44269504f / 8.0f;
static_assert(attention_dim == 64, "softmax_scale contains the root of 64");

#ifdef __CUDACC__
// The running softmax of the rows that a thread shares with its quad in accumulators of mma and wgmma: row lane / 4 in
// the elements 0 and 1 of each four, and row lane / 4 + 8 in the elements 2 and 3.
struct softmax_rows {
  float maximum[2] = {-INFINITY, -INFINITY};
  float sum[2] = {0, 0};  // sums over the thread's own columns

  // Replaces 8 columns of scores by their exponentials, and scales the sums of values to the new maximum. `first_key`
  // is the first column; a row sees the keys below its `end`.
  template <int Scores, int Outputs>
  __device__ void add(float (&scores)[Scores], float (&output)[Outputs], int first_key, const int (&end)[2]) {
    const int column = first_key + 2 * static_cast<int>(threadIdx.x % 4);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float largest = maximum[half];
#pragma unroll
      for (int i = 0; i < Scores; ++i) {
        if (i / 2 % 2 != half) continue;
        if (column + i / 4 * 8 + i % 2 >= end[half]) scores[i] = -INFINITY;
        largest = fmaxf(largest, scores[i]);
      }
      largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
      largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
      const float base = largest == -INFINITY ? 0.0f : largest * softmax_scale;  // a row without keys so far
      const float correction = exp2f(maximum[half] * softmax_scale - base);
      maximum[half] = largest;
      sum[half] *= correction;
#pragma unroll
      for (int i = 0; i < Scores; ++i) {
        if (i / 2 % 2 != half) continue;
        scores[i] = exp2f(scores[i] * softmax_scale - base);
        sum[half] += scores[i];
      }
#pragma unroll
      for (int i = 0; i < Outputs; ++i) {
        if (i / 2 % 2 == half) output[i] *= correction;
      }
    }
  }

  // Divides the sums of values by the sums of the exponentials. The output of a row without keys is zero.
  template <int Outputs>
  __device__ void finish(float (&output)[Outputs]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float total = sum[half];
      total += __shfl_xor_sync(0xffffffffu, total, 1);
      total += __shfl_xor_sync(0xffffffffu, total, 2);
      const float factor = total > 0 ? 1 / total : 0.0f;
#pragma unroll
      for (int i = 0; i < Outputs; ++i) {
        if (i / 2 % 2 == half) output[i] *= factor;
      }
    }
  }
};

// Returns two floats as the halves of a register; the first is the lower half.
__device__ inline unsigned pack_halves(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return reinterpret_cast<const unsigned&>(both);
}
#endif

// One problem, its memory and its check.
class attention {
 public:
  // Reads the size from the command line and makes the inputs.
  attention(const char* program, const char* summary, int argc, char** argv) {
    options(program, summary)
        .number("--heads", heads_, 1, 1000, "heads, over all batches")
        .number("--queries", queries_, 1, 100000, "rows of q in each head")
        .number("--keys", keys_, 1, 100000, "rows of k and v in each head")
        .flag("--causal", causal_, "a query sees the keys up to its own place")
        .parse(argc, argv);
    q_ = inputs(queries_, 1, 2.0f);
    k_ = inputs(keys_, 2, 2.0f);
    v_ = inputs(keys_, 3, 1.0f);
    device_q_ = new device_array<__half>(q_);
    device_k_ = new device_array<__half>(k_);
    device_v_ = new device_array<__half>(v_);
    device_out_ = new device_array<__half>(q_.size());
    EXAMPLE_CHECK(cudaMemset(device_out_->get(), 0xff, device_out_->bytes()));  // NaN
  }
  ~attention() {
    delete device_q_;
    delete device_k_;
    delete device_v_;
    delete device_out_;
  }
  attention(const attention&) = delete;
  attention& operator=(const attention&) = delete;

  int heads() const { return static_cast<int>(heads_); }
  int queries() const { return static_cast<int>(queries_); }
  int keys() const { return static_cast<int>(keys_); }
  attention_arguments arguments() const {
    return {device_q_->get(), device_k_->get(), device_v_->get(), device_out_->get(), queries(), keys(), causal_};
  }

  // Compares the output with the model. Returns the program's status.
  int verify() const {
    const std::vector<__half> out = device_out_->to_host();
    const attention_arguments size = arguments();
    double worst = 0;
    for (int head = 0; head < heads(); ++head) {
      for (int query = 0; query < queries(); ++query) {
        worst = std::fmax(worst, row_error(out, head, query, size.visible_keys(query)));
      }
    }
    std::printf("%lld heads, %lld queries, %lld keys%s: largest error %.2g of the bound\n", heads_, queries_, keys_,
                causal_ ? ", causal" : "", worst);
    return verdict(worst <= 1, "each element is within the bound of its row in double precision");
  }

 private:
  // Multiples of 2^-10 in [-size / 2, size / 2).
  std::vector<__half> inputs(long long rows, unsigned seed, float size) const {
    std::vector<__half> values(static_cast<size_t>(heads_ * rows * attention_dim));
    unsigned state = seed * 2654435761u;
    for (__half& value : values) {
      state = state * 1664525u + 1013904223u;
      value = __float2half((static_cast<float>(state >> 22) - 512) / 1024 * size);
    }
    return values;
  }

  // Returns the largest error in a row as a share of its bound, infinity for NaN. Weights are rounded to half precision
  // (2^-11), the output is rounded once more, and sums in single precision add less: 2^-9 of the sum of the weighted
  // magnitudes is a bound.
  double row_error(const std::vector<__half>& out, int head, int query, int visible) const {
    const size_t row = (static_cast<size_t>(head) * queries_ + query) * attention_dim;
    const size_t first = static_cast<size_t>(head) * keys_ * attention_dim;
    std::vector<double> weights(visible);
    double largest = -std::numeric_limits<double>::infinity(), total = 0;
    for (int key = 0; key < visible; ++key) {
      double score = 0;
      for (int d = 0; d < attention_dim; ++d) {
        score += double{__half2float(q_[row + d])} * __half2float(k_[first + size_t(key) * attention_dim + d]);
      }
      weights[key] = score / std::sqrt(double{attention_dim});
      largest = std::fmax(largest, weights[key]);
    }
    for (double& weight : weights) total += weight = std::exp(weight - largest);
    double worst = 0;
    for (int d = 0; d < attention_dim; ++d) {
      double expected = 0, magnitude = 0;
      for (int key = 0; key < visible; ++key) {
        const double value = __half2float(v_[first + size_t(key) * attention_dim + d]);
        expected += weights[key] / total * value;
        magnitude += weights[key] / total * std::fabs(value);
      }
      const double error = std::fabs(__half2float(out[row + d]) - expected);
      const double share = error == 0 ? 0 : error / (std::ldexp(magnitude, -9) + std::ldexp(1.0, -24));
      worst = std::isnan(share) ? std::numeric_limits<double>::infinity() : std::fmax(worst, share);
    }
    return worst;
  }

  long long heads_ = 4, queries_ = 500, keys_ = 700;
  bool causal_ = false;
  std::vector<__half> q_, k_, v_;
  device_array<__half>*device_q_ = nullptr, *device_k_ = nullptr, *device_v_ = nullptr, *device_out_ = nullptr;
};

}  // namespace example
