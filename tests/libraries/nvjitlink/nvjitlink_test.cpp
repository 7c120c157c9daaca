// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvJitLink: options, statuses for inputs that are no images, the log. tests/python links an image.
#include <gtest/gtest.h>
#include <nvJitLink.h>

#include <initializer_list>
#include <string>
#include <vector>

extern "C" nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle*, uint32_t, const char**);

namespace {

nvJitLinkResult create(std::initializer_list<const char*> options, nvJitLinkHandle* handle) {
  std::vector<const char*> all(options);
  return nvJitLinkCreate(handle, static_cast<uint32_t>(all.size()), all.data());
}
// The result of a link that is destroyed at once.
nvJitLinkResult try_options(std::initializer_list<const char*> options) {
  nvJitLinkHandle handle = nullptr;
  const nvJitLinkResult result = create(options, &handle);
  EXPECT_EQ(handle != nullptr, result == NVJITLINK_SUCCESS);
  if (handle) {
    EXPECT_EQ(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  }
  return result;
}

TEST(NvJitLink, OptionsAreThoseOfNvidia) {
  EXPECT_EQ(try_options({"-arch=sm_90"}), NVJITLINK_SUCCESS);
  EXPECT_EQ(try_options({"-O3", "-arch=compute_90", "-lto", "-Xptxas=-v", "-maxrregcount=32"}), NVJITLINK_SUCCESS);
  EXPECT_EQ(try_options({}), NVJITLINK_ERROR_MISSING_ARCH);
  EXPECT_EQ(try_options({"-arch=90"}), NVJITLINK_ERROR_UNRECOGNIZED_ARCH);
  EXPECT_EQ(try_options({"-arch=sm_90", "-fast"}), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  EXPECT_EQ(try_options({"-arch=sm_90", "-ftz="}), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  EXPECT_EQ(try_options({"-arch=sm_90", "-ptx"}), NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS);
  EXPECT_EQ(nvJitLinkCreate(nullptr, 0, nullptr), NVJITLINK_ERROR_NULL_INPUT);
  unsigned major = 0, minor = 7;
  EXPECT_EQ(nvJitLinkVersion(&major, &minor), NVJITLINK_SUCCESS);
  EXPECT_EQ(major, 13u);
  EXPECT_EQ(minor, 0u);
  EXPECT_EQ(nvJitLinkVersion(nullptr, &minor), NVJITLINK_ERROR_NULL_INPUT);
}

TEST(NvJitLink, InputsThatAreNoImagesAreNamed) {
  nvJitLinkHandle handle = nullptr;
  const char* option = "-arch=sm_90";
  ASSERT_EQ(__nvJitLinkCreate_13_0(&handle, 1, &option), NVJITLINK_SUCCESS);
  const char text[] = "no image";
  EXPECT_EQ(nvJitLinkAddData(handle, NVJITLINK_INPUT_CUBIN, text, sizeof text, "first"), NVJITLINK_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, text, sizeof text, "second"), NVJITLINK_ERROR_PTX_COMPILE);
  EXPECT_EQ(nvJitLinkAddData(handle, NVJITLINK_INPUT_OBJECT, text, sizeof text, "third"),
            NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
  EXPECT_EQ(nvJitLinkAddData(handle, NVJITLINK_INPUT_INDEX, text, sizeof text, nullptr),
            NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
  EXPECT_EQ(nvJitLinkAddData(handle, NVJITLINK_INPUT_CUBIN, nullptr, 0, nullptr), NVJITLINK_ERROR_NULL_INPUT);
  EXPECT_EQ(nvJitLinkAddFile(handle, NVJITLINK_INPUT_CUBIN, "/nowhere/image"), NVJITLINK_ERROR_INVALID_INPUT);
  size_t size = 0;
  ASSERT_EQ(nvJitLinkGetErrorLogSize(handle, &size), NVJITLINK_SUCCESS);
  std::string log(size, '?');
  ASSERT_EQ(nvJitLinkGetErrorLog(handle, log.data()), NVJITLINK_SUCCESS);
  EXPECT_NE(log.find("cannot be linked"), std::string::npos) << log;
  EXPECT_EQ(log.back(), '\0');
  ASSERT_EQ(nvJitLinkGetInfoLogSize(handle, &size), NVJITLINK_SUCCESS);
  EXPECT_EQ(size, 1u);
  EXPECT_EQ(nvJitLinkComplete(handle), NVJITLINK_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvJitLinkGetLinkedCubinSize(handle, &size), NVJITLINK_ERROR_FINALIZE);
  EXPECT_EQ(nvJitLinkGetLinkedPtxSize(handle, &size), NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS);
  EXPECT_EQ(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(nvJitLinkDestroy(&handle), NVJITLINK_ERROR_NULL_INPUT);
}

}  // namespace
