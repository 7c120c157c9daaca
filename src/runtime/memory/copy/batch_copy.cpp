// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in batches: cudaMemcpyBatchAsync and cudaMemcpy3DBatchAsync. All copies are checked before the first is made.
#include <vector>

#include "runtime/memory/array/array.hpp"
#include "runtime/memory/copy/array_place.hpp"
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

struct batched_copy {
  copy_request request;
  source_access access = source_access::in_stream;
};

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

source_access access_of(cudaMemcpySrcAccessOrder order) {
  return order == cudaMemcpySrcAccessOrderDuringApiCall ? source_access::during_call : source_access::in_stream;
}

bool are_flags(unsigned flags) { return (flags & ~static_cast<unsigned>(cudaMemcpyFlagPreferOverlapWithCompute)) == 0; }

bool is_attribute(const cudaMemcpyAttributes& a) { return is_order(a.srcAccessOrder) && are_flags(a.flags); }

// The first attribute is for copy 0, and each later one for a later copy.
bool are_attributes(const cudaMemcpyAttributes* attributes, const size_t* first, size_t attribute_count, size_t count) {
  if (!attributes || !first || attribute_count == 0 || attribute_count > count) return false;
  for (size_t i = 0; i < attribute_count; ++i) {
    if (i == 0 ? first[i] != 0 : first[i] <= first[i - 1] || first[i] >= count) return false;
    if (!is_attribute(attributes[i])) return false;
  }
  return true;
}

// Makes the copies in a stream other than the legacy default stream.
cudaError_t copy_all(cudaStream_t handle, const std::vector<batched_copy>& copies) {
  stream* s = nullptr;
  if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
  if (s->is_legacy) return cudaErrorInvalidValue;
  for (const batched_copy& each : copies) {
    const cudaError_t error = check_copy(each.request, s->recorder ? request_time::later : request_time::now);
    if (error != cudaSuccess) return error;
  }
  for (const batched_copy& each : copies) {
    if (const cudaError_t error = copy(*s, each.request, false, each.access); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// The live array of an operand; null if it has none.
const cudaArray* array_of(const cudaMemcpy3DOperand& operand) {
  const bool is_array = operand.type == cudaMemcpyOperandTypeArray;
  return is_array ? array_table::instance().find(operand.op.array.array) : nullptr;
}

// The rows of an operand; `unit` is the size of an element of the copy. cudaErrorInvalidValue if rows or slices
// overlap, and for a box that leaves its array.
cudaError_t to_place(const cudaMemcpy3DOperand& operand, const box& extent, size_t unit, place* made) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    const cudaArray* const array = array_of(operand);
    const cudaOffset3D& at = operand.op.array.offset;
    return array && find_place(*array, {at.x, at.y, at.z}, extent, made) ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (operand.type != cudaMemcpyOperandTypePointer) return cudaErrorInvalidValue;
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength * unit : extent.width;
  const size_t height = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  if (row < extent.width || height < extent.height) return cudaErrorInvalidValue;
  *made = {static_cast<char*>(operand.op.ptr.ptr), row, row * height};
  return cudaSuccess;
}

cudaError_t to_copy(const cudaMemcpy3DBatchOp& op, batched_copy* made) {
  if (!is_order(op.srcAccessOrder) || !are_flags(op.flags)) return cudaErrorInvalidValue;
  const cudaArray* const from = array_of(op.src);
  const cudaArray* const to = array_of(op.dst);
  if (to && from && to->format.bytes() != from->format.bytes()) return cudaErrorInvalidValue;
  const size_t unit = to ? to->format.bytes() : from ? from->format.bytes() : 1;
  made->request.extent = {op.extent.width * unit, op.extent.height, op.extent.depth};
  made->request.kind = cudaMemcpyDefault;
  made->access = access_of(op.srcAccessOrder);
  if (made->request.extent.empty()) return cudaErrorInvalidValue;
  const cudaError_t error = to_place(op.src, made->request.extent, unit, &made->request.from);
  return error != cudaSuccess ? error : to_place(op.dst, made->request.extent, unit, &made->request.to);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                 cudaMemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                                 cudaStream_t stream) {
  return device_call([&] {
    if (!to || !from || !sizes || count == 0) return cudaErrorInvalidValue;
    if (!are_attributes(attributes, first, attribute_count, count)) return cudaErrorInvalidValue;
    std::vector<batched_copy> copies;
    for (size_t i = 0, at = 0; i < count; ++i) {
      if (at + 1 < attribute_count && first[at + 1] == i) ++at;
      if (sizes[i] == 0) return cudaErrorInvalidValue;
      const copy_request request{{bytes_of(to[i]), sizes[i], sizes[i]},
                                 {bytes_of(from[i]), sizes[i], sizes[i]},
                                 {sizes[i], 1, 1},
                                 cudaMemcpyDefault};
      copies.push_back({request, access_of(attributes[at].srcAccessOrder)});
    }
    return copy_all(stream, copies);
  });
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list, unsigned long long flags,
                                   cudaStream_t stream) {
  return device_call([&] {
    if (!list || count == 0 || flags != 0) return cudaErrorInvalidValue;
    std::vector<batched_copy> copies(count);
    for (size_t i = 0; i < count; ++i) {
      if (const cudaError_t error = to_copy(list[i], &copies[i]); error != cudaSuccess) return error;
    }
    return copy_all(stream, copies);
  });
}

cudaError_t cudaMemcpyWithAttributesAsync(void* to, const void* from, size_t bytes, cudaMemcpyAttributes* attributes,
                                          cudaStream_t stream) {
  size_t first = 0;
  return cudaMemcpyBatchAsync(&to, &from, &bytes, 1, attributes, &first, 1, stream);
}

cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* copy, unsigned long long flags, cudaStream_t stream) {
  return cudaMemcpy3DBatchAsync(1, copy, flags, stream);
}

}  // extern "C"
