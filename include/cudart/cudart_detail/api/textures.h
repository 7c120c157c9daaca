// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects. Included by cuda_runtime_api.h only.
#pragma once

// Linear filtering of texels that a fetch returns as integers is cudaErrorInvalidFilterSetting. Textures of mipmapped
// arrays need normalized coordinates. Without them, wrap and mirror are clamp. Linear memory ignores filter and address
// modes; it begins at a multiple of textureAlignment. Seamless cubemaps and formats of blocks are
// cudaErrorNotSupported.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject, const struct cudaResourceDesc* pResDesc,
                                    const struct cudaTextureDesc* pTexDesc,
                                    const struct cudaResourceViewDesc* pResViewDesc);
// Waits for the device. A later fetch through the object ends its launch with a report.
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* pResDesc, cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* pTexDesc, cudaTextureObject_t texObject);
// cudaErrorInvalidValue for an object without a view.
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* pResViewDesc,
                                                 cudaTextureObject_t texObject);
// The largest width of a texture over linear memory.
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                 const struct cudaChannelFormatDesc* fmtDesc, int device);

// The array must have been made with cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject, const struct cudaResourceDesc* pResDesc);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* pResDesc, cudaSurfaceObject_t surfObject);

// Texture and surface references, which CUDA 12 removed. A kernel reads the binding of its device at the time of its
// launch: these calls wait for the device. cudaErrorInvalidTexture or cudaErrorInvalidSurface: the address is not that
// of a variable of type texture<> or surface<>. The errors of cudaCreateTextureObject apply, too.
//
// `offset` receives the distance of `devPtr` from the texture's first texel, in bytes. It may be null for a multiple of
// textureAlignment, as cudaMalloc returns it. A texture over linear memory has at most 2^28 texels.
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texref, const void* devPtr,
                            const struct cudaChannelFormatDesc* desc, size_t size COHORT_DEFAULT(0xffffffff));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texref, const void* devPtr,
                              const struct cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch);
// cudaErrorInvalidChannelDescriptor: the size of a texel of `desc` is not that of the array.
cudaError_t cudaBindTextureToArray(const struct textureReference* texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* desc);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference* texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc* desc);
cudaError_t cudaUnbindTexture(const struct textureReference* texref);
// cudaErrorInvalidTextureBinding: the reference is not bound on the current device.
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texref);
// `symbol`: the address of a texture<> variable.
cudaError_t cudaGetTextureReference(const struct textureReference** texref, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference** surfref, const void* symbol);
