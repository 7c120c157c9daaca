// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilation results that are used again: in one process, and with COHORT_CACHE in another. A callback, which runs
// only while the compiler runs, shows whether it does.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "program.hpp"

namespace fs = std::filesystem;

namespace {

int count_call(void* count, void*) {
  ++*static_cast<int*>(count);
  return 0;
}

struct compiled {
  bool by_compiler = false;
  std::string ptx, log;
};

compiled compile(const std::string& source, const test::texts& options = {},
                 const std::vector<std::pair<std::string, std::string>>& headers = {}) {
  test::program p(source, headers);
  int calls = 0;
  nvrtcSetFlowCallback(p.handle, count_call, &calls);
  EXPECT_EQ(p.compile(options), NVRTC_SUCCESS) << p.log();
  return {calls > 0, p.ptx(), p.log()};
}

// A folder that ends with the test.
class folder {
 public:
  explicit folder(const char* name)
      : path(fs::temp_directory_path() / (std::string("nvrtc-") + name + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~folder() { fs::remove_all(path); }
  const fs::path path;
};

// Runs `body` in a process that has none of this one's results; true if it returns true.
bool in_new_process(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() && !testing::Test::HasFailure() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(nvrtc_cache, the_second_compilation) {
  const std::string source = "__global__ void k(int* p) { int unused; }\n// the_second_compilation\n";
  const compiled first = compile(source);
  const compiled second = compile(source);
  EXPECT_TRUE(first.by_compiler);
  EXPECT_FALSE(second.by_compiler);
  EXPECT_EQ(first.ptx, second.ptx);
  EXPECT_EQ(first.log, second.log);
  EXPECT_NE(first.log, "");
  EXPECT_TRUE(compile(source, {"--no-cache"}).by_compiler);
  EXPECT_TRUE(compile(source, {"-DA=1"}).by_compiler);
  EXPECT_TRUE(compile(source, {}, {{"a.h", ""}}).by_compiler);
  EXPECT_TRUE(compile(source + " ").by_compiler);
  EXPECT_FALSE(compile(source).by_compiler);
}

TEST(nvrtc_cache, times_are_not_kept) {
  const std::string source = "__device__ const char* now = __TIME__;\n";
  EXPECT_TRUE(compile(source).by_compiler);
  EXPECT_TRUE(compile(source).by_compiler);
}

TEST(nvrtc_cache, changed_headers) {
  const folder headers("headers ");
  const std::string source = "#include \"x.h\"\nstatic_assert(X > 0); __device__ int x = X;\n";
  const test::texts options = {"-I", headers.path.string()};
  std::ofstream(headers.path / "x.h") << "#define X 1\n";
  EXPECT_TRUE(compile(source, options).by_compiler);
  EXPECT_FALSE(compile(source, options).by_compiler);
  std::ofstream(headers.path / "x.h") << "#define X 1234\n";
  EXPECT_TRUE(compile(source, options).by_compiler);
  EXPECT_FALSE(compile(source, options).by_compiler);
}

TEST(nvrtc_cache, on_disk) {
  const folder disk("disk");
  setenv("COHORT_CACHE", (disk.path / "made").c_str(), 1);
  const std::string source = "__global__ void k(int* p) { *p = 1; }\n// on_disk\n";
  const auto compiles = [&] { return compile(source).by_compiler; };
  EXPECT_TRUE(in_new_process(compiles));
  EXPECT_TRUE(in_new_process([&] { return !compiles(); }));
  const auto files = [&] { return std::vector<fs::directory_entry>{fs::directory_iterator(disk.path / "made"), {}}; };
  ASSERT_EQ(files().size(), 1u);  // no part of a file remains
  const fs::path file = files()[0].path();
  const auto size = fs::file_size(file);
  for (const int damage : {0, 1, 2, 3}) {
    std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
    if (damage < 3) bytes.seekp(static_cast<std::streamoff>(damage == 0 ? 0 : damage == 1 ? 25 : size / 2));
    if (damage < 3) bytes.put('\1');
    bytes.close();
    if (damage == 3) fs::resize_file(file, size / 2);
    EXPECT_TRUE(in_new_process(compiles)) << damage;
    EXPECT_TRUE(in_new_process([&] { return !compiles(); })) << damage;
  }
  setenv("COHORT_CACHE", "/proc/no such folder", 1);  // this folder cannot be made
  EXPECT_TRUE(in_new_process(compiles));
  unsetenv("COHORT_CACHE");
}

TEST(nvrtc_cache, several_threads) {
  constexpr int threads = 6;
  std::vector<compiled> results(threads);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      results[i] = compile("__global__ void k(int* p) { *p = " + std::to_string(i / 2) + "; }\n// several_threads\n");
    });
  }
  for (std::thread& each : running) each.join();
  for (int i = 0; i < threads; i += 2) {
    EXPECT_NE(results[i].ptx, "");
    EXPECT_NE(results[i].ptx, results[(i + 2) % threads].ptx);
  }
}

}  // namespace
