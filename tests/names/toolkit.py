# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public names of CUDA's headers, with the values and layouts that are facts of its ABI, through clang."""

import collections
import pathlib
import re
import subprocess

# The headers, and whether their declarations exist for device code only.
HEADERS = {
    "cuda.h": False, "cudaProfiler.h": False, "cuda_profiler_api.h": False, "cuda_runtime_api.h": False,
    "cuda_occupancy.h": False, "driver_types.h": False, "library_types.h": False, "device_types.h": False,
    "texture_types.h": False, "surface_types.h": False, "vector_types.h": False, "channel_descriptor.h": False,
    "driver_functions.h": False, "cuda_runtime.h": True, "cuda_device_runtime_api.h": True, "vector_functions.h": True,
    "cuda_fp16.h": True, "cuda_bf16.h": True, "cuda_fp8.h": True, "cuda_fp6.h": True, "cuda_fp4.h": True,
    "cuda_pipeline_primitives.h": True, "cuda_awbarrier_primitives.h": True,
    "cuda_awbarrier_helpers.h": True, "device_atomic_functions.h": True, "device_functions.h": True,
    "device_double_functions.h": True, "math_functions.h": True, "common_functions.h": True,
    "sm_20_atomic_functions.h": True, "sm_20_intrinsics.h": True, "sm_30_intrinsics.h": True,
    "sm_32_atomic_functions.h": True, "sm_32_intrinsics.h": True, "sm_60_atomic_functions.h": True,
    "sm_61_intrinsics.h": True, "sm_70_rt.h": True, "sm_80_rt.h": True, "sm_90_rt.h": True, "sm_100_rt.h": True,
    "texture_indirect_functions.h": True, "surface_indirect_functions.h": True,
}
# Names of NVIDIA's implementation, and of the C library that its headers declare again.
INTERNAL = re.compile(
    r"_[A-Z]|__(cuda|internal|nv_(aligned|associate|atomic_(enable|triv)|bswap\d+_impl|i(surf|tex)_trait|memcpy_async)|"
    r"(?:[iufd]|ll|ull|us|ill|f2|f4|u128)+Atomic|float_simpl_|h(sin|cos)_internal|double_as_half|get_storage|cmath_|"
    r"pow_helper|assert|isnan|isinf|finite|signbit|"
    r"type$|mm?a_|hmma_|imma_|bmma_|dmma_|wmma_)|.*_(impl|helper)$|.*_ptsz$|.*_ptds$|operator|CU_?UUID_HAS|"
    r"(is_(device|host)|sm_\d+|any_target|no_target|line|type|CUDA_CB_)$|"
    r"(CUDART_DEVICE|EXCLUDE_FROM_RTC|RESOURCE_ABI\w*|CU\w*_AS_INT|CU_UUID\w*|cuda_profiler_H)$|"
    r"(printf|malloc|free|memcpy|memset|syncthreads_\w+|all|any|ballot|syncthreads)$|"
    r"[df](add|mul|sub)$|\w*2(double|int|uint|ll|ull|float)$")
