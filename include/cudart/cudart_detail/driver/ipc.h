// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: memory and events that several processes share. Included by cuda.h only.
#pragma once

CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr);
CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr dptr);
CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event);
CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle);

#define cuIpcOpenMemHandle_v2 cuIpcOpenMemHandle
