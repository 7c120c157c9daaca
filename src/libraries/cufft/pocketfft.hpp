// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms by pocketfft, a library of one header that Cohort's build finds or does without.
#pragma once

#include <cstddef>

#include "libraries/cufft/transform.hpp"

namespace cohort::cufft {

struct job {
  kind what;
  bool forward;
  size_t threads;
  array in_array, out_array;
  const void* in;
  void* out;
};

// False, with a sentence on stderr at the first call, in a build without pocketfft's header.
bool has_pocketfft();

// Runs a transform of T = float or double, out of place, or in place if input and output rows begin at the same bytes.
// Throws std::bad_alloc. pre: has_pocketfft()
template <class T>
void run_job(const job& j);

}  // namespace cohort::cufft
