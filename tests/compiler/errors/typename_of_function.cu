// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instantiation has a type, another a function: `typename` would be wrong there and is not proposed.
// EXPECT: typename_of_function.cu:13:8: error: missing 'typename' prior to dependent type name 'has_type::part'
struct has_type {
  using part = short;
};
struct has_function {
  static __device__ int part(int x) { return x; }
};
template <class T>
__global__ void k(int* p) {
  const int zero = 0;
  *p = T::part(zero);
}
void launch(int* p) {
  k<has_type><<<1, 1>>>(p);
  k<has_function><<<1, 1>>>(p);
}