# The functions of cuda_occupancy.h that NVIDIA documents; the others are internal parts of them.
OCCUPANCY = re.compile(r"cudaOcc(MaxActiveBlocksPerMultiprocessor|MaxPotentialOccupancyBlockSize|AvailableDynamicSMem)")
DEVICE = ["-D__CUDACC__", "-D__NVCC__", "-D__CUDA_ARCH__=1000", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"]
PLACE = re.compile(r"(?:(?<=[<, >])|^)(/[^:<>]+|<scratch space>|<built-in>):\d+:\d+")
DECLARATION = re.compile(r"((?:[|` ] )*[|`]-)(\w+Decl) 0x\w+ (.*)")
KINDS = {"FunctionDecl": "function", "FunctionTemplateDecl": "function", "TypedefDecl": "type", "TypeAliasDecl": "type",
         "CXXRecordDecl": "type", "EnumDecl": "type", "EnumConstantDecl": "enumerator"}


def is_there(clang, include):
    """Whether clang and the headers of CUDA 13.0 are there; else prints the reason why a test is skipped."""
    header = pathlib.Path(include, "cuda.h")
    if not clang or not header.is_file():
        print("skipped: no clang, or no CUDA toolkit")
        return False
    version = re.search(r"#define CUDA_VERSION (\d+)", header.read_text())
    if not version or version[1] != "13000":
        print(f"skipped: {header} is not of CUDA 13.0")
        return False
    return True


class toolkit:
    def __init__(self, clang, include):
        self.command = [clang, "-x", "c++", "-std=c++17", "-w", "-ferror-limit=0", "-fno-color-diagnostics", f"-I{include}",
                        f"-I{include}/cccl"]
        self.include = str(include)
        self.includes = {False: "", True: ""}
        for header, device in HEADERS.items():
            if (include / header).is_file():
                self.includes[device] += f"#include <{header}>\n"
        self.includes[True] = "#include <cuda_runtime.h>\n" + self.includes[False] + self.includes[True]

    def flags(self, device):
        return DEVICE if device else []

    # Yields (depth, kind, header, name) of each declaration in the toolkit's headers.
    def declarations(self, device):
        clang = subprocess.Popen([*self.command, *self.flags(device), "-fsyntax-only", "-Xclang", "-ast-dump", "-"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        clang.stdin.write(self.includes[device])
        clang.stdin.close()
        file = ""
        for line in clang.stdout:
            places = PLACE.findall(line)
            if places:
                file = places[-1]
            found = DECLARATION.match(line)
            if not found or not file.startswith(self.include):
                continue
            rest = re.sub(r"^(parent \S+ |prev \S+ )+", "", found[3])
            rest = re.sub(r"^<(?:[^<>]|<scratch space>|<built-in>)*> ?", "", rest)
            rest = re.sub(r"^(?:(?:col:\d+|line:\d+:\d+|/\S+|<scratch space>:\d+:\d+) )+", "", rest)
            implicit = rest.startswith("implicit ")
            rest = re.sub(r"^(?:(?:used|referenced|invalid|constexpr|implicit|struct|class|union) )+", "", rest)
            name = re.match(r"(\w+|operator\S+)?", rest)[0]
            if implicit:
                continue
            yield len(found[1]) // 2, found[2], file.rsplit("/", 1)[-1].replace(".hpp", ".h"), name or "definition"
        clang.wait()

    # {(header, kind, name)}, and the fields {type: [name]} of structures.
    def names(self):
        names, fields = {}, collections.defaultdict(list)
        for device in (False, True):
            records = {}  # {depth: the last record}
            for depth, kind, header, name in self.declarations(device):
                if kind == "CXXRecordDecl":
                    records[depth] = name
                if kind == "TypedefDecl" and records.pop(depth, None) == "definition":
                    fields[name] = fields.pop("definition", [])
                if kind in ("FieldDecl", "IndirectFieldDecl") and not device and depth - 1 in records and depth <= 3:
                    if name != "definition" and name not in fields[records[depth - 1]]:
                        fields[records[depth - 1]].append(name)
                if header not in HEADERS or kind not in KINDS or name == "definition" or INTERNAL.match(name):
                    continue
                if KINDS[kind] == "function" and header == "cuda_occupancy.h" and not OCCUPANCY.match(name):
                    continue
                if KINDS[kind] == "function" and header == "cuda.h":
                    name = re.sub(r"_v\d$", "", name)
                if depth > (3 if kind == "EnumConstantDecl" else 2):
                    continue
                names.setdefault((KINDS[kind], name), header)
        for header, name in self.macros():
            if not INTERNAL.match(name) and ("function", re.sub(r"_v\d$", "", name)) not in names:
                names.setdefault(("function" if re.match(r"cu[A-Z][a-z]", name) else "macro", name), header)
        return names, fields

    def macros(self):
        for device in (False, True):
            lines = subprocess.run([*self.command, *self.flags(device), "-E", "-dD", "-"], input=self.includes[device],
                                   capture_output=True, text=True).stdout.splitlines()
            file = ""
            for line in lines:
                if found := re.match(r'# \d+ "(.*?)"', line):
                    file = found[1]
                elif (found := re.match(r"#define (\w+)(?=\s|$)", line)) and file.startswith(self.include):
                    header = file.rsplit("/", 1)[-1].replace(".hpp", ".h")
                    if header in HEADERS and re.match(r"CU|cu", found[1]):
                        yield header, found[1]
