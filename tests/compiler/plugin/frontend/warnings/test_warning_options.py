# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options and pragmas about warnings, and which of the two passes reports which warning."""

import re

import workplace

SOURCE = """[[deprecated]] int old();
struct order { int a, b; order() : b(1), a(2) {} };
void host() { int x; int y = 1 << 40; old(); }
__global__ void kernel(int p) { p = 3; }
void launch() { kernel<<<1, 1>>>(1); }
static void unused() {}
void nothing();
template <class T> __host__ __device__ void both(T) { nothing(); }
void use_both() { both(1); }
int reach(int a) { return 3; nothing(); }
"""
DEFAULT = ["3:177", "3:177", "3:63", "3:1215", "4:550", "6:177", "8:20011"]
SWITCH = "enum e { a, b }; int f(e x) { switch (x) { case a: return 1; } return 0; }\n"
LINE = re.compile(r"^s\.cu:(\d+):\d+: (warning|error): .*?(?: \[#(\d+)-D\])?(?: \[[^\]]*\])?$")

PRAGMAS = """#pragma nv_diag_suppress 177
void f1() { int x; }
#pragma nv_diag_default 177
void f2() { int x; }
#pragma nv_diagnostic push
#pragma nv_diag_suppress declared_but_not_referenced, set_but_not_used
void f3() { int x; int y; y = 3; }
#pragma nv_diagnostic pop
void f4() { int x; int y; y = 3; }
_Pragma("nv_diag_suppress 177") void f5() { int x; }
_Pragma("nv_diag_default 177") void f6() { int x; }
#pragma nv_diag_once 177
void f7() { int x; int y; }
#pragma nv_diag_default 177
void f8() {
#pragma nv_diag_suppress 177
  int x;
#pragma nv_diag_default 177
  int y;
}
#pragma nv_diag_remark 177
void f9() { int x; }
#pragma nv_diag_warning 1719
void nothing();
struct f10 { int a, b; f10() : b(1), a(2) {} };
#pragma nv_diag_default 1719
struct f11 { int a, b; f11() : b(1), a(2) {} };
void host_alone();
#pragma nv_exec_check_disable
// a comment
template <class T> __host__ __device__ void f12(T) { host_alone(); }
template <class T> __host__ __device__ void f13(T) { host_alone(); }
void use() { f12(1); f13(1); }
"""
PRAGMA_LINES = ["4:177", "9:177", "9:550", "11:177", "13:177", "19:177", "25:1719", "32:20011"]

# nvcc's device pass reports what is unused, both passes report the rest; each reports on the code that it sees.
PASSES = """__host__ __device__ static void use(int) {}
__host__ __device__ void f1() { int x = 1;
#ifdef __CUDA_ARCH__
  use(x);
#endif
}
__host__ __device__ void f2() { int x = 1;
#ifndef __CUDA_ARCH__
  use(x);
#endif
}
__global__ void k1() {
#ifdef __CUDA_ARCH__
  int x;
  use(3 << 40);
#endif
}
void f3() {
#ifndef __CUDA_ARCH__
  int x;
  use(3 << 40);
#endif
}
template <class T> void never_instantiated(T) { int x; use(3 << 40); }
template <class T> void instantiated(T) { int x; use(3 << 40); }
template void instantiated(int);
template void instantiated(float);
"""
PASS_LINES = ["7:177", "14:177", "15:63", "21:63", "24:63", "25:177", "25:63"]


