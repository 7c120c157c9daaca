// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/option_table.hpp"

#include <utility>

namespace cohort {
namespace {

option_rule refused(std::vector<std::string> names, takes argument, const std::string& sentence) {
  return {std::move(names), argument, "", [sentence](options&, const std::string&) { throw usage_error(sentence); },
          ""};
}

option_rule meaningless(std::vector<std::string> names, takes argument, const std::string& note) {
  return {std::move(names), argument, "", [note](options& o, const std::string&) { o.notes.push_back(note); }, ""};
}

}  // namespace

// clang-format off: one option, one row
std::vector<option_rule> refused_options() {
  const std::string no_gpu_code = "makes GPU code; cohortcc compiles for the CPU. Use nvcc for that";
  return {
      refused({"optix-ir"}, takes::nothing, "-optix-ir " + no_gpu_code),
      refused({"ltoir"}, takes::nothing, "-ltoir " + no_gpu_code),
      refused({"cuda"}, takes::nothing, "-cuda writes nvcc's own C++ code, which cohortcc does not make; use -E or -c"),
      refused({"S"}, takes::nothing, "-S would need one assembly file of two passes; use -c and objdump -d"),
      refused({"run"}, takes::nothing, "-run is not offered; link with -o and start the program"),
      refused({"run-args"}, takes::value, "-run-args is not offered; link with -o and start the program"),
      refused({"clean", "clean-targets"}, takes::nothing, "-clean is not offered; remove the outputs yourself"),
      refused({"r", "relocatable-link"}, takes::nothing, "-r is not offered; join objects with ld -r"),
      refused({"fdevice-syntax-only"}, takes::nothing, "-fdevice-syntax-only is not offered; use -c -o /dev/null"),
      refused({"hls", "host-linker-script"}, takes::value, "-hls makes a linker script for GPU code; there is none"),
      refused({"sanitize"}, takes::value, "-sanitize names a tool for GPU code; use -fsanitize=address or undefined"),
  };
}

std::vector<option_rule> meaningless_options() {
  const auto nothing = takes::nothing, value = takes::value;
  return {
      meaningless({"code", "gpu-code"}, value, "-code names GPU code; there is none"),
      meaningless({"lineinfo", "generate-line-info"}, nothing, "line tables are always there"),
      meaningless({"ccbin", "compiler-bindir"}, value, "-ccbin is not used: clang compiles both sides"),
      meaningless({"Xptxas", "ptxas-options"}, value, "ptxas does not run"),
      meaningless({"Xnvlink", "nvlink-options"}, value, "nvlink does not run"),
      meaningless({"Xfatbin", "fatbin-options"}, value, "fatbinary does not run"),
      meaningless({"maxrregcount"}, value, "clang allocates the CPU's registers"),
      meaningless({"t", "threads"}, value, "the two passes run side by side"),
      meaningless({"split-compile"}, value, "the two passes run side by side"),
      meaningless({"split-compile-extended"}, value, "the two passes run side by side"),
      meaningless({"jobserver"}, nothing, "the two passes run side by side"),
      meaningless({"cudadevrt"}, value, "the runtime holds what device code needs"),
      meaningless({"brief-diag", "brief-diagnostics"}, value, "diagnostics are clang's"),
      meaningless({"ftz"}, value, "denormals are kept"),
      meaningless({"prec-div"}, value, "division is exact"),
      meaningless({"prec-sqrt"}, value, "square roots are exact"),
      meaningless({"restrict"}, nothing, "pointers are not assumed to be __restrict__"),
      meaningless({"extra-device-vectorization"}, nothing, "vectorization is on"),
      meaningless({"res-usage", "resource-usage"}, nothing, "clang allocates the CPU's registers"),
      meaningless({"opt-info", "optimization-info"}, value, "see --cohort-report"),
      meaningless({"Ofc", "Ofast-compile"}, value, "clang's passes are chosen by -O"),
      meaningless({"dopt"}, value, "device code is optimized unless -G is there"),
      meaningless({"dlto", "dlink-time-opt"}, nothing, "device code is optimized file by file"),
      meaningless({"lto"}, nothing, "device code is optimized file by file"),
      meaningless({"gen-opt-lto"}, nothing, "device code is optimized file by file"),
      meaningless({"nodlink", "no-device-link"}, nothing, "the ordinary link joins device code"),
      meaningless({"ewp", "extensible-whole-program"}, nothing, "the ordinary link joins device code"),
      meaningless({"e", "entries"}, value, "all kernels are kept"),
      meaningless({"keep-device-functions"}, nothing, "all kernels are kept"),
      meaningless({"src-in-ptx", "source-in-ptx"}, nothing, "there is no PTX"),
      meaningless({"reloc-ptx", "relocatable-ptx"}, nothing, "there is no PTX"),
      meaningless({"jtd", "jump-table-density"}, value, "clang makes the jump tables"),
      meaningless({"no-compress"}, nothing, "there is no fat binary"),
      meaningless({"compress-mode"}, value, "there is no fat binary"),
      meaningless({"aug-hls", "augment-host-linker-script"}, nothing, "there is no fat binary"),
      meaningless({"qpp-config"}, value, "clang compiles both sides"),
      meaningless({"allow-unsupported-compiler"}, nothing, "clang compiles both sides"),
      meaningless({"nohdinitlist", "no-host-device-initializer-list"}, nothing, "clang compiles both sides"),
      meaningless({"nohdmoveforward", "no-host-device-move-forward"}, nothing, "clang compiles both sides"),
      meaningless({"static-global-template-stub"}, value, "kernels have no stubs of nvcc's kind"),
      meaningless({"device-entity-has-hidden-visibility"}, value, "the host's visibility holds for kernels"),
      meaningless({"device-stack-protector"}, value, "stacks end at guard pages"),
      meaningless({"astoolspatch", "compile-as-tools-patch"}, nothing, "there is no GPU code to patch"),
      meaningless({"frandom-seed"}, value, "equal builds give equal objects always"),
      meaningless({"keep"}, nothing, "there are no files between source and object; see --verbose"),
      meaningless({"keep-dir"}, value, "there are no files between source and object; see --verbose"),
      meaningless({"save-temps"}, nothing, "there are no files between source and object; see --verbose"),
      meaningless({"objtemp", "objdir-as-tempdir"}, nothing, "TMPDIR names the folder for temporary files"),
      meaningless({"time"}, value, "see clang's -ftime-report"),
      meaningless({"fdevice-time-trace"}, value, "see clang's -ftime-trace"),
      meaningless({"ldir", "libdevice-directory"}, value, "libdevice is not used"),
      meaningless({"target-dir", "target-directory"}, value, "an installed CUDA toolkit is not used"),
      meaningless({"noprof", "dont-use-profile"}, nothing, "there is no nvcc.profile"),
      meaningless({"use-local-env"}, nothing, "it concerns Windows"),
      meaningless({"force-cl-env-setup"}, nothing, "it concerns Windows"),
      meaningless({"idp", "input-drive-prefix"}, value, "it concerns Windows"),
      meaningless({"ddp", "dependency-drive-prefix"}, value, "it concerns Windows"),
      meaningless({"dp", "drive-prefix"}, value, "it concerns Windows"),
      meaningless({"no-align-double"}, nothing, "it concerns 32-bit programs"),
      meaningless({"Wno-deprecated-gpu-targets"}, nothing, "no architecture is deprecated"),
  };
}
// clang-format on

}  // namespace cohort
