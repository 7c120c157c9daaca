// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "versions.hpp"

#include "../kernels/kernels.hpp"
#include "blas.hpp"
#include "boost_ring.hpp"
#include "fft.hpp"
#include "hand_written.hpp"
#include "opencl.hpp"

namespace bench {

std::vector<std::pair<std::string, std::string>> peer_versions() {
  const opencl& cl = opencl::peer();
  return {{"cohortcc", cohortcc_version()},
          {"Boost.Context", boost_ring::version()},
          {"OpenCL", cl.unavailable().empty() ? cl.version() : cl.unavailable()},
          {"BLAS", blas_version()},
          {"FFT", fft_version()},
          {"SLEEF", hand_written::sleef_version()}};
}

}  // namespace bench
