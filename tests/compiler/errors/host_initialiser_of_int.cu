// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: host_initialiser_of_int.cu:6:18: error: the initialiser of 'size', a variable of the host, calls the __device__ function 'lanes'
namespace {
__device__ int lanes() { return 32; }
const auto half = 16;
const int size = lanes();
}  // namespace
int main() { return size - half; }
