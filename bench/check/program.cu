// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches each kernel four times and prints the CPU time of the fastest of the last three: "<milliseconds> <kernel>".
// The first argument selects the kernels whose name contains it. cohort_check_bench compares the outputs of two builds,
// with --check and without. The exit status is 1 if a result is wrong or a launch failed; with COHORT_CHECK=fail,
// findings make it fail.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels.cuh"
#include "more_kernels.cuh"

namespace {

using namespace check_bench;

uint32_t random_word(size_t i) {
  auto x = static_cast<uint32_t>(i) * 2654435761u + 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}
float random_float(size_t i) { return static_cast<float>(random_word(i) % 1024 + 1) / 1024.0f; }

template <class Make>
auto make_vector(size_t count, Make&& make) {
  std::vector<decltype(make(size_t{0}))> result(count);
  for (size_t i = 0; i < count; ++i) result[i] = make(i);
  return result;
}

// Device memory. It is never freed: it lives as long as the process.
template <class T>
class device_array {
 public:
  explicit device_array(std::vector<T> content) : content_(std::move(content)) {
    cudaMalloc(&data_, content_.size() * sizeof(T));
    reset();
  }
  void reset() const { cudaMemcpy(data_, content_.data(), content_.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> download() const {
    std::vector<T> result(content_.size());
    cudaMemcpy(result.data(), data_, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  const std::vector<T>& content() const { return content_; }
  operator T*() const { return data_; }

 private:
  std::vector<T> content_;
  T* data_ = nullptr;
};
template <class T>
device_array<T> zeros(size_t count) {
  return device_array<T>(std::vector<T>(count));
}

template <class T>
bool is_near(const std::vector<T>& found, const std::vector<T>& wanted, double relative) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto is = static_cast<double>(found[i]), must = static_cast<double>(wanted[i]);
    if (!(std::fabs(is - must) <= relative * std::fmax(1, std::fabs(must)))) return false;
  }
  return found.size() == wanted.size();
}

struct measured_kernel {
  const char* name;
  std::function<void()> launch;
  std::function<bool()> is_right;
  std::function<void()> reset = [] {};  // called before each launch
};

double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

bool failed = false;
const char* selected = "";

void measure(const measured_kernel& kernel) {
  if (!std::strstr(kernel.name, selected)) return;
  double best = INFINITY;
  for (int launch = 0; launch < 4; ++launch) {
    kernel.reset();
    const double start = cpu_milliseconds();
    kernel.launch();
    cudaDeviceSynchronize();
    const double time = cpu_milliseconds() - start;
    if (launch > 0) best = std::min(best, time);
  }
  const cudaError_t error = cudaGetLastError();
  const bool is_wrong = error == cudaSuccess && !kernel.is_right();
  if (error != cudaSuccess || is_wrong) {
    std::fprintf(stderr, "%s: %s\n", kernel.name, is_wrong ? "the result is wrong" : cudaGetErrorString(error));
    failed = true;
  }
  std::printf("%.6f %s\n", best, kernel.name);
}

void measure_arithmetic() {
  const auto turns = zeros<int>(256 * 256);
  measure({"Mandelbrot set, 256 x 256, 200 turns",
           [&] { mandelbrot<<<dim3(16, 16), dim3(16, 16)>>>(turns, 256, 200, false); },
           [&] {
             const auto found = turns.download();
             const auto inside = static_cast<double>(std::count(found.begin(), found.end(), 200)) / (256.0 * 256.0);
             return std::fabs(inside * 6 - 1.52) < 0.1;  // the area of the image is 6, that of the set 1.51
           }});

  constexpr size_t options = 131072;
  const auto call = zeros<float>(options), put = zeros<float>(options);
  const device_array<float> price(make_vector(options, [](size_t i) { return 5 + 25 * random_float(i); }));
  const device_array<float> strike(make_vector(options, [](size_t i) { return 1 + 99 * random_float(i + 1); }));
  const device_array<float> years(make_vector(options, [](size_t i) { return 0.25f + 9 * random_float(i + 2); }));
  measure({"Black-Scholes, 131072 options",
           [&] { black_scholes<<<options / 256, 256>>>(call, put, price, strike, years, false); },
           [&] {
             // Put-call parity: the prices differ by the price of the share less the discounted strike.
             const auto difference = make_vector(options, [&](size_t i) {
               return price.content()[i] - strike.content()[i] * std::exp(-0.02f * years.content()[i]);
             });
             const auto calls = call.download(), puts = put.download();
             return is_near(make_vector(options, [&](size_t i) { return calls[i] - puts[i]; }), difference, 1e-4);
           }});
}

void measure_bodies(size_t count, const char* name, const std::function<void(float3*, const float4*)>& launch) {
  const auto forces = zeros<float3>(count);
  const device_array<float4> bodies(make_vector(
      count, [](size_t i) { return float4{random_float(i), random_float(i + 1), random_float(i + 2), 1.0f}; }));
  measure({name, [&] { launch(forces, bodies); },
           [&] {
             const auto& all = bodies.content();
             const auto found = forces.download();
             return is_near(make_vector(count, [&](size_t i) { return found[i].x; }),
                            make_vector(count,
                                        [&](size_t i) {
                                          float sum = 0;
                                          for (const float4& to : all) {
                                            const float x = to.x - all[i].x, y = to.y - all[i].y, z = to.z - all[i].z;
                                            sum += x * to.w * std::pow(x * x + y * y + z * z + 0.01f, -1.5f);
                                          }
                                          return sum;
                                        }),
                            1e-2);
           }});
}

void measure_movement() {
  constexpr size_t width = 512;
  const auto out = zeros<float>(width * width);
  const device_array<float> in(make_vector(width * width, random_float));
  const std::vector<float>& all = in.content();
  measure({"transpose through shared memory, 512 x 512",
           [&] { transpose<<<dim3(16, 16), dim3(32, 32)>>>(out, in, width); },
           [&] {
             return out.download() ==
                    make_vector(width * width, [&](size_t i) { return all[i % width * width + i / width]; });
           }});

  const auto smooth = zeros<float>(width * width);
  measure(
      {"stencil of five points, 512 x 512", [&] { stencil<<<dim3(16, 64), dim3(32, 8)>>>(smooth, in, width, false); },
       [&] {
         return is_near(smooth.download(),
                        make_vector(width * width,
                                    [&](size_t i) {
                                      const size_t x = i % width, y = i / width;
                                      const bool inside = x % (width - 1) && y % (width - 1);
                                      if (!inside) return 0.0f;
                                      const float around = all[i - 1] + all[i + 1] + all[i - width] + all[i + width];
                                      return 0.5f * all[i] + 0.125f * around;
                                    }),
                        1e-5);
       }});

  constexpr size_t elements = 1 << 20;
  const device_array<float> x(make_vector(elements, random_float)), y(x.content());
  measure(
      {"saxpy of a million elements", [&] { saxpy<<<elements / 256, 256>>>(y, x, 2, false); },
       [&] { return is_near(y.download(), make_vector(elements, [](size_t i) { return 3 * random_float(i); }), 0); },
       [&] { y.reset(); }});
}

void measure_sums() {
  constexpr size_t blocks = 512, elements = 1 << 20;
  const device_array<float> in(make_vector(elements, random_float));
  const auto sum = [&](size_t count, size_t first = 0) {
    double result = 0;
    for (size_t i = first; i < first + count; ++i) result += static_cast<double>(in.content()[i]);
    return static_cast<float>(result);
  };
  const auto sums = zeros<float>(blocks), parts = zeros<float>(64);
  measure({"sums in a shared tree, 512 blocks of 256", [&] { tree_sums<<<blocks, 256>>>(sums, in); },
           [&] {
             return is_near(sums.download(), make_vector(blocks, [&](size_t b) { return sum(256, 256 * b); }), 1e-5);
           }});
  measure({"sum of a million elements, warp shuffles", [&] { shuffle_sums<<<64, 256>>>(parts, in, elements / 64); },
           [&] {
             float total = 0;
             for (const float part : parts.download()) total += part;
             return is_near(std::vector<float>{total}, {sum(elements)}, 1e-4);
           }});

  constexpr size_t values = 262144;
  const auto bins = zeros<unsigned>(256);
  const device_array<unsigned char> bytes(
      make_vector(values, [](size_t i) { return static_cast<unsigned char>(random_word(i)); }));
  measure({"histogram with shared atomics, 262144 values", [&] { histogram<<<64, 256>>>(bins, bytes, values); },
           [&] {
             std::vector<unsigned> counts(256);
             for (const unsigned char byte : bytes.content()) ++counts[byte];
             return bins.download() == counts;
           },
           [&] { bins.reset(); }});

  const device_array<unsigned> keys(make_vector(64 * 512, random_word));
  measure({"bitonic sort of 512, 64 blocks", [&] { bitonic_sort<<<64, 512>>>(keys); },
           [&] {
             std::vector<unsigned> sorted = keys.content();
             for (size_t i = 0; i < sorted.size(); i += 512) {
               std::sort(&sorted[i], &sorted[i] + 512);
             }
             return keys.download() == sorted;
           },
           [&] { keys.reset(); }});
}

void measure_products() {
  constexpr size_t width = 128;
  const auto c = zeros<float>(width * width);
  const device_array<float> a(make_vector(width * width, random_float)), b(a.content());
  const auto is_product = [&] {
    return is_near(c.download(),
                   make_vector(width * width,
                               [&](size_t i) {
                                 float sum = 0;
                                 for (size_t k = 0; k < width; ++k) {
                                   sum += a.content()[i / width * width + k] * b.content()[k * width + i % width];
                                 }
                                 return sum;
                               }),
                   1e-4);
  };
  measure({"matrix product, 128 x 128, tiles of 32 x 32",
           [&] { matrix_product<32><<<dim3(4, 4), dim3(32, 32)>>>(c, a, b, width); }, is_product});
  measure({"matrix product, 128 x 128, tiles of 16 x 16",
           [&] { matrix_product<16><<<dim3(8, 8), dim3(16, 16)>>>(c, a, b, width); }, is_product});

  constexpr size_t rows = 16384, in_row = 16;
  const auto out = zeros<float>(rows);
  const device_array<int> first(make_vector(rows + 1, [](size_t i) { return static_cast<int>(i * in_row); }));
  const device_array<int> columns(
      make_vector(rows * in_row, [](size_t i) { return static_cast<int>(random_word(i) % rows); }));
  const device_array<float> values(make_vector(rows * in_row, random_float));
  const device_array<float> x(make_vector(rows, random_float));
  measure({"product of a sparse matrix, 16384 rows of 16",
           [&] { sparse_product<<<rows / 256, 256>>>(out, first, columns, values, x, false); },
           [&] {
             return is_near(out.download(),
                            make_vector(rows,
                                        [&](size_t row) {
                                          float sum = 0;
                                          for (size_t k = row * in_row; k < (row + 1) * in_row; ++k) {
                                            sum += values.content()[k] *
                                                   x.content()[static_cast<size_t>(columns.content()[k])];
                                          }
                                          return sum;
                                        }),
                            1e-4);
           }});
}

void measure_more_stencils() {
  constexpr size_t side = 64, count = side * side * side;
  const auto out = zeros<float>(count);
  const device_array<float> in(make_vector(count, random_float));
  const std::vector<float>& all = in.content();
  measure({"also: stencil of seven points, 64 x 64 x 64",
           [&] { stencil_of_volume<<<dim3(2, 16, 32), dim3(32, 4, 2)>>>(out, in, side, false); },
           [&] {
             return is_near(out.download(),
                            make_vector(count,
                                        [&](size_t i) {
                                          const size_t x = i % side, y = i / side % side, z = i / side / side;
                                          const auto is_edge = [](size_t at) { return at % (side - 1) == 0; };
                                          if (is_edge(x) || is_edge(y) || is_edge(z)) return 0.0f;
                                          float sum = all[i - 1] + all[i + 1] + all[i - side] + all[i + side];
                                          sum += all[i - side * side] + all[i + side * side];
                                          return 0.4f * all[i] + 0.1f * sum;
                                        }),
                            1e-5);
           }});

  constexpr size_t width = 512;
  const auto smooth = zeros<float>(width * width);
  const device_array<float> image(make_vector(width * width, random_float));
  measure({"also: means of 3 x 3 in tiles with borders, 512 x 512",
           [&] { smooth_in_tiles<<<dim3(32, 32), dim3(16, 16)>>>(smooth, image, width); },
           [&] {
             return is_near(
                 smooth.download(),
                 make_vector(width * width,
                             [&](size_t i) {
                               float sum = 0;
                               for (int k = 0; k < 9; ++k) {
                                 const int row = static_cast<int>(i / width) + k / 3 - 1;
                                 const int column = static_cast<int>(i % width) + k % 3 - 1;
                                 const auto inside = [](int at) {
                                   return static_cast<size_t>(std::min(std::max(at, 0), static_cast<int>(width) - 1));
                                 };
                                 sum += image.content()[inside(row) * width + inside(column)];
                               }
                               return sum / 9;
                             }),
                 1e-5);
           }});
}

void measure_more_sums() {
  constexpr size_t elements = 1 << 19;
  const device_array<unsigned> in(make_vector(elements, random_word));
  const auto total = zeros<unsigned>(1), sums = zeros<unsigned>(elements), bins = zeros<unsigned>(1000);
  measure({"also: sum of 524288 words by a grid", [&] { sum_of_grid<<<64, 256>>>(total, in, elements); },
           [&] {
             unsigned sum = 0;
             for (const unsigned word : in.content()) sum += word;
             return total.download()[0] == sum;
           },
           [&] { total.reset(); }});
  measure({"also: scan of blocks of 256, 524288 words", [&] { scan_of_blocks<<<elements / 256, 256>>>(sums, in); },
           [&] {
             std::vector<unsigned> expected = in.content();
             for (size_t i = 0; i < elements; ++i) {
               if (i % 256 != 0) expected[i] += expected[i - 1];
             }
             return sums.download() == expected;
           }});
  measure({"also: histogram of 524288 words in memory",
           [&] { histogram_in_memory<<<64, 256>>>(bins, in, elements, 1000); },
           [&] {
             std::vector<unsigned> expected(1000);
             for (const unsigned word : in.content()) ++expected[word % 1000];
             return bins.download() == expected;
           },
           [&] { bins.reset(); }});

  constexpr size_t rows = 512, columns = 300;
  const auto shares = zeros<float>(rows * columns);
  const device_array<float> values(make_vector(rows * columns, random_float));
  measure({"also: softmax of 512 rows of 300", [&] { softmax_of_rows<<<rows / 8, 256>>>(shares, values, columns); },
           [&] {
             const auto& from = values.content();
             const auto expected = make_vector(rows * columns, [&](size_t i) {
               float sum = 0;
               for (size_t k = i / columns * columns; k < (i / columns + 1) * columns; ++k)
                 sum += std::exp(from[k] - 1);
               return std::exp(from[i] - 1) / sum;
             });
             return is_near(shares.download(), expected, 1e-4);
           }});
}

void measure_more_products() {
  const auto check = [](const char* name, size_t width, const auto& launch) {
    const auto c = zeros<float>(width * width);
    const device_array<float> a(make_vector(width * width, random_float)), b(a.content());
    measure({name, [&] { launch(c, a, b); },
             [&] {
               const auto expected = make_vector(width * width, [&](size_t i) {
                 float sum = 0;
                 for (size_t k = 0; k < width; ++k) {
                   sum += a.content()[i / width * width + k] * b.content()[k * width + i % width];
                 }
                 return sum;
               });
               return is_near(c.download(), expected, 1e-4);
             }});
  };
  check("also: matrix product with edges, 150 x 150", 150, [](float* c, const float* a, const float* b) {
    product_with_edges<<<dim3(10, 10), dim3(16, 16)>>>(c, a, b, 150);
  });
  check("also: matrix product, four results a thread, 192 x 192", 192,
        [](float* c, const float* a, const float* b) { product_of_four<<<dim3(6, 6), dim3(16, 16)>>>(c, a, b, 192); });
}

// A graph whose vertices have 1 to 15 neighbors: the next vertex, and random ones.
void measure_more_graphs() {
  constexpr int vertices = 20000;
  std::vector<int> begins = {0}, neighbors;
  for (int v = 0; v < vertices; ++v) {
    neighbors.push_back((v + 1) % vertices);
    for (unsigned k = 0; k < random_word(v) % 15; ++k) {
      neighbors.push_back(static_cast<int>(random_word(v * 16 + k) % vertices));
    }
    begins.push_back(static_cast<int>(neighbors.size()));
  }
  // The depths 0, 1 and 2 of every hundredth vertex and its neighbors.
  std::vector<int> depths = make_vector(vertices, [](size_t v) { return v % 100 == 0 ? 0 : -1; });
  const auto step = [&](int depth) {
    const std::vector<int> before = depths;
    for (int v = 0; v < vertices; ++v) {
      for (int k = begins[v]; before[v] == depth && k < begins[v + 1]; ++k) {
        if (depths[neighbors[k]] == -1) depths[neighbors[k]] = depth + 1;
      }
    }
  };
  step(0);
  const device_array<int> first(begins), to(neighbors), reached(depths);
  const device_array<int> frontier(make_vector(vertices, [&](size_t v) { return depths[v] == 1 ? 1 : 0; }));
  const auto found = zeros<int>(1);
  step(1);
  measure({"also: step of a breadth-first search, 20000 vertices",
           [&] { breadth_first<<<(vertices + 127) / 128, 128>>>(reached, frontier, first, to, vertices, 2, found); },
           [&] { return reached.download() == depths; }, [&] { reached.reset(); }});

  const auto out = zeros<float>(vertices);
  const device_array<float> ranks(make_vector(vertices, random_float));
  measure({"also: step of ranks, 20000 vertices",
           [&] { rank_vertices<<<(vertices + 127) / 128, 128>>>(out, ranks, first, to, vertices, false); },
           [&] {
             const auto expected = make_vector(vertices, [&](size_t v) {
               float sum = 0;
               for (int k = begins[v]; k < begins[v + 1]; ++k) {
                 const int from = neighbors[k];
                 sum += ranks.content()[from] / static_cast<float>(begins[from + 1] - begins[from]);
               }
               return 0.15f + 0.85f * sum;
             });
             return is_near(out.download(), expected, 1e-4);
           }});
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) selected = arguments[1];
  measure_arithmetic();
  measure_bodies(1024, "bodies, 1024 against 1024, tiles in shared memory",
                 [](float3* forces, const float4* bodies) { bodies_in_tiles<<<4, 256>>>(forces, bodies, 1024); });
  measure_bodies(512, "bodies, 512 against 512, sums in memory", [](float3* forces, const float4* bodies) {
    bodies_in_memory<<<4, 128>>>(forces, bodies, 512, false);
  });
  measure_movement();
  measure_sums();
  measure_products();
  measure_more_stencils();
  measure_more_sums();
  measure_more_products();
  measure_more_graphs();
  return failed ? 1 : 0;
}
