// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cublas/openblas.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <string>

namespace cohort::cublas {

namespace {

constexpr const char* library_name = "libopenblas.so.0";

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

// Finds functions, and stores the name of the first one that the library lacks.
class finder {
 public:
  explicit finder(void* library) : library_(library) {}

  template <class Function>
  void find(Function*& function, const std::string& name) {
    function = reinterpret_cast<Function*>(dlsym(library_, name.c_str()));
    if (!function && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

template <class T>
void find_functions(finder& f, openblas_functions<T>& all) {
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
  void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr,
                 "cohort: cuBLAS needs OpenBLAS (Debian: libopenblas0), and %s cannot be loaded: handles are refused "
                 "with CUBLAS_STATUS_NOT_INITIALIZED\n",
                 library_name);
    return false;
  }
  finder f(library);
  find_functions(f, functions<float>);
  find_functions(f, functions<double>);
  find_functions(f, functions<cuComplex>);
  find_functions(f, functions<cuDoubleComplex>);
  if (f.missing().empty()) return true;
  std::fprintf(stderr,
               "cohort: %s has no function %s, as an OpenBLAS without LAPACK has not: cuBLAS needs the library of "
               "Debian's libopenblas0\n",
               library_name, f.missing().c_str());
  return false;
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
