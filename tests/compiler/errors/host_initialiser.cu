// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: host_initialiser.cu:6:12: error: the initialiser of 'size', a variable of the host, calls a function that is not one of the host
namespace {
__device__ int lanes() { return 32; }
const auto half = 16;
const auto size = lanes();
}  // namespace
int main() { return size - half; }
