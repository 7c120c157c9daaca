# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the lists of CUDA's error numbers agree: the runtime API's enum is the reference, and the library's enum,
the runtime's texts and the driver API's enum have no other name and no other number."""
import pathlib
import re
import sys

# Errors of the driver API that the runtime API, whose numbers are the reference, does not have.
ONLY_IN_THE_DRIVER_API = {"CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "CUDA_ERROR_KEY_ROTATION"}


def key(name: str) -> str:
    """One key for a name of the library and a name of CUDA: error_ecc_uncorrectable and cudaErrorECCUncorrectable are
    equal."""
    return re.sub(r"^(cuda)?error_?|_", "", name.lower())


def main(root: pathlib.Path) -> int:
    api = root / "include/cudart/cudart_detail"
    reference = dict(re.findall(r"^  (cuda\w+) = (\d+),", (api / "types/error_codes.h").read_text(), re.MULTILINE))
    numbers = {key(name): number for name, number in reference.items()}
    findings = []

    library = re.findall(r"^  (error_\w+) = (\d+),", (root / "include/cohort/base/cuda_error.hpp").read_text(), re.MULTILINE)
    for name, number in library:
        if name == "error_none":
            name = "cudaSuccess"
        if numbers.get(key(name)) != number:
            findings.append(f"cuda_error.hpp: {name} = {number} is not in error_codes.h")

    text_list = root / "src/runtime/error/error_list.inc"
    texts = set(re.findall(r"^COHORT_ERROR\((\w+),", text_list.read_text(), re.MULTILINE))
    for name in sorted(texts ^ reference.keys()):
        findings.append(f"{name} stands in only one of error_list.inc and error_codes.h")

    driver = re.findall(r"COHORT_CU_ERROR\((\w+), (\d+)\)", (api / "driver/errors.h").read_text())
    for name, number in driver:
        if name not in ONLY_IN_THE_DRIVER_API and number not in reference.values():
            findings.append(f"driver/errors.h: {name} = {number}: error_codes.h has no such number")

    for finding in findings:
        print(finding)
    print(f"{len(reference)} numbers, {len(library)} in the library, {len(texts)} texts, {len(driver)} of the driver API")
    return 0 if not findings and len(library) > 50 and len(driver) > 50 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
