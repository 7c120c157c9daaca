// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cusolver/lapack.hpp"

#include <string>

#include "libraries/common/openblas_library.hpp"

namespace cohort::cusolver {

namespace {

using libraries::openblas_library;

template <class T>
void find_functions(openblas_library& library, lapack_functions<T>& all) {
  const auto name = [](const char* stem) { return std::string(1, libraries::letter_of_number<T>()) + stem + "_"; };
  // A function whose name for complex numbers differs from that for real ones.
  const auto either = [&](const char* real, const char* complex) { return name(is_complex<T> ? complex : real); };
#define COHORT_FIND(stem) library.find(all.stem, name(#stem))
  COHORT_FIND(potrf);
  COHORT_FIND(potrs);
  COHORT_FIND(potri);
  COHORT_FIND(lauum);
  COHORT_FIND(trtri);
  COHORT_FIND(getrf);
  COHORT_FIND(getrs);
  COHORT_FIND(laswp);
  COHORT_FIND(geqrf);
  COHORT_FIND(larft);
  COHORT_FIND(gels);
  COHORT_FIND(sytrf);
  COHORT_FIND(sytri);
  COHORT_FIND(sytrs);
  COHORT_FIND(gebrd);
  COHORT_FIND(geev);
  COHORT_FIND(gesvd);
  COHORT_FIND(gesdd);
  COHORT_FIND(gemm);
  COHORT_FIND(trsm);
  COHORT_FIND(trmm);
#undef COHORT_FIND
  library.find(all.orgqr, either("orgqr", "ungqr"));
  library.find(all.ormqr, either("ormqr", "unmqr"));
  library.find(all.orgbr, either("orgbr", "ungbr"));
  library.find(all.orgtr, either("orgtr", "ungtr"));
  library.find(all.ormtr, either("ormtr", "unmtr"));
  library.find(all.sytrd, either("sytrd", "hetrd"));
  library.find(all.syevd, either("syevd", "heevd"));
  library.find(all.sygvd, either("sygvd", "hegvd"));
  library.find(all.sygst, either("sygst", "hegst"));
}

}  // namespace

bool has_lapack() {
  static const bool loaded = libraries::load_functions<lapack_functions>(
      "cuSOLVER", [](openblas_library& library, auto& all) { find_functions(library, all); });
  return loaded;
}

}  // namespace cohort::cusolver
