// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled as with the headers of another version: it must not link with this library.
#include <cohort/base/version.hpp>
#undef COHORT_VERSION
#define COHORT_VERSION 120304
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

void nothing() {}

int main() { return cohort::launch(1, 1, nothing) ? 1 : 0; }
