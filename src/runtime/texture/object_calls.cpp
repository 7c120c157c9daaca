// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that make, destroy and describe texture and surface objects.
#include <optional>

#include "runtime/memory/array/array_limits.hpp"
#include "runtime/memory/array/texel_format.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/texture/object_table.hpp"
#include "runtime/texture/texture_content.hpp"

namespace cohort::runtime {

namespace {

// Calls `write(const object_description&)` for a live texture or surface; it returns false if it has nothing to write.
template <class Write>
cudaError_t describe_object(unsigned long long object, bool is_texture, Write&& write) {
  return host_call([&] {
    object_description described;
    const bool is_there =
        object_table::instance().find(object, &described) && described.texture.has_value() == is_texture;
    return is_there && write(described) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Destroys an object after all work submitted before the call, which may still read it.
cudaError_t destroy(unsigned long long object, bool is_texture) {
  return unsafe_call([&] {
    const std::optional<int> device = object_table::device_of(object);
    if (!device) return cudaErrorInvalidValue;
    device_state& owner = device_at(*device);
    scheduler::instance().wait_for_device(owner);
    return object_table::instance().remove(object, is_texture) ? take_failure(owner) : cudaErrorInvalidValue;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* sampler, const cudaResourceViewDesc* view) {
  return device_call([&] {
    if (!object || !resource || !sampler) return cudaErrorInvalidValue;
    cohort_texture content;
    const cudaError_t error = describe_texture(*resource, *sampler, view, &content);
    if (error != cudaSuccess) return error;
    object_description described{*resource, *sampler, {}};
    if (view) described.view = *view;
    return object_table::instance().add(content, described, object);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object, true); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return describe_object(object, true, [&](const object_description& described) {
    if (resource) *resource = described.resource;
    return resource != nullptr;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampler, cudaTextureObject_t object) {
  return describe_object(object, true, [&](const object_description& described) {
    if (sampler) *sampler = *described.texture;
    return sampler != nullptr;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t object) {
  return describe_object(object, true, [&](const object_description& described) {
    if (view && described.view) *view = *described.view;
    return view && described.view;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* desc, int device) {
  return host_call([&] {
    texel_format format;
    if (!width || !desc) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const cudaError_t error = to_texel_format(*desc, &format);
    if (error == cudaSuccess) *width = texture_1d_linear_width;
    return error;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return device_call([&] {
    if (!object || !resource) return cudaErrorInvalidValue;
    cohort_surface content;
    const cudaError_t error = describe_surface(*resource, &content);
    return error != cudaSuccess ? error : object_table::instance().add(content, {*resource, {}, {}}, object);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object, false); }

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return describe_object(object, false, [&](const object_description& described) {
    if (resource) *resource = described.resource;
    return resource != nullptr;
  });
}

}  // extern "C"
