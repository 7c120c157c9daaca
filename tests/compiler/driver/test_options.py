# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of nvcc: each is accepted, and options that pass words to other tools pass the right ones."""

import os
import pathlib
import re
import shutil
import subprocess

import workplace

NVCC_OPTIONS = workplace.HERE / "driver" / "nvcc_options.txt"
MAIN = 'int main() { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p);\ncudaDeviceSynchronize(); std::printf("%d\\n", *p); }\n'
PROGRAM = '#include <cstdio>\n__global__ void k(int* p) { *p = 7; }\n' + MAIN
LOOPS = """\
__global__ void waits(float* x) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = part[63 - threadIdx.x];
}
__global__ void twice(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.f;
}
"""


def options_of_nvcc():
    for line in NVCC_OPTIONS.read_text().splitlines():
        if not line.startswith("#"):
            long_name, short_name, *value = line.split()
            yield long_name, short_name, value


class Options(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("program.cu", PROGRAM)
        self.place.write("empty.txt", "")
        self.place.write("empty.h", "")

    def commands(self, *arguments, **environment):
        result = self.place.compile("--dryrun", *arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def words(self, marker, *arguments, **environment):
        """The words of the only command of --dryrun that contains `marker`."""
        lines = [line.split() for line in self.commands(*arguments, **environment).splitlines() if marker in line]
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def test_each_option_of_nvcc_is_known(self):
        refused = set()
        for long_name, short_name, value in options_of_nvcc():
            forms = {("--" + long_name, *value), ("-" + short_name, *value)} | {("--" + long_name + "=" + v,) for v in value}
            for form in sorted(forms):
                with self.subTest(form):
                    result = self.place.compile("--dryrun", "program.cu", *form)
                    if result.returncode != 0:
                        self.assertRegex(result.stderr, r"cohortcc: error: -\S+ .*(; |\. |not offered|makes GPU code)")
                        self.assertNotIn("unknown option", result.stderr)
                        refused.add(long_name)
        self.assertEqual(refused, {"cuda", "optix-ir", "ltoir", "run", "run-args", "clean-targets",
                                   "relocatable-link", "fdevice-syntax-only", "host-linker-script", "sanitize"})

    def test_the_list_is_that_of_an_installed_nvcc(self):
        nvcc = shutil.which("nvcc")
        if not nvcc:
            self.skipTest("nvcc is not installed")
        text = subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^--([A-Za-z0-9_-]+)", text, re.M)
        known = {long_name for long_name, _, _ in options_of_nvcc()}
        self.assertEqual([name for name in names if name not in known], [])

    def test_words_for_the_host_compiler(self):
        for value, expected in (("-fPIC,-Wall", ["-fPIC", "-Wall"]), ("-fPIC -Wall", ["-fPIC", "-Wall"]),
                                ("-DA=1,-Wl,-rpath,/x", ["-DA=1", "-Wl,-rpath,/x"]), ('"-DA=1,2" -O1', ["-DA=1,2", "-O1"]),
                                (r"-DA=1\,2", ["-DA=1,2"]), ("", [])):
            with self.subTest(value):
                words = self.words("-fcuda-include-gpubinary", "-c", "program.cu", "-Xcompiler", value)
                self.assertEqual([word for word in words if word in expected], expected)
        self.assertIn("-march=x86-64-v3", self.words("-fcuda-include-gpubinary", "-c", "program.cu", "-march=x86-64-v3"))
        device = self.words("-fcuda-is-device", "-c", "program.cu", "-Xdevice", "-fno-unroll-loops", "-Xcompiler=-funroll-loops")
        self.assertIn("-fno-unroll-loops", device)
        self.assertNotIn("-funroll-loops", device)

    def test_preprocessor_options_for_the_host_compiler(self):
        # nvcc preprocesses kernels with the host compiler, and Kokkos's nvcc_wrapper passes folders of system headers
        # to it.
        for folder, text in (("system", "constexpr int of_system = 1;"), ("other", "constexpr int of_other = 2;")):
            (self.place.folder / folder).mkdir()
            self.place.write(f"{folder}/{folder}.h", text + "\n")
        self.place.write("first.h", "constexpr int of_first = 4;\n")
        self.place.write("uses.cu", "#include <system.h>\n#include <other.h>\n#ifdef GONE\n#error GONE is defined\n#endif\n"
                         "__global__ void k(int* p) { *p = of_system + of_other + of_first + MACRO; }\n" + MAIN)
        options = ["-DGONE", "-Xcompiler", "-isystem,system", "-Xcompiler=-Iother,-DMACRO=8,-UGONE", "-Xcompiler", "-include first.h"]
        result = self.place.compile("-I.", *options, "uses.cu", "-o", "uses")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.place.run(["./uses"]).stdout, "15\n")

    def test_questions_to_the_host_compiler(self):
        # Build systems query the host compiler's name and version by these options, with a file that does not exist.
        for words in (["-Xcompiler", "--version"], ["-Xcompiler=-Wall,--version"]):
            result = self.place.compile(".c", *words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r"clang version 19\.")
        for words in ("-dumpversion", "-dumpfullversion", "-dumpfullversion -dumpversion"):
            result = self.place.compile(".c", "-Xcompiler", words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r"^19\.[0-9.]+\n$")
        self.assertRegex(self.place.compile(".c", "-Xcompiler", "-print-prog-name=ld").stdout, r"^\S*ld\n$")
        result = self.place.compile("missing.c", "-Xcompiler", "-Wall")
        self.assertIn("there is no file 'missing.c'", result.stderr)

    def test_openmp(self):
        self.place.write("parallel.cu", "#include <omp.h>\n" + PROGRAM.replace("std::printf", """
  int threads = 0;
  #pragma omp parallel num_threads(3) reduction(max : threads)
  threads = omp_get_num_threads();
  *p += threads;
  std::printf"""))
        # Makefiles for nvcc and g++ link g++'s OpenMP runtime by name.
        result = self.place.compile("-Xcompiler", "-fopenmp", "parallel.cu", "-lgomp", "-o", "parallel")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.place.run(["./parallel"]).stdout, "10\n")

    def test_openmp_in_the_device_pass(self):
        # Headers select host functions by the macro _OPENMP, such as those of Thrust's OMP system.
        self.place.write("parallel.cu", "#include <omp.h>\n#ifdef _OPENMP\nint threads() { return omp_get_max_threads(); }\n"
                         "#endif\n__global__ void k() {}\nint main() {\n  #pragma omp parallel\n  { k<<<1, 1>>>(); }\n"
                         "  return threads() == 0; }\n")
        result = self.place.compile("-Xcompiler", "-Wall,-fopenmp", "parallel.cu", "-o", "parallel")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.place.run(["./parallel"]).returncode, 0)
        self.assertNotIn("-D_OPENMP=201511", self.words("-fcuda-is-device", "-c", "program.cu"))

    def test_unknown_options_go_to_the_host(self):
        for form in (["-forward-unknown-to-host-compiler", "-fno-plt"], ["-fno-plt", "--forward-unknown-opts"]):
            self.assertIn("-fno-plt", self.words("-fcuda-include-gpubinary", "-c", "program.cu", *form))
        self.assertIn("-Bsymbolic", self.words("-lcudart_static", "program.cu", "-Bsymbolic", "-forward-unknown-to-host-linker"))

    def test_hints_for_gcc(self):
        hints = ["-fconcepts-diagnostics-depth=5", "-fno-gnu-unique", "-fopt-info-vec", "-fno-tree-pre", "-fipa-pta",
                 "-fno-var-tracking-assignments", "-fdiagnostics-plain-output", "-fschedule-insns", "-finline-limit=400"]
        result = self.place.compile("-c", "program.cu", "-Xcompiler", ",".join(hints), "-o", "program.o")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = self.place.compile("-c", "program.cu", "-fipa-pta", "-forward-unknown-to-host-compiler", "-v")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: -fipa-pta is an option of g++; clang compiles host code", result.stderr)
        # Options that clang knows, or that change the meaning of code, reach clang.
        kept = ["-fdiagnostics-color=never", "-fno-tree-vectorize", "-fwrapv-pointer"]
        words = self.words("-fcuda-include-gpubinary", "-c", "program.cu", "-Xcompiler", ",".join(kept))
        self.assertEqual([word for word in words if word in kept], kept)

    def test_optimization_levels(self):
        self.assertIn("-O1", self.words("-fcuda-is-device", "-c", "program.cu", "-O1", "-Ofast-compile=max"))
        for level in ("fast", "4", "max", "x"):
            result = self.place.compile("-c", "program.cu", "-O" + level)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"-O takes 0, 1, 2, 3 or s, not '{level}'", result.stderr)

    # As with nvcc, -g is the host's option and -G the device's.
    def test_debug_information(self):
        optimized, lines, full, plain = "-O3", "-gline-tables-only", "-g", "-O0"
        for options, host, device in (([], {optimized}, {optimized, lines}), (["-g"], {plain, full}, {optimized, lines}),
                                      (["-G"], {optimized}, {plain, full}), (["-g", "-G"], {plain, full}, {plain, full}),
                                      (["-g", "-O3"], {optimized, full}, {optimized, lines}),
                                      (["-g", "-O0"], {plain, full}, {plain, full}), (["-O0"], {plain}, {plain, lines}),
                                      (["-g", "-lineinfo", "--check"], {plain, full}, {optimized, lines})):
            with self.subTest(options):
                for marker, expected in (("-fcuda-include-gpubinary", host), ("-fcuda-is-device", device)):
                    words = self.words(marker, "-c", "program.cu", *options)
                    self.assertEqual({word for word in words if word in (optimized, lines, full, plain)}, expected)
                    # LLVM computes the places of variables only if there is debug information about some.
                    self.assertEqual("-experimental-debug-variable-locations=0" in words, lines in words)

    def test_debug_information_leaves_kernels_as_they_are(self):
        self.place.write("loops.cu", LOOPS)
        info = pathlib.Path(self.cohortcc).with_name("cohort-info")
        kernels = {}
        for option in ("-lineinfo", "-g", "-G"):
            self.assertEqual(self.place.compile("-c", option, "loops.cu", "-o", "loops.o").returncode, 0)
            kernels[option] = self.place.run([info, "--kernels", "loops.o"]).stdout
        self.assertEqual(kernels["-lineinfo"], kernels["-g"])
        self.assertIn("gangs of 32", kernels["-g"])
        self.assertNotIn("gangs", kernels["-G"])

    def test_option_files(self):
        self.place.write("inner.txt", "-DINNER=1\n")
        self.place.write("outer.txt", '-DOUTER="a b"\n  --options-file inner.txt -O1\n')
        for form in (["--options-file", "outer.txt"], ["--options-file=outer.txt"], ["-optf", "outer.txt,empty.txt"], ["@outer.txt"]):
            with self.subTest(form):
                text = self.commands("-c", "program.cu", *form)
                for word in ("-DINNER=1", "'-DOUTER=a b'", " -O1 "):
                    self.assertIn(word, text)
        self.place.write("self.txt", "@self.txt")
        for name, sentence in (("none.txt", "there is no option file 'none.txt'"), ("self.txt", "includes itself")):
            result = self.place.compile("-c", "program.cu", "@" + name)
            self.assertEqual(result.returncode, 1)
            self.assertIn(sentence, result.stderr)

    def test_kinds_of_check(self):
        def kinds(option):
            words = self.words("libcohort_check.a", "program.cu", option)
            return [word.removeprefix("-Wl,-u,cohort_check_finds_") for word in words if "cohort_check_finds" in word]
        for option, expected in (("--check", []), ("--check=all", []), ("--check=race", ["race"]), ("-check=sync", ["sync"]),
                                 ("--check=race,sync", ["race", "sync"]), ("--check=sync,memory,sync", ["sync", "memory"]),
                                 ("--check=memory,race,sync", []), ("--check=race,all", [])):
            with self.subTest(option):
                self.assertEqual(kinds(option), expected)
        for option, words in (("--check=rase", "'rase'"), ("--check=race,mem", "'mem'"), ("--check=all,none", "'none'"),
                              ("--check=race,", "''"), ("--check=,", "'', ''"), ("--check=race, sync", "' sync'"),
                              ("--check=Race", "'Race'"), ("--check=mem,race,leak,all", "'mem', 'leak'")):
            with self.subTest(option):
                result = self.place.compile("--dryrun", "program.cu", option)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"--check takes race, memory and sync, separated by commas, or all, and not {words}\n",
                              result.stderr)

    def test_language(self):
        self.place.write("kernel.inl", PROGRAM)
        self.place.write("plain.cu", "#ifdef __CUDACC__\n#error CUDA\n#endif\nint main() {}\n")
        self.assertEqual(self.place.compile("-x", "cu", "kernel.inl", "-o", "kernel").returncode, 0)
        self.assertEqual(self.place.run(["./kernel"]).stdout, "7\n")
        self.assertEqual(self.place.compile("-x", "c++", "-c", "plain.cu").returncode, 0)
        self.assertIn("-x takes cu, c++ or c, not 'ada'", self.place.compile("-x", "ada", "-c", "plain.cu").stderr)

    def test_static_library(self):
        self.place.write("part.cu", "__global__ void k(int* p) { *p = 9; }\nvoid run(int* p) { k<<<1, 1>>>(p); }\n")
        self.place.write("main.cu", '#include <cstdio>\nvoid run(int*);\nint main() { int* p; cudaMallocManaged(&p, 4); run(p);\n'
                         'cudaDeviceSynchronize(); std::printf("%d\\n", *p); }\n')
        for _ in range(2):  # the second run replaces the library of the first
            self.assertEqual(self.place.compile("-lib", "part.cu", "-o", "libpart.a").returncode, 0)
        self.assertEqual(len(self.place.run(["ar", "t", "libpart.a"]).stdout.split()), 1)
        self.assertEqual(self.place.compile("main.cu", "-L.", "-lpart", "-o", "whole").returncode, 0)
        self.assertEqual(self.place.run(["./whole"]).stdout, "9\n")

    def test_version_and_architectures(self):
        self.assertRegex(self.place.compile("--version").stdout,
                         r"nvcc: NVIDIA \(R\) Cuda compiler driver\nCuda compilation tools, release 13\.0, V13\.0\.\d+\n")
        self.assertIn("compute_90\n", self.place.compile("--list-gpu-arch").stdout)
        self.assertIn("sm_90\n", self.place.compile("-code-ls").stdout)

    def test_folders_of_dryrun(self):
        for options in (["-v", "__cmake_determine_cuda"], ["--dryrun", "program.cu"]):
            text = self.place.compile(*options).stderr
            top = re.search(r"^#\$ TOP=(.*)$", text, re.M).group(1)
            self.assertTrue(os.path.exists(os.path.join(top, "include", "cuda_runtime.h")))
            libraries = re.search(r"^#\$ LIBRARIES=\s*(.*)$", text, re.M).group(1)
            self.assertIn(os.path.join(top, "lib64"), libraries)
        self.assertIn(libraries + " -lcudadevrt -lcudart_static", text)  # CMake finds the link line by the text of LIBRARIES

    def test_variables_of_nvcc(self):
        nvcc = os.path.join(re.search(r"TOP=(.*)", self.commands("program.cu")).group(1), "bin", "nvcc")
        flags = {"NVCC_PREPEND_FLAGS": "-DFIRST=1 -O1", "NVCC_APPEND_FLAGS": "'-DLAST=a b'"}
        text = self.place.run([nvcc, "--dryrun", "-c", "program.cu"], **flags).stderr
        self.assertRegex(text, r"-DFIRST=1.*'-DLAST=a b'")
        self.assertNotIn("FIRST", self.commands("-c", "program.cu", **flags))
        text = self.place.run([nvcc, "--verbose", "-c", "program.cu"], NVCC_CCBIN="/no/compiler").stderr
        self.assertIn("cohortcc: note: -ccbin is not used: clang compiles both sides\n", text)
        result = self.place.run([nvcc, "--dryrun", "-c", "program.cu"], NVCC_APPEND_FLAGS="-DX='a b")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: there is no second ' in the options '-DX='a b'\n", result.stderr)


if __name__ == "__main__":
    workplace.main()
