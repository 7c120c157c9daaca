// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `typename` is not needed before T::part(3), so only the other error is reported.
// EXPECT: typename_beside_another_error.cu:10:13: error: no member named 'missing' in 'has_type'
struct has_type {
  using part = short;
};
template <class T>
__global__ void k(int* p) {
  p[0] = T::part(3);
  p[1] = T::missing(4);
}
void launch(int* p) { k<has_type><<<1, 1>>>(p); }
