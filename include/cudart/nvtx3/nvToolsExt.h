// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX: marks, ranges and names for a profiler. They go to the trace of the program (COHORT_TRACE). Without one each
// function returns what NVTX returns without a profiler: push and pop return NVTX_NO_PUSH_POP_TRACKING, ranges have id
// 0, domains and strings are null.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_ERR_INIT_LOAD_PROPERTY 2
#define NVTX_ERR_INIT_ACCESS_LIBRARY 3
#define NVTX_ERR_INIT_LOAD_LIBRARY 4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT 6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE 7
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

#ifdef __cplusplus
extern "C" {
#endif

// The library's functions. A host program that does not link it has no trace; device code's programs always link it.
#ifdef __CUDACC__
#define COHORT_NVTX_LIBRARY
#else
#define COHORT_NVTX_LIBRARY __attribute__((weak))
#endif
int cohort_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) COHORT_NVTX_LIBRARY;
int cohort_nvtx_pop(nvtxDomainHandle_t domain) COHORT_NVTX_LIBRARY;
nvtxRangeId_t cohort_nvtx_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) COHORT_NVTX_LIBRARY;
void cohort_nvtx_end(nvtxRangeId_t range) COHORT_NVTX_LIBRARY;
void cohort_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) COHORT_NVTX_LIBRARY;
nvtxDomainHandle_t cohort_nvtx_domain(const char* name) COHORT_NVTX_LIBRARY;
nvtxStringHandle_t cohort_nvtx_string(const char* text) COHORT_NVTX_LIBRARY;
#undef COHORT_NVTX_LIBRARY

#ifdef __cplusplus
}
#endif

static inline nvtxEventAttributes_t cohort_nvtx_ascii(const char* text) {
  nvtxEventAttributes_t event;
  __builtin_memset(&event, 0, sizeof event);
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = text;
  return event;
}
static inline nvtxEventAttributes_t cohort_nvtx_wide(const wchar_t* text) {
  nvtxEventAttributes_t event;
  __builtin_memset(&event, 0, sizeof event);
  event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  event.message.unicode = text;
  return event;
}

static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return cohort_nvtx_push ? cohort_nvtx_push(domain, event) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) { return nvtxDomainRangePushEx(0, event); }
static inline int nvtxRangePushA(const char* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_ascii(text);
  return nvtxRangePushEx(&event);
}
static inline int nvtxRangePushW(const wchar_t* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_wide(text);
  return nvtxRangePushEx(&event);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return cohort_nvtx_pop ? cohort_nvtx_pop(domain) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void) { return nvtxDomainRangePop(0); }

static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return cohort_nvtx_start ? cohort_nvtx_start(domain, event) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return nvtxDomainRangeStartEx(0, event);
}
static inline nvtxRangeId_t nvtxRangeStartA(const char* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_ascii(text);
  return nvtxRangeStartEx(&event);
}
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_wide(text);
  return nvtxRangeStartEx(&event);
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) {
  if (cohort_nvtx_end) cohort_nvtx_end(range);
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  (void)domain;
  nvtxRangeEnd(range);
}

static inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  if (cohort_nvtx_mark) cohort_nvtx_mark(domain, event);
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) { nvtxDomainMarkEx(0, event); }
static inline void nvtxMarkA(const char* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_ascii(text);
  nvtxMarkEx(&event);
}
static inline void nvtxMarkW(const wchar_t* text) {
  const nvtxEventAttributes_t event = cohort_nvtx_wide(text);
  nvtxMarkEx(&event);
}

static inline nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  return cohort_nvtx_domain ? cohort_nvtx_domain(name) : 0;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  (void)domain;
  return cohort_nvtx_string ? cohort_nvtx_string(text) : 0;
}
// The names of domains and registered strings are kept as UTF-8. A name that is longer than the buffer is cut.
static inline void cohort_nvtx_narrow(const wchar_t* wide, char (*text)[1024]) {
  size_t used = 0;
  for (; wide && *wide && used < sizeof *text - 4; ++wide) {
    const uint32_t c = (uint32_t)*wide;
    if (c < 0x80) {
      (*text)[used++] = (char)c;
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes after the first
    (*text)[used++] = (char)((0xff00u >> (more + 1)) | (c >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) (*text)[used++] = (char)(0x80 | ((c >> (6 * i)) & 0x3f));
  }
  (*text)[used] = 0;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
  char text[1024];
  cohort_nvtx_narrow(name, &text);
  return nvtxDomainCreateA(text);
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* name) {
  char text[1024];
  cohort_nvtx_narrow(name, &text);
  return nvtxDomainRegisterStringA(domain, text);
}
static inline void nvtxInitialize(const void* reserved) { (void)reserved; }
// A trace has no categories and no names of OS threads but its own.
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline void nvtxNameCategoryA(uint32_t category, const char* name) { (void)category, (void)name; }
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) { (void)thread, (void)name; }
static inline void nvtxNameCategoryW(uint32_t category, const wchar_t* name) { (void)category, (void)name; }
static inline void nvtxNameOsThreadW(uint32_t thread, const wchar_t* name) { (void)thread, (void)name; }
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name) {
  (void)domain, (void)category, (void)name;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
  (void)domain, (void)category, (void)name;
}

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#include <cohort/base/user_macros/on.hpp>
