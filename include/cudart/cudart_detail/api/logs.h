// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of the process: the sentences that Cohort prints on stderr, the reports of kernels, and the errors that calls
// return. It keeps the newest 25600 bytes. Included by cuda_runtime_api.h only.
#pragma once

// The callback gets each new entry, on the thread that makes it. It must not call CUDA.
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                     cudaLogsCallbackHandle* callback_out);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
// Writes an iterator to the entry that will be made next.
cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags);
// Write the entries from `iterator` on, or all of them for null, and move `iterator` to the next entry. If older
// entries are missing, a line reports it.
cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile, unsigned int flags);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags);
