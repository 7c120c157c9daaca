# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The precompiled preamble: a pass that reads it writes the same object, diagnostics and make rule as a pass that reads
the headers. A precompiled file that does not fit is not used. CPATH keeps cohortcc from using any."""

import os
import pathlib
import re
import shutil

import workplace

SOURCE = """
#include <cooperative_groups.h>
#include <cstdio>
#include <limits>
#include <vector>
#include "user.h"

texture<float, 1, cudaReadModeElementType> samples;
__constant__ float factors[2] = {1, 2};
__device__ int counter;

template <class X>
__device__ const X& limit(const X& x) { return x; }

template <class X>
__global__ void sum(const X* in, X* out) {
  __shared__ X row[64];
  const int unused = 3;
  row[threadIdx.x] = in[threadIdx.x] * USER_FACTOR + tex1Dfetch(samples, 3) * factors[1];
  __syncthreads();
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  assert(lane < 32);
  if (threadIdx.x == 0) out[0] = limit(std::numeric_limits<int>::digits) + row[63] + atomicAdd(&counter, 1);
  cooperative_groups::this_thread_block().sync();
}

int main() {
  std::vector<float> host(64);
  const auto twice = [] __host__ __device__(int x) { return 2 * x; };
  sum<<<1, 64>>>(host.data(), host.data());
  std::printf("%d\\n", twice(2));
  return std::min(cudaDeviceSynchronize(), cudaSuccess);
}
"""
SMALL = """
__global__ void twice(float* x) { x[threadIdx.x] *= USER_FACTOR; }
int main() { const int unused = 3; twice<<<1, 64>>>(nullptr); }
"""
HEADER = """
#include <cuda_runtime.h>
#define USER_FACTOR 3
inline int of_user(int x) { return x; }
"""


# Options for which the build makes no preamble.
OWN = ("-O0", "-pthread")


class Preamble(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.cache = self.place.folder / "cache"
        self.place.write("user.h", HEADER)
        self.place.write("source.cu", '#include "user.h"\n' + SMALL)
        (self.place.folder / "none").mkdir()
        folders = [each for each in os.environ["PATH"].split(":") if pathlib.Path(each).name != "ccache"]
        self.place.environment["PATH"] = ":".join(folders)
        self.place.environment["XDG_CACHE_HOME"] = str(self.place.folder / "user")

    def compiled(self, *options, **environment):
        """Returns the results of a compilation, and whether each of its passes read a precompiled header."""
        done = self.place.compile("-v", "-c", "source.cu", "-o", "source.o", *options, COHORT_CACHE=str(self.cache),
                                  **environment)
        lines = done.stderr.splitlines()
        passes = ["-include-pch" in line for line in lines if line.startswith("#$ ") and "-x cuda" in line]
        results = [(self.place.folder / name) for name in ("source.o", "source.d")]
        texts = [path.read_bytes() if path.exists() else b"" for path in results]
        for path in results:
            path.unlink(missing_ok=True)
        shown = [line for line in lines if not line.startswith(("#$ ", "cohortcc: note: "))]
        return (done.returncode, texts, shown), passes

    def headers(self):
        return sorted(self.cache.glob("*.pch")) if self.cache.exists() else []

    def check_equal(self, *options, passes=(True, True)):
        expected, read = self.compiled(*options, CPATH="none")
        self.assertNotIn(True, read)
        result, read = self.compiled(*options)
        # A third pass repeats a pass whose precompiled header did not fit.
        self.assertEqual(tuple(read) if result[0] == 0 else tuple(read[:len(passes)]), passes)
        self.assertEqual(result[2], expected[2])
        self.assertTrue(result == expected, f"other results with {options}")
        return result

    def test_results_are_equal(self):
        self.check_equal("-MMD", "-O2", "-Xcompiler", "-Wall")
        self.place.write("source.cu", SOURCE)
        status, (made, rule), shown = self.check_equal("-MD")
        self.assertEqual(status, 0)
        self.assertIn(b"cuda_runtime.h", rule)
        self.assertNotIn(b"/dev/null", rule)
        self.assertRegex("".join(shown), r"source\.cu:\d+:\d+: warning: .*unused.*#177")
        self.check_equal("-rdc=true", "-w", "-O0")
        self.place.write("source.cu", "#include <new>\n#include <string>\n" + SOURCE)
        self.check_equal("-std=c++20", "-MD")
        self.check_equal("-DNDEBUG", "-DT=float", "-DN=", "--check", "-Inone", "-include", "user.h", "-O0")

    def test_macros(self):
        self.compiled(*OWN)
        made = self.headers()
        self.compiled(*OWN, "-DMINE=1", "-DT=float", "-UYOURS")
        self.assertEqual(self.headers(), made)
        self.compiled(*OWN, "-DNDEBUG")  # the macro changes <assert.h>
        self.assertGreater(len(self.headers()), len(made))

    def test_errors(self):
        self.place.write("source.cu", "int main() { return std::min(1, 2u); }")
        status, _, shown = self.check_equal()
        self.assertNotEqual(status, 0)
        self.assertIn("no matching function", "".join(shown))
        self.place.write("source.cu", "__device__ int printf(const char*, ...);\n" + SMALL)
        self.check_equal("-Werror", "all-warnings", "-DUSER_FACTOR=2")

    def test_hidden_headers(self):
        (self.place.folder / "mine").mkdir()
        self.place.write("mine/stdio.h", '#include_next <stdio.h>\n#pragma message "mine"\n')
        self.check_equal("-O0", "-I", "mine", passes=(False, False))
        self.check_equal("-O0", "-isystem", "mine", passes=(False, False))
        self.place.write("cuda_runtime.h", "#include_next <cuda_runtime.h>\n#define USER_FACTOR 4\n")
        self.place.write("user.h", "")
        self.check_equal("-O0", passes=(False, False))

    def test_other_options(self):
        for options in (["-Xdevice", "-O1"], ["-fsanitize=undefined"], ["-MD", "-MP"], ["-g"]):
            self.assertNotIn(True, self.compiled(*OWN, *options)[1], options)
        self.assertEqual(self.headers(), [])
        self.assertNotIn("-include-pch", self.place.compile("--dryrun", "-c", "source.cu").stderr)

    def test_stale_and_broken_files(self):
        expected, _ = self.compiled(*OWN)
        (first,) = {path.with_suffix("").name.rsplit("-", 2)[0] for path in self.headers()[:1]}
        record = self.cache / (first + ".txt")
        text = record.read_text()
        self.assertIn("/cuda_runtime.h", text)
        # A header with another modification time: the preamble is made again, and the old file is removed.
        record.write_text(re.sub(r"^\d+ (\d+ \S*/cuda_runtime\.h)$", r"1 \1", text, flags=re.MULTILINE))
        old = self.headers()
        self.assertEqual(self.compiled(*OWN), (expected, [True, True]))
        self.assertNotEqual(self.headers(), old)
        self.assertEqual(len(self.headers()), len(old))
        # Truncated files: half of the record, half of the header, half of the facts.
        text = record.read_text()
        record.write_text(text[:len(text) // 2])
        self.assertEqual(self.compiled(*OWN), (expected, [True, True]))
        for ending in ("*.pch", "*.facts"):
            for path in self.cache.glob(ending):
                path.write_bytes(path.read_bytes()[:-1])
            self.assertEqual(self.compiled(*OWN), (expected, [True, True]))

    def test_folder_that_takes_no_files(self):
        self.cache.write_text("a file")
        result, read = self.compiled(*OWN)
        self.assertEqual((result[0], read), (0, [False, False]))
        done = self.place.compile("--make-preamble", *OWN, COHORT_CACHE=str(self.cache))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write the preamble to", done.stderr)
        self.assertEqual(self.place.compile("--make-preamble", "source.cu").returncode, 1)

    def test_folder_of_the_user(self):
        """It is written where the installation takes no files, and only when the user asks for it."""
        build = pathlib.Path(self.place.cohortcc).parent.parent
        moved = self.place.folder / "moved"
        for folder in ("", "lib", "lib/cohort"):
            (moved / folder).mkdir()
            for path in (build / folder).iterdir():
                if path.name not in ("bin", "lib", "cohort", "preamble"):
                    (moved / folder / path.name).symlink_to(path)
        (moved / "bin").mkdir()
        shutil.copy(self.place.cohortcc, moved / "bin")
        (moved / "lib" / "cohort" / "preamble").write_text("a file, also for root\n")
        self.place.cohortcc = str(moved / "bin" / "cohortcc")
        self.cache = ""
        self.assertEqual(self.compiled()[1], [False, False])
        user, home = self.place.folder / "user", self.place.folder / "home"
        self.assertFalse(user.exists())
        self.assertEqual(self.place.compile("--make-preamble").returncode, 0)
        self.assertEqual(len(list((user / "cohort" / "preamble").glob("*.pch"))), 2)
        self.assertEqual(self.compiled()[1], [True, True])
        self.assertEqual(self.compiled("-O0")[1], [False, False])
        relative = {"XDG_CACHE_HOME": "user", "HOME": str(home)}  # a relative path is ignored
        self.assertEqual(self.compiled(**relative)[1], [False, False])
        self.assertEqual(self.place.compile("--make-preamble", **relative).returncode, 0)
        self.assertEqual(len(list((home / ".cache" / "cohort" / "preamble").glob("*.pch"))), 2)
        self.assertEqual(self.compiled(**relative)[1], [True, True])

    def test_order_of_the_command(self):
        self.assertEqual(self.place.compile("--make-preamble", *OWN, COHORT_CACHE=str(self.cache)).returncode, 0)
        self.assertEqual(len(self.headers()), 2)
        self.assertEqual(self.compiled(*OWN)[1], [True, True])
        self.assertEqual(len(self.headers()), 2)
        self.assertEqual([path.name for path in pathlib.Path(self.cache).glob("*.part")], [])


if __name__ == "__main__":
    workplace.main()
