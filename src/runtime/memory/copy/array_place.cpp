// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy/array_place.hpp"

namespace cohort::runtime {

bool find_place_of_bytes(const cudaArray& array, const cudaPos& at, const box& b, place* p) {
  const cudaExtent texels = texels_of(array.extent);
  const auto inside = [](size_t first, size_t count, size_t size) { return first <= size && count <= size - first; };
  if (!inside(at.x, b.width, array.pitch()) || !inside(at.y, b.height, texels.height) ||
      !inside(at.z, b.depth, texels.depth)) {
    return false;
  }
  *p = {array.first + at.z * array.slice() + at.y * array.pitch() + at.x, array.pitch(), array.slice()};
  return true;
}

bool find_place(const cudaArray& array, const cudaPos& at, const box& b, place* p) {
  size_t x = 0;
  return !__builtin_mul_overflow(at.x, array.format.bytes(), &x) && find_place_of_bytes(array, {x, at.y, at.z}, b, p);
}

}  // namespace cohort::runtime
