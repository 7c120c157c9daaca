// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cublas/openblas.hpp"

#include <string>

#include "libraries/common/openblas_library.hpp"

namespace cohort::cublas {

namespace {

using libraries::openblas_library;

struct prefixes {
  const char* number;       // saxpy
  const char* real_result;  // scnrm2
  const char* real_factor;  // csrot
};
template <class T>
constexpr prefixes prefixes_of{};
template <>
constexpr prefixes prefixes_of<float>{"s", "s", "s"};
template <>
constexpr prefixes prefixes_of<double>{"d", "d", "d"};
template <>
constexpr prefixes prefixes_of<cuComplex>{"c", "sc", "cs"};
template <>
constexpr prefixes prefixes_of<cuDoubleComplex>{"z", "dz", "zd"};

template <class T>
void find_functions(openblas_library& f, openblas_functions<T>& all) {
  constexpr const prefixes& p = prefixes_of<T>;
  const auto name = [&](const char* prefix, const char* stem) { return std::string(prefix) + stem + "_"; };
  // The functions of Hermitian matrices, and those of symmetric ones in their place for real numbers.
  const auto hermitian = [&](const char* stem) {
    return name(p.number, is_complex<T> ? (std::string("h") + stem).c_str() : (std::string("s") + stem).c_str());
  };
  f.find(all.nrm2, name(p.real_result, "nrm2"));
  f.find(all.rot, name(p.real_factor, "rot"));
#define COHORT_FIND(stem) f.find(all.stem, name(p.number, #stem))
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
    f.find(all.geru, name(p.number, "ger"));
    f.find(all.gerc, name(p.number, "ger"));
    COHORT_FIND(asum);
    COHORT_FIND(dot);
    COHORT_FIND(rotm);
    COHORT_FIND(rotmg);
  }
#undef COHORT_FIND
  f.find(all.hemv, is_complex<T> ? name(p.number, "hemv") : name(p.number, "symv"));
  f.find(all.hbmv, hermitian("bmv"));
  f.find(all.hpmv, hermitian("pmv"));
  f.find(all.hpr, hermitian("pr"));
  f.find(all.hpr2, hermitian("pr2"));
  f.find(all.her, is_complex<T> ? name(p.number, "her") : name(p.number, "syr"));
  f.find(all.her2, is_complex<T> ? name(p.number, "her2") : name(p.number, "syr2"));
  f.find(all.hemm, is_complex<T> ? name(p.number, "hemm") : name(p.number, "symm"));
  f.find(all.herk, is_complex<T> ? name(p.number, "herk") : name(p.number, "syrk"));
  f.find(all.her2k, is_complex<T> ? name(p.number, "her2k") : name(p.number, "syr2k"));
}

template <class T>
openblas_functions<T> functions{};

bool load() {
  openblas_library library("cuBLAS");
  find_functions(library, functions<float>);
  find_functions(library, functions<double>);
  find_functions(library, functions<cuComplex>);
  find_functions(library, functions<cuDoubleComplex>);
  return library.is_complete();
}

}  // namespace

bool has_openblas() {
  static const bool loaded = load();
  return loaded;
}

template <class T>
const openblas_functions<T>& openblas() {
  return functions<T>;
}
template const openblas_functions<float>& openblas();
template const openblas_functions<double>& openblas();
template const openblas_functions<cuComplex>& openblas();
template const openblas_functions<cuDoubleComplex>& openblas();

}  // namespace cohort::cublas
