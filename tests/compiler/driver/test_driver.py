# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of cohortcc."""

import base64
import os
import pathlib
import platform
import re
import shutil
import subprocess
import unittest

import workplace


PROGRAM = """\
#include <cstdio>
#ifndef START
#define START 1
#endif
__global__ void k(int* p) { *p = START + 1; }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
"""


class Driver(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.source = self.place.write("program.cu", PROGRAM)

    def build(self, *arguments, **environment):
        result = self.place.compile(*arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.place.left_over(), [])
        return result

    def refused(self, *arguments, saying, **environment):
        result = self.place.compile(*arguments, **environment)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, saying)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        self.assertEqual(self.place.left_over(), [])

    def output(self, program="./a.out"):
        return self.place.run([program]).stdout

    def test_default_output(self):
        self.build("program.cu")
        self.assertEqual(self.output(), "2\n")

    def test_compile_and_link(self):
        self.build("-c", "program.cu")
        self.build("program.o", "-o", "linked")
        self.assertEqual(self.output("./linked"), "2\n")

    def test_options_of_nvcc(self):
        self.build("-arch=sm_80", "-gencode", "arch=compute_75,code=sm_75", "-O2", "-lineinfo", "--expt-relaxed-constexpr",
                   "--extended-lambda", "-Xptxas", "-v", "-Xptxas=-O3", "--ptxas-options=-v", "-ccbin", "g++", "-Xcompiler",
                   "-Wall,-fno-strict-aliasing", "-Xcompiler=-Wextra", "-Xlinker", "--as-needed", "-std=c++20", "--std", "c++17",
                   "-DSTART=4", "-D", "UNUSED", "-U", "UNUSED", "-I.", "-I", ".", "-isystem", ".", "-L.", "-lm", "-lcudart",
                   "-t", "4", "--threads=2", "-diag-suppress", "20012", "-maxrregcount=32", "--use_fast_math", "-m64", "-x", "cu",
                   "-cudart", "static", "-w", "-default-stream", "legacy", "--default-stream=null", "program.cu", "-o", "many")
        self.assertEqual(self.output("./many"), "5\n")

    def test_default_stream_per_thread(self):
        # A kernel that waits for the host keeps its stream busy. Only the default stream of another thread is free.
        self.place.write("streams.cu", """#include <cstdio>
#include <thread>
__global__ void wait_for(volatile int* flag) { while (!*flag) {} }
int main() {
  volatile int* flag;
  int *word, got = 0;
  cudaMallocManaged((void**)&flag, sizeof *flag);
  cudaMalloc(&word, sizeof *word);
  *flag = 0;
  wait_for<<<1, 1>>>(flag);
  std::printf("%d", cudaStreamQuery(0) == cudaErrorNotReady);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] {
    const int seven = 7;
    cudaMemcpy(word, &seven, sizeof seven, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(&got, word, sizeof got, cudaMemcpyDeviceToHost);
    other = cudaStreamSynchronize(0);
  }).join();
  std::printf(" %d %d %d", other, got, cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady);
  *flag = 1;
  std::printf(" %d\\n", cudaDeviceSynchronize());
}
""")
        for option in (("-default-stream", "per-thread"), ("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1",)):
            with self.subTest(option):
                self.build(*option, "streams.cu", "-o", "streams")
                self.assertEqual(self.output("./streams"), "1 0 7 1 0\n")
        self.place.write("calls.cpp", "#include <cuda.h>\n#include <cuda_runtime_api.h>\n"
                         "auto copy = &cudaMemcpyAsync;\nauto driver_copy = &cuMemcpyHtoD;\n")
        self.build("-c", "-default-stream=per-thread", "calls.cpp", "-o", "calls.o")
        names = self.place.run(["nm", "calls.o"]).stdout
        self.assertIn("U cudaMemcpyAsync_ptsz", names)
        self.assertIn("U cuMemcpyHtoD_ptds", names)
        self.refused("-default-stream", "per-block", "program.cu", saying="takes legacy, null or per-thread, not 'per-block'")

    def test_warnings_as_errors(self):
        self.place.write("old.cu", "[[deprecated]] int old();\nint f() { return old(); }\n")
        self.place.write("order.cu", "struct s { int a, b; s() : b(1), a(2) {} };\n")
        self.build("-c", "-Werror", "reorder,cross-execution-space-call", "old.cu")
        for kinds in (("-Werror", "all-warnings"), ("--Werror=all-warnings",), ("-Werror=deprecated-declarations",), ("-Werror",)):
            with self.subTest(kinds):
                self.refused("-c", *kinds, "old.cu", saying="error: 'old' is deprecated")
        self.refused("-c", "-Werror", "reorder", "order.cu", saying="error: field 'b' will be initialized after")

    def test_macros_of_one_letter(self):
        # -DM=1024 precedes the headers, so it must not clash with them. CUDA's own headers use only the letter T.
        includes = "".join(f"#include <{name}>\n" for name in ("cooperative_groups.h", "cooperative_groups/reduce.h",
                           "cooperative_groups/scan.h", "cooperative_groups/memcpy_async.h", "cuda_fp16.h"))
        self.place.write("letters.cu", includes + PROGRAM.replace("START", "M"))
        self.build(*(f"-D{letter}=4" for letter in "ABCDEFGHIJKLMNOPQRSUVWXYZ"), "letters.cu", "-o", "letters")
        self.assertEqual(self.output("./letters"), "5\n")

    def test_old_language_versions_are_raised(self):
        for standard in ("c++11", "c++14", "gnu++14", "c++17", "c++20"):
            with self.subTest(standard):
                self.build("-std=" + standard, "program.cu", "-o", "old")
                self.assertEqual(self.output("./old"), "2\n")

    def test_headers_of_a_toolkit_are_refused(self):
        # The header is reached through a link: packages put links into folders that every compiler searches.
        include = self.place.folder / "toolkit" / "include"
        (include / "crt" / "host_config.h").write_text("")
        (include / "not_ours_yet.h").write_text("#define STOLEN 1\n")
        links = self.place.folder / "links"
        links.mkdir()
        (links / "not_ours_yet.h").symlink_to(include / "not_ours_yet.h")
        (links / "mine.h").write_text("#define MINE 1\n")
        self.place.write("thief.cu", "#include <mine.h>\n#include <not_ours_yet.h>\nint main() {}\n")
        self.refused("-I", "links", "-c", "thief.cu",
                     saying=r"thief.cu:2:\d+: fatal error: 'not_ours_yet.h' is not among Cohort's headers; .*toolkit")
        self.place.write("thief.cpp", "#include <mine.h>\n#include <not_ours_yet.h>\nint main() {}\n")
        self.refused("-I", "links", "-c", "thief.cpp", saying=r"thief.cpp:2:\d+: fatal error: 'not_ours_yet.h' is not among")
        self.place.write("honest.cu", "#include <mine.h>\nint main() { return MINE - 1; }\n")
        self.build("-I", "links", "-c", "honest.cu")

    def test_headers_of_another_version_are_refused(self):
        self.refused("-UCOHORT_COMPILER_VERSION", "-DCOHORT_COMPILER_VERSION=120304", "-c", "program.cu",
                     saying="version.hpp:.*cohortcc and these headers are of two versions of Cohort")

    def test_arch(self):
        text = "__global__ void k(int* p) { *p = 0; }\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != {}\n#error wrong\n#endif\n"
        for options, value in [((), 900), (("-arch=sm_80",), 800), (("--gpu-architecture=compute_75",), 750),
                               (("-arch", "sm_100a"), 1000),
                               (("-gencode=arch=compute_70,code=sm_70", "-gencode", "arch=compute_86,code=[sm_86,compute_86]"), 860)]:
            with self.subTest(options):
                self.place.write("arch.cu", text.replace("{}", str(value)))
                self.build("-c", *options, "arch.cu")

    def test_features_of_an_architecture(self):
        # Headers guard code for tensor cores of one architecture by these macros. Host code has none of them.
        names = ("__CUDA_ARCH_FEAT_SM90_ALL", "__CUDA_ARCH_SPECIFIC__", "__CUDA_ARCH_FAMILY_SPECIFIC__",
                 "__CUDA_ARCH_FEAT_SM100_ALL")
        for options, defined in ((("-arch=sm_90",), ""), (("-arch=sm_90a",), names[:3]), (("-arch=sm_100f",), names[2:3]),
                                 (("-gencode=arch=compute_100a,code=sm_100a",), names[1:]),
                                 (("-gencode=arch=compute_90,code=sm_90", "-gencode=arch=compute_90a,code=sm_90a"), names[:3])):
            checks = "".join(f"#if defined({name}) != (defined(__CUDA_ARCH__) && {int(name in defined)})\n#error {name}\n#endif\n"
                             for name in names)
            with self.subTest(options):
                self.place.write("features.cu", checks + "__global__ void k() {}\n")
                self.build("-c", *options, "features.cu")
        self.refused("-arch=sm_90x", "-c", "features.cu", saying="'sm_90x' is not an architecture")

    def test_function_attributes_name_the_architecture(self):
        # CUB compares ptxVersion with __CUDA_ARCH_LIST__ and refuses to launch where they differ.
        self.place.write("attributes.cu", "#include <cstdio>\n__global__ void k() {}\nint main() { cudaFuncAttributes a;\n"
                         "cudaFuncGetAttributes(&a, k);\n"
                         "std::printf(\"%d %d %d\\n\", a.ptxVersion, a.binaryVersion, __CUDA_ARCH_LIST__ / 10); }\n")
        for option, value in (("-O1", 90), ("-arch=sm_60", 60), ("-arch=compute_120a", 120)):
            with self.subTest(option):
                self.build(option, "attributes.cu", "-o", "attributes")
                self.assertEqual(self.output("./attributes"), f"{value} {value} {value}\n")

    @unittest.skipUnless(platform.machine() == "x86_64", "is about features of x86-64")
    def test_a_program_for_another_cpu(self):
        # bdver4 is a CPU of 2014 with instructions that no later CPU has.
        self.build("--cpu=bdver4", self.source, "-o", "foreign")
        result = self.place.run(["./foreign"])
        self.assertEqual((result.returncode, result.stdout), (0, "0\n"))
        self.assertRegex(result.stderr, r"^cohort: kernel _Z1kPi is compiled for another CPU \(bdver4\): this one lacks "
                                        r".*xop.*; compile it with cohortcc on this machine, or with --cpu=x86-64-v3 for "
                                        r"most machines\n$")
        self.build("--cpu=x86-64", self.source, "-o", "old")
        self.assertEqual(self.output("./old"), "2\n")

    @unittest.skipUnless(platform.machine() == "x86_64", "is about features of x86-64")
    def test_versions_for_several_cpus(self):
        self.build("--cpu=x86-64,bdver4", self.source, "-o", "versions")
        self.assertEqual(self.output("./versions"), "2\n")
        listed = self.place.run([pathlib.Path(self.cohortcc).with_name("cohort-info"), "--kernels", "versions"]).stdout
        self.assertEqual(listed, "k(int*): thread, gangs of 32\n")
        self.assertEqual(self.place.run(["./versions"], COHORT_CPU="x86-64").stdout, "2\n")
        for cpu, sentence in (("bdver4", r"is compiled for another CPU \(bdver4\): this one lacks .*xop.*; compile it with "),
                              ("haswell", r"has no version for COHORT_CPU=haswell; it has these: x86-64, bdver4\n$")):
            result = self.place.run(["./versions"], COHORT_CPU=cpu)
            self.assertEqual((result.returncode, result.stdout), (0, "0\n"))
            self.assertRegex(result.stderr, "^cohort: kernel _Z1kPi " + sentence)
        # Functions that several kernels call are compiled for the first CPU.
        self.build("--cpu=bdver4,x86-64", self.source, "-o", "versions")
        result = self.place.run(["./versions"])
        self.assertEqual(result.stdout, "0\n")
        self.assertIn("(bdver4): this one lacks", result.stderr)
        for cpus, words in (("x86-64,nonsense", "unknown target CPU 'nonsense'"), ("x86-64,", "--cpu takes the names of CPUs"),
                            (",", "--cpu takes the names of CPUs"), ("a,,b", "--cpu takes the names of CPUs")):
            self.refused(f"--cpu={cpus}", "-c", self.source, saying=words)

    def test_several_sources(self):
        self.place.write("first.cu", "__global__ void k(int* p) { *p = 3; }\nvoid run(int* p) { k<<<1, 1>>>(p); }\n")
        self.place.write("second.cpp", "#include <cuda_runtime.h>\n#include <cstdio>\nvoid run(int*);\nextern \"C\" int seven(void);\n"
                         "int main() { int* p; cudaMallocManaged(&p, 4); run(p); cudaDeviceSynchronize();\n"
                         "std::printf(\"%d\\n\", *p + seven()); }\n")
        self.place.write("third.c", "int seven(void) { return 7; }\n")
        self.build("first.cu", "second.cpp", "third.c", "-o", "three")
        self.assertEqual(self.output("./three"), "10\n")
        self.build("-c", "first.cu", "second.cpp", "third.c")
        self.place.run(["ar", "rcs", "libfirst.a", "first.o"])
        self.build("second.o", "third.o", "-L.", "-lfirst", "-o", "archived")
        self.assertEqual(self.output("./archived"), "10\n")

    def test_shared_library(self):
        self.place.write("part.cu", "__global__ void k(int* p) { *p = 9; }\nint run() { int* p; cudaMallocManaged(&p, 4);"
                         " k<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p; }\n")
        self.place.write("main.cpp", "int run(); int main() { return run(); }\n")
        self.build("-shared", "-Xcompiler", "-fPIC", "part.cu", "-o", "libpart.so")
        self.build("main.cpp", "-L.", "-lpart", "-Xlinker", "-rpath=.", "-o", "uses")
        self.assertEqual(self.place.run(["./uses"]).returncode, 9)

    def test_variables_of_a_shared_library(self):
        self.place.write("part.cu", """
            __device__ int value = 9;
            __device__ int* where = &value;
            __global__ void k(int* p) { *p = ++*where; }
            extern "C" int run(int device) {
              cudaSetDevice(device);
              int* p;
              cudaMallocManaged(&p, 4);
              k<<<1, 1>>>(p);
              cudaDeviceSynchronize();
              int got = 0;
              cudaMemcpyFromSymbol(&got, value, 4);
              return *p == got ? got : -1;
            }""")
        self.place.write("main.cu", """
            #include <cstdio>
            #include <cstdlib>
            #include <dlfcn.h>
            __device__ int value = 100;
            __global__ void k() { value += 5; }
            int main() {
              setenv("COHORT_DEVICES", "2", 1);
              k<<<1, 1>>>();
              for (int round = 0; round < 2; ++round) {
                void* library = dlopen("./libpart.so", RTLD_NOW);
                auto run = reinterpret_cast<int (*)(int)>(dlsym(library, "run"));
                for (int device : {0, 1, 1}) std::printf("%d ", run(device));
                if (round == 0) std::printf("%d ", dlclose(library));
              }
              cudaSetDevice(0);
              int got = 0;
              cudaMemcpyFromSymbol(&got, value, 4);
              std::printf("%d\\n", got);
            }""")
        self.build("-shared", "-Xcompiler", "-fPIC", "part.cu", "-o", "libpart.so")
        self.build("main.cu", "-ldl", "-o", "opens")
        # A library with a runtime of its own may be closed and opened again, or stay loaded; its variables behave
        # alike.
        self.assertIn(self.output("./opens"), ["10 10 11 0 10 10 11 105\n", "10 10 11 0 11 12 13 105\n"])

    def test_dependencies(self):
        self.place.write("part.hpp", "#define START 8\n")
        self.place.write("uses.cu", '#include "part.hpp"\n' + PROGRAM)
        self.build("-MD", "-MF", "deps.d", "-c", "uses.cu", "-o", "uses.o")
        text = (self.place.folder / "deps.d").read_text()
        self.assertRegex(text, r"^uses\.o:")
        self.assertIn("part.hpp", text)
        self.build("-MMD", "-MT", "target name.o", "-c", "uses.cu", "-o", "uses.o")
        self.assertTrue((self.place.folder / "uses.d").read_text().startswith("target name.o:"))
        self.assertIn("part.hpp", self.build("-M", "uses.cu").stdout)
        self.assertFalse((self.place.folder / "a.out").exists())

    def test_a_pass_that_lacks_typename_runs_again(self):
        launch = "void f(int* p) { k<part><<<1, 1>>>(p); }"
        self.place.write("part.hpp", "struct part { using type = short; };\n"
                         "template <class T> __global__ void k(int* p) { *p = T::type(*p); }\n")
        self.place.write("lacks.cu", '#include "part.hpp"\n' + launch)
        self.place.write("with.cu", "template <class T> __global__ void k(int* p) { *p = typename T::type(*p); }\n"
                         "struct part { using type = short; };\n" + launch)
        for source, passes in (("lacks", 2), ("with", 1)):
            # With -MP no pass reads precompiled headers, because that would take an additional pass of the first
            # source.
            shown = self.build("-v", "-c", f"{source}.cu", "-MD", "-MP", "-MF", "deps.d").stderr
            self.assertEqual(shown.count("-fcuda-is-device -Xclang -aux-triple"), passes, shown)
            self.assertNotIn("missing", shown)
        self.build("-MD", "-MF", "deps.d", "-c", "lacks.cu")
        self.assertRegex((self.place.folder / "deps.d").read_text(), r"lacks\.o:[^:]*lacks\.cu[^:]*part\.hpp")
        self.assertEqual(self.build("-cubin", "lacks.cu").stderr, "")
        self.assertTrue((self.place.folder / "lacks.cubin").exists())

    def test_preprocess(self):
        self.assertIn("*p = 1 + 1;", self.build("-E", "program.cu").stdout)

    def test_dry_run_and_verbose(self):
        result = self.build("--dryrun", "program.cu", "-o", "dry")
        self.assertEqual(result.stderr.count("-fcuda-is-device"), 1)
        self.assertFalse((self.place.folder / "dry").exists())
        self.assertIn("-fplugin=", self.build("-v", "-ccbin", "g++", "program.cu").stderr)

    # addr2line, which the reports use, finds the source line of each wait, also in code that the optimizer has split.
    def test_waits_have_lines(self):
        self.build("-c", workplace.HERE.parent / "programs" / "warp_primitives.cu", "-o", "waits.o")
        code = self.place.run(["objdump", "-dr", "-j", ".text", "waits.o"]).stdout
        waits = re.findall(r"^\s+([0-9a-f]+): R_\w+\s+cohort_wait_", code, re.M)
        self.assertGreater(len(waits), 10)
        for wait in waits:
            place = self.place.run(["addr2line", "-i", "-e", "waits.o", "0x" + wait]).stdout
            self.assertIn("warp_primitives.cu:", place)

    def test_warnings_once(self):
        self.place.write("warn.cu", "__global__ void k(int* p) { int unused; *p = 1; }\nvoid h() { int other; }\n")
        result = self.build("-Wall", "-c", "warn.cu")
        self.assertEqual(len(re.findall(r"warn.cu:1:\d+: warning: unused variable 'unused'", result.stderr)), 1, result.stderr)
        self.assertEqual(len(re.findall(r"warn.cu:2:\d+: warning: unused variable 'other'", result.stderr)), 1)
        self.assertEqual(self.build("-w", "-c", "warn.cu").stderr, "")
        self.place.write("one.cu", "void h() { int other; }\n")
        self.refused("-Wall", "-Werror", "-c", "one.cu", saying="unused variable")

    def test_toolkit_folders_are_ignored(self):
        self.build("-I", self.place.toolkit / "include", "-I" + str(self.place.toolkit / "include"), "program.cu")
        self.assertEqual(self.output(), "2\n")

    def test_two_builds_are_equal(self):
        self.build("-c", "program.cu", "-o", "same.o")
        first = (self.place.folder / "same.o").read_bytes()
        self.build("-c", "program.cu", "-o", "same.o")
        self.assertEqual(first, (self.place.folder / "same.o").read_bytes())

    def test_an_image_is_named_for_its_source(self):
        for option, ending in (("-fatbin", "fatbin"), ("--cubin", "cubin")):
            self.build(option, "program.cu", "-gencode", "arch=compute_80,code=sm_80")
            image = (self.place.folder / f"program.{ending}").read_bytes()
            self.assertEqual(image[:4], b"\x7fELF")
            self.assertIn(b"cohort_register_module", image)

    def test_an_image_as_a_text(self):
        self.build("-ptx", "program.cu", "-MD", "-MF", "program.d")
        text = (self.place.folder / "program.ptx").read_bytes()
        first, *lines = text.decode("ascii").splitlines()
        image = base64.b64decode("".join(lines))
        count = int(re.fullmatch(r"// cohort image: (\d+) bytes in base64; this is no PTX", first).group(1))
        self.assertIn(len(image) - count, range(3))  # base64 pads to a multiple of 3 bytes
        self.assertEqual(image[:4], b"\x7fELF")
        self.assertRegex((self.place.folder / "program.d").read_text(), r"program\.ptx:[^:]*program\.cu")
        self.refused("-ptx", "-o", "no_folder/program.ptx", "program.cu", saying="cannot write 'no_folder/program.ptx'")

    def test_refusals(self):
        for option in ("-ltoir", "-optix-ir"):
            self.refused(option, "program.cu", saying=r"makes GPU code; cohortcc compiles for the CPU")
        for option in ("--check", "--coverage", "-rdc=true"):
            self.refused("-fatbin", option, "program.cu",
                         saying="-fatbin cannot be combined with --check, --count, --coverage or -rdc=true")
        self.refused("-cubin", "program.cu", "program.cu", saying="-cubin takes one CUDA source")
        self.refused(saying="no input file")
        self.refused("missing.cu", saying="there is no file 'missing.cu'")
        self.refused("--extended-lamda", "program.cu", saying=r"unknown option '--extended-lamda'\. Did you mean --extended-lambda\?")
        self.refused("-frobnicate", "program.cu", saying=r"unknown option '-frobnicate'\. Pass clang's own options with -Xcompiler")
        self.refused("--foo", "program.cu", saying=r"unknown option '--foo'\. Pass clang's own options with -Xcompiler")
        self.refused("--odri", "x", "program.cu", saying=r"unknown option '--odri'\. Did you mean -odir\?")
        self.refused("-gencod", "x", "program.cu", saying=r"unknown option '-gencod'\. Did you mean -gencode\?")
        self.refused("program.cu", "-o", saying="option -o needs a value")
        self.refused("-arch=tu_102", "program.cu", saying="'tu_102' is not an architecture; write it as in -arch=sm_80")
        self.refused("-rdc=maybe", "program.cu", saying="-rdc takes true or false, not 'maybe'")
        for value in ("on", "force", "force=", "force=16", "force=512", "force=32x", "32", ""):
            self.refused("--cohort-gangs=" + value, "program.cu",
                         saying=rf"--cohort-gangs takes auto, all, off, or force=W with a width W of 32, 64, 128 or 256, not '{value}'")
        self.refused("-lineinfo=yes", "program.cu", saying="takes no value")
        self.place.write("code.ptx", "")
        self.refused("code.ptx", saying="holds GPU code")
        self.place.write("notes.txt", "")
        self.refused("notes.txt", saying="give it the ending .cu")
        self.place.write("two.cu", "")
        self.refused("-c", "program.cu", "two.cu", "-o", "x.o", saying="-o names one file")
        self.refused("program.cu", "-o", "program.cu", saying="would overwrite the input")
        self.refused("-std=c++5", "program.cu", saying=r"invalid value 'c\+\+5'")

    def test_unreadable_sources(self):
        name = "x" * 300 + ".cu"
        self.refused(name, saying=f"error: cannot read '{name}': File name too long")
        self.refused("program.cu/x.cu", saying="error: cannot read 'program.cu/x.cu': Not a directory")
        (self.place.folder / "folder.cu").mkdir()
        self.refused("folder.cu", saying="error: 'folder.cu' is a folder; name the files in it")
        secret = self.place.write("secret.cu", PROGRAM)
        os.chmod(secret, 0)
        if not os.access(secret, os.R_OK):  # root reads every file
            self.refused("secret.cu", saying="error: cannot read 'secret.cu': Permission denied")

    def test_gangs(self):
        for value, expected in (("auto", []), ("off", ["off"]), ("force=32", ["force=32"]), ("force=256", ["force=256"])):
            with self.subTest(value):
                commands = self.build("-dryrun", "--cohort-gangs=" + value, "program.cu").stderr
                self.assertEqual(re.findall(r"-fplugin-arg-cohort-gangs=(\S+)", commands), expected)
                self.build("--cohort-gangs", value, "program.cu")
                self.assertEqual(self.output(), "2\n")

    def test_missing_checker(self):
        tools = pathlib.Path(self.place.cohortcc).resolve().parents[1]
        root = self.place.folder / "partial"
        (root / "bin").mkdir(parents=True)
        (root / "lib").mkdir()
        shutil.copy(tools / "bin/cohortcc", root / "bin")
        for path in [tools / "include", *(tools / "lib").iterdir()]:
            if not path.name.startswith("libcohort_check"):
                (root / path.relative_to(tools)).symlink_to(path)
        for options, status in [([], 0), (["--check"], 1)]:
            result = subprocess.run([root / "bin/cohortcc", *options, "-c", "program.cu"], cwd=self.place.folder,
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stderr, f"cohortcc: error: The checker is missing: {root}/lib/libcohort_check.a does not "
                                        "exist. Build or install Cohort completely (make product, make install)\n")

    def test_missing_clang(self):
        self.refused("program.cu", saying="COHORT_CLANG is '/nowhere/clang', which is not a program", COHORT_CLANG="/nowhere/clang")
        other = self.place.write("clang-like", "#!/bin/sh\necho 'clang version 14.0.6'\n")
        os.chmod(other, 0o755)
        self.refused("program.cu", saying=r"which is clang 14; clang\+\+ 19 is needed", COHORT_CLANG=other)

    def test_errors_name_the_code_and_no_cpu(self):
        host = self.place.write("host.cu", "int main() { return x; }\n")
        device = self.place.write("device.cu", "#ifdef __CUDA_ARCH__\n#error first\n#error second\n#warning third\n#endif\n")
        for source, options, summary in (
                (host, [], "1 error generated when compiling host code."),
                (device, [], "2 errors generated when compiling device code."),
                (device, ["-fatbin"], "1 warning and 2 errors generated when compiling device code.")):
            result = self.place.compile("-c", "-cpu", "x86-64-v3", *options, source)
            self.assertNotEqual(result.returncode, 0)
            self.assertEqual(result.stderr.splitlines()[-1], summary)
            self.assertNotIn("x86-64", result.stderr)

    def test_help_and_version(self):
        text = self.build("--help").stdout
        for option in ("-o FILE", "-rdc", "-arch", "-Xcompiler", "-cohort-report", "-cohort-gangs", "-cpu"):
            self.assertIn(option, text)
        groups = dict(re.findall(r"^(\w[^\n]*):\n((?:  -.*\n)+)", text, re.M))
        self.assertEqual(list(groups)[0], "Used most")
        self.assertEqual(re.findall(r"^  (-\S+)", groups["Used most"], re.M), ["-o", "-c", "-I", "-g", "-check"])
        self.assertGreater(len(groups), 4)
        options = [line for lines in groups.values() for line in lines.splitlines()]
        names = [line.split()[0] for line in options]
        self.assertEqual(sorted(names), sorted(set(names)), "an option is in one group")
        columns = {re.match(r"  -\S+( \S+)? {2,}", line).end() for line in options}
        self.assertEqual(len(columns), 1, "the descriptions of --help start in one column")
        self.assertRegex(self.build("--version").stdout, r"^cohortcc \d")


if __name__ == "__main__":
    workplace.main()
