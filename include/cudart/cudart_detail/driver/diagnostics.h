// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs and core dumps. Included by cuda.h only. The logs are those of the runtime API.
#pragma once

CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback);
CUresult cuLogsCurrent(CUlogIterator* iterator_out, unsigned int flags);
CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile, unsigned int flags);
CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags);

// A core dump is the report of the kernel that has failed, in a file. The settings of a context are those of its
// device. CUDA_ERROR_NOT_PERMITTED for a setting that CUDA's environment variables make, and for a pipe of one context;
// CUDA_ERROR_NOT_SUPPORTED for core dumps on request.
CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);
CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);
