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
