// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cublas/openblas.hpp"

#include <string>

#include "libraries/common/openblas_library.hpp"

namespace cohort::cublas {

namespace {

using libraries::openblas_library;

template <class T>
void find_functions(openblas_library& f, openblas_functions<T>& all) {
  const std::string letter(1, libraries::letter_of_number<T>()), real(1, libraries::letter_of_number<real_of<T>>());
  const auto name = [&](const char* stem) { return letter + stem + "_"; };
  // The name of a function of Hermitian matrices; for real numbers, of the symmetric ones.
  const auto either = [&](const char* symmetric, const char* hermitian) {
    return name(is_complex<T> ? hermitian : symmetric);
  };
  f.find(all.nrm2, (is_complex<T> ? real : "") + name("nrm2"));    // scnrm2, for example
  f.find(all.rot, letter + (is_complex<T> ? real : "") + "rot_");  // csrot, for example
#define COHORT_FIND(stem) f.find(all.stem, name(#stem))
  COHORT_FIND(scal);
  COHORT_FIND(axpy);
  COHORT_FIND(copy);
  COHORT_FIND(swap);
  COHORT_FIND(rotg);
  COHORT_FIND(gemv);
  COHORT_FIND(gbmv);
  COHORT_FIND(trmv);
  COHORT_FIND(trsv);
  COHORT_FIND(tbmv);
  COHORT_FIND(tbsv);
  COHORT_FIND(tpmv);
  COHORT_FIND(tpsv);
  COHORT_FIND(symv);
  COHORT_FIND(syr);
  COHORT_FIND(syr2);
  COHORT_FIND(gemm);
  COHORT_FIND(symm);
  COHORT_FIND(syrk);
  COHORT_FIND(syr2k);
  COHORT_FIND(trmm);
  COHORT_FIND(trsm);
  COHORT_FIND(geqrf);
  COHORT_FIND(gels);
  if constexpr (is_complex<T>) {
    COHORT_FIND(geru);
    COHORT_FIND(gerc);
  } else {
    for (auto** const function : {&all.geru, &all.gerc}) f.find(*function, name("ger"));
    COHORT_FIND(asum);
    COHORT_FIND(dot);
    COHORT_FIND(rotm);
    COHORT_FIND(rotmg);
  }
#undef COHORT_FIND
  f.find(all.hemv, either("symv", "hemv"));
  f.find(all.hbmv, either("sbmv", "hbmv"));
  f.find(all.hpmv, either("spmv", "hpmv"));
  f.find(all.hpr, either("spr", "hpr"));
  f.find(all.hpr2, either("spr2", "hpr2"));
  f.find(all.her, either("syr", "her"));
  f.find(all.her2, either("syr2", "her2"));
  f.find(all.hemm, either("symm", "hemm"));
  f.find(all.herk, either("syrk", "herk"));
  f.find(all.her2k, either("syr2k", "her2k"));
}

}  // namespace

bool has_openblas() {
  static const bool loaded = libraries::load_functions<openblas_functions>(
      "cuBLAS", [](openblas_library& library, auto& all) { find_functions(library, all); });
  return loaded;
}

}  // namespace cohort::cublas
