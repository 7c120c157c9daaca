// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX: marks, ranges and names for a profiler. No profiler attaches to a program here, and each function returns what
// NVTX returns then: push and pop return NVTX_NO_PUSH_POP_TRACKING, ranges have id 0, domains and strings are null.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define COHORT_NVTX(result, value, name, parameters) \
  static inline result name parameters { return value; }

// clang-format off: one function, one line; the parameters have no names, since none is used.
#define COHORT_NVTX_VOID
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, (const char*))
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, (const wchar_t*))
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, (const nvtxEventAttributes_t*))
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, (void))
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*))
COHORT_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, (nvtxDomainHandle_t))
COHORT_NVTX(nvtxRangeId_t, 0, nvtxRangeStartA, (const char*))
COHORT_NVTX(nvtxRangeId_t, 0, nvtxRangeStartW, (const wchar_t*))
COHORT_NVTX(nvtxRangeId_t, 0, nvtxRangeStartEx, (const nvtxEventAttributes_t*))
COHORT_NVTX(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxRangeEnd, (nvtxRangeId_t))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxDomainRangeEnd, (nvtxDomainHandle_t, nvtxRangeId_t))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxMarkA, (const char*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxMarkW, (const wchar_t*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxMarkEx, (const nvtxEventAttributes_t*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxDomainMarkEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxNameCategoryA, (uint32_t, const char*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxNameOsThreadA, (uint32_t, const char*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxDomainNameCategoryA, (nvtxDomainHandle_t, uint32_t, const char*))
COHORT_NVTX(nvtxDomainHandle_t, 0, nvtxDomainCreateA, (const char*))
COHORT_NVTX(void, COHORT_NVTX_VOID, nvtxDomainDestroy, (nvtxDomainHandle_t))
COHORT_NVTX(nvtxStringHandle_t, 0, nvtxDomainRegisterStringA, (nvtxDomainHandle_t, const char*))
#undef COHORT_NVTX_VOID
// clang-format on
#undef COHORT_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