class WarningOptions(workplace.WorkplaceTest):
    maxDiff = None

    def found(self, *options, source=SOURCE, status=0):
        """Returns the warnings as ["line:number"], and the errors as ["line:number!"]; none may appear twice."""
        self.place.write("s.cu", source)
        result = self.place.compile("-c", "-rdc=true", "-O0", *options, "s.cu", "-o", "s.o")
        self.assertEqual(result.returncode, status, result.stderr)
        matches = [match for match in map(LINE.match, result.stderr.splitlines()) if match]
        self.assertEqual(len({match[0] for match in matches}), len(matches), result.stderr)
        return sorted(f"{match[1]}:{match[3]}" + ("!" if match[2] == "error" else "") for match in matches)

    def check(self, expected, *options, **rest):
        self.assertEqual(self.found(*options, **rest), sorted(expected))

    def without(self, *numbers):
        return [entry for entry in DEFAULT if entry.split(":")[1] not in numbers]

    def test_default(self):
        self.check(DEFAULT)
        self.check([], "-w")

    def test_numbers(self):
        self.check(self.without("177", "550"), "-diag-suppress", "177,550")
        self.check(self.without("177"), "--diag-suppress=177", "-diag-suppress", "99999")
        self.check(self.without("177", "63"), "-Xcudafe", "--diag_suppress=declared_but_not_referenced --diag_suppress=63")
        self.check([*DEFAULT, "10:111", "2:1719"], "-diag-warn", "111,1719")
        self.check([*self.without("550"), "4:550!"], "-diag-error", "550", status=1)
        self.check([*self.without("63", "1215", "177", "550", "20011"), "3:63!", "3:1215"],
                   "-diag-error", "63", "-diag-suppress", "20011", status=1)

    def test_number_in_the_message(self):
        self.place.write("s.cu", SOURCE)
        self.assertIn("[#177-D]", self.place.compile("-c", "-rdc=true", "s.cu").stderr)
        for option in ("-no-err-no", "--no-display-error-number"):
            text = self.place.compile("-c", "-rdc=true", option, "s.cu").stderr
            self.assertIn("unused variable 'x' [-Wunused-variable]", text)

    def test_requested(self):
        for option, line in (("-Wreorder", "2:1719"), ("-Wdefault-stream-launch", "5:20198"),
                             ("-Wmissing-launch-bounds", "4:20238")):
            with self.subTest(option):
                self.check([*DEFAULT, line], option)
        lambdas = "struct s { int a; void f() { auto l = [=] __device__ { return a; }; auto m = [this] __device__ { return a; };\n" \
                  "(void)l; (void)m; } };\n"
        self.check([], "-extended-lambda", source=lambdas)
        self.check(["1:20178"], "-extended-lambda", "-Wext-lambda-captures-this", source=lambdas)
        self.check(self.without("1215"), "-Wno-deprecated-declarations")

    def test_errors(self):
        self.assertTrue(all(entry.endswith("!") for entry in self.found("-Werror", "all-warnings", status=1)))
        self.check([*self.without("20011"), "8:20011!"], "-Werror", "cross-execution-space-call", status=1)
        self.assertIn("2:1719!", self.found("-Werror", "reorder", status=1))
        self.assertIn("3:1215!", self.found("-Werror", "deprecated-declarations", status=1))
        self.assertIn("5:20198!", self.found("-Werror", "default-stream-launch", status=1))
        # A suppressed warning does not become an error.
        self.check([], "-Werror", "all-warnings", source=SWITCH)

    def test_host_compiler(self):
        self.assertIn("1:None", self.found("-Xcompiler", "-Wsign-compare", source="bool f(int a, unsigned b) { return a < b; }\n"))
        self.check([], source="bool f(int a, unsigned b) { return a < b; }\n")
        self.check([], "-Xcompiler", "-Wno-sign-compare", source="bool f(int a, unsigned b) { return a < b; }\n")
        # g++'s -Werror turns g++'s warnings into errors, but not nvcc's own.
        self.check(["1:177"], "-Xcompiler", "-Werror", source="void f() { int x; }\n")
        self.check(["1:63!"], "-Xcompiler", "-Werror", source="int f() { return 1 << 40; }\n", status=1)

    def test_options_of_clang(self):
        self.check(self.without("177") + ["6:177"], "-Wno-unused-variable")
        self.assertIn("1:None", self.found("-Wswitch", source=SWITCH))

    def test_pragmas(self):
        self.check(PRAGMA_LINES, source=PRAGMAS)
        self.check(["2:177!"], source="#pragma nv_diag_error 177\nvoid f() { int x; }\n", status=1)
        self.check([], "-diag-suppress", "177", source="#pragma nv_diag_default 177\nvoid f() { int x; }\n")
        self.check(["2:177"], "-diag-suppress", "177", source="#pragma nv_diag_warning 177\nvoid f() { int x; }\n")

    def test_passes(self):
        self.check(PASS_LINES, source=PASSES)

    def test_headers(self):
        """Outside of functions, only the names of the source itself are reported as unused."""
        header = "static void f() {}\nstatic __global__ void k() {}\nstatic int v;\ninline void g() { int x; }\n"
        self.place.write("names.hpp", header)
        self.check(["2:177", "3:177", "4:177", "5:177"], source="\n" + header)
        self.place.write("user.cu", '#include "names.hpp"\n')
        text = self.place.compile("-c", "user.cu").stderr
        self.assertEqual(re.findall(r"names\.hpp:(\d+):\d+: warning", text), ["4"], text)

    def test_relaxed_constexpr(self):
        source = "constexpr int three() { return 3; }\n__host__ __device__ int f() { return three(); }\n"
        self.check(["2:20013"], source=source)
        self.check([], "--expt-relaxed-constexpr", source=source)


if __name__ == "__main__":
    workplace.main()
