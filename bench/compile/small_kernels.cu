// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 350 small kernels of the kinds that libraries of element-wise operations have, such as one for each type and
// operator.
namespace {

template <int variant, typename T>
__device__ T combine(T x, T y) {
  if constexpr (variant % 5 == 0) {
    return x + y * T(variant);
  } else if constexpr (variant % 5 == 1) {
    return x < y ? x : y - T(variant);
  } else if constexpr (variant % 5 == 2) {
    return static_cast<T>(x / (T(variant) + static_cast<T>(expf(-static_cast<float>(y)))));
  } else if constexpr (variant % 5 == 3) {
    return (x - y) * (x + T(variant));
  } else {
    return x > T(variant) ? T(variant) : static_cast<T>(tanhf(static_cast<float>(x)) * y);
  }
}

// One element for each thread.
template <int variant, typename T>
__global__ void map(const T* a, const T* b, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = combine<variant>(a[i], b[i]);
  }
}

// The grid strides through the elements.
template <int variant, typename T>
__global__ void map_strided(const T* a, const T* b, T* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = combine<variant>(a[i], b[i]);
  }
}

// One sum for each block.
template <int variant, typename T>
__global__ void sum_of_block(const T* a, const T* b, T* out, int n) {
  __shared__ T partial[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? combine<variant>(a[i], b[i]) : T(0);
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      partial[threadIdx.x] += partial[threadIdx.x + width];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = partial[0];
  }
}

// A matrix of n x n elements, by blocks of two dimensions.
template <int variant, typename T>
__global__ void combine_with_transpose(const T* a, const T* b, T* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    out[y * n + x] = combine<variant>(a[y * n + x], b[x * n + y]);
  }
}

template <int variant>
__global__ void gather(const int* places, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = combine<variant>(b[places[i]], b[i]);
  }
}

template <int variant, typename T>
void run_kernels_of_type(const T* a, const T* b, T* out, int n) {
  map<variant><<<8, 256>>>(a, b, out, n);
  map_strided<variant><<<8, 256>>>(a, b, out, n);
  sum_of_block<variant><<<8, 256>>>(a, b, out, n);
}

template <int variant>
void run_kernels(const float* a, const float* b, float* out, const int* places, int n) {
  if constexpr (variant > 0) {
    run_kernels<variant - 1>(a, b, out, places, n);
  }
  run_kernels_of_type<variant>(a, b, out, n);
  run_kernels_of_type<variant>(places, places, reinterpret_cast<int*>(out), n);
  run_kernels_of_type<variant>(reinterpret_cast<const double*>(a), reinterpret_cast<const double*>(b),
                               reinterpret_cast<double*>(out), n);
  run_kernels_of_type<variant>(reinterpret_cast<const short*>(a), reinterpret_cast<const short*>(b),
                               reinterpret_cast<short*>(out), n);
  combine_with_transpose<variant><<<dim3(8, 8), dim3(32, 8)>>>(a, b, out, n);
  gather<variant><<<8, 256>>>(places, b, out, n);
}

}  // namespace

// 25 variants of 14 kernels.
void run_small_kernels(const float* a, const float* b, float* out, const int* places, int n) {
  run_kernels<24>(a, b, out, places, n);
}
