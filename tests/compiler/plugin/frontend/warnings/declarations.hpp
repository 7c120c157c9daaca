// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations that the constructs in this folder's tables use.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
enum color { red, green, blue };
enum other { one, two };
enum class strong { a, b };
struct pod {
  int x;
  int y;
};
struct nontrivial {
  __host__ __device__ nontrivial() {}
  __host__ __device__ ~nontrivial() {}
  int v;
};
struct bits {
  int f : 3;
  unsigned g : 2;
};
__host__ __device__ void take(int);
__host__ __device__ int give();
__host__ __device__ bool truth();
__host__ __device__ void take_pointer(const void*);
__host__ __device__ void take_char(char*);
[[deprecated]] __host__ __device__ int old();
[[deprecated("use new_one")]] __host__ __device__ int old_text();
[[nodiscard]] __host__ __device__ int must();
__host__ __device__ void sink(int, ...);
__host__ __device__ __attribute__((noreturn)) void quit();
struct base {
  __host__ __device__ virtual void v();
  __host__ __device__ virtual void w(int);
};
struct derived : base {
  int z;
};
__host__ __device__ int with_default(int a = 3);
typedef int* int_pointer;
__host__ __device__ void ref(int&);
