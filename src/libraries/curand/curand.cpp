// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's host API: checks the arguments and appends the work to the generator's stream.
#include <cudart_detail/curand/normal.h>
#include <curand.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "libraries/common/handle_table.hpp"
#include "libraries/common/stream_call.hpp"
#include "libraries/common/version_part.hpp"
#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/generator.hpp"
#include "libraries/curand/vector_math.hpp"

namespace {

using namespace cohort::curand;
using generators = cohort::libraries::handle_table<curandGenerator_st>;

// The name of a type that the library lacks, and the reason.
const char* refusal_of(curandRngType type) {
  switch (type) {
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 (only NVIDIA has its tables)";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 (only NVIDIA has its tables)";
    default:
      return nullptr;
  }
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  const generator_type* found = find_type(type);
  if (found == nullptr) {
    if (const char* refused = refusal_of(type))
      std::fprintf(stderr,
                   "cohort: curandCreateGenerator: there is no %s; take SOBOL32, SOBOL64 or a pseudorandom generator\n",
                   refused);
    return CURAND_STATUS_TYPE_ERROR;
  }
  curandGenerator_st* const made = generators::instance().create();
  if (made == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  made->type = found, made->on_host = on_host;
  *generator = made;
  return CURAND_STATUS_SUCCESS;
}

bool is_quasi(const curandGenerator_st& generator) { return generator.type->type >= CURAND_RNG_QUASI_DEFAULT; }

// Draws `count` numbers of the kind into `out` and passes them to `finish`, in the order of the stream.
template <class Number>
curandStatus_t generate(curandGenerator_t generator, const char* name, kind what, Number* out, size_t count,
                        const finisher& finish = {}) {
  if (count == 0) return CURAND_STATUS_SUCCESS;
  const auto work = [type = generator->type, set = generator->set, restarts = generator->restarts,
                     source = generator->source, what, out, count,
                     finish] { source->draw(*type, set, restarts, what, count, out, finish); };
  if (generator->on_host) {
    work();
    return CURAND_STATUS_SUCCESS;
  }
  const auto in_stream = [work, out, bytes = count * sizeof(Number)](cohort::libraries::memory_accesses& memory) {
    if (!memory.writes(cohort::libraries::bytes_at(out, bytes), "outputPtr")) return memory.error();
    work();
    return cudaSuccess;
  };
  const cohort::libraries::stream_call_options options{name, count <= 4096, false};
  return cohort::libraries::stream_call(generator->stream, options, in_stream) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t check_pairs(curandGenerator_t generator, size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->type->pairs && count % 2 != 0 ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : CURAND_STATUS_SUCCESS;
}

template <class Number>
curandStatus_t generate_normal(curandGenerator_t generator, const char* name, kind what, Number* out, size_t count,
                               Number mean, Number deviation) {
  if (const curandStatus_t status = check_pairs(generator, count); status != CURAND_STATUS_SUCCESS) return status;
  return generate(generator, name, what, out, count, [mean, deviation](void* drawn, size_t n) {
    cohort::libraries::with_widest_vectors([=, numbers = static_cast<Number*>(drawn)] {
      for (size_t i = 0; i < n; ++i) numbers[i] = mean + deviation * numbers[i];
    });
  });
}

template <class Number>
curandStatus_t generate_log_normal(curandGenerator_t generator, const char* name, kind what, Number* out, size_t count,
                                   Number mean, Number deviation) {
  if (const curandStatus_t status = check_pairs(generator, count); status != CURAND_STATUS_SUCCESS) return status;
  return generate(generator, name, what, out, count, [mean, deviation](void* drawn, size_t n) {
    cohort::libraries::with_widest_vectors([=, numbers = static_cast<Number*>(drawn)] {
      for (size_t i = 0; i < n; ++i) numbers[i] = exp_of(mean + deviation * numbers[i]);
    });
  });
}

// A method has no effect: all numbers are quantiles.
bool is_method(curandMethod_t method) { return method >= CURAND_CHOOSE_BEST && method <= CURAND_POISSON; }

curandStatus_t generate_discrete(curandGenerator_t generator, const char* name, unsigned int* output, size_t count,
                                 const discrete_quantiles& quantiles) {
  return generate(generator, name, kind::word, output, count,
                  [shared = std::make_shared<const discrete_quantiles>(quantiles)](void* words, size_t n) {
                    (*shared)(static_cast<uint32_t*>(words), n);
                  });
}

curandStatus_t generate_poisson(curandGenerator_t generator, const char* name, unsigned int* output, size_t count,
                                double lambda, curandMethod_t method) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0.0 && lambda <= 4e9) || !is_method(method)) return CURAND_STATUS_OUT_OF_RANGE;
  if (generator->type->long_words) return CURAND_STATUS_TYPE_ERROR;
  return generate_discrete(generator, name, output, count, discrete_quantiles::of_poisson(lambda));
}

curandStatus_t generate_binomial(curandGenerator_t generator, const char* name, unsigned int* output, size_t count,
                                 unsigned int n, double p, curandMethod_t method) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(p >= 0.0 && p <= 1.0) || !is_method(method)) return CURAND_STATUS_OUT_OF_RANGE;
  if (generator->type->long_words) return CURAND_STATUS_TYPE_ERROR;
  return generate_discrete(generator, name, output, count, discrete_quantiles::of_binomial(n, p));
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return generators::instance().take(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  return cohort::libraries::read_version_part(parts, type, value) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (is_quasi(*generator)) return CURAND_STATUS_TYPE_ERROR;
  // A Mersenne twister restarts unless it has this seed already.
  if (!generator->type->skips && generator->set.seed != seed) ++generator->restarts;
  generator->set.seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->type->skips) return CURAND_STATUS_TYPE_ERROR;
  generator->set.offset = offset;
  ++generator->restarts;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool quasi = is_quasi(*generator);
  switch (order) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
      if (quasi) return CURAND_STATUS_OUT_OF_RANGE;
      break;
    case CURAND_ORDERING_PSEUDO_SEEDED:
      if (!generator->type->seeded) return CURAND_STATUS_OUT_OF_RANGE;
      break;
    case CURAND_ORDERING_QUASI_DEFAULT:
      if (!quasi) return CURAND_STATUS_OUT_OF_RANGE;
      break;
    case CURAND_ORDERING_PSEUDO_DYNAMIC:  // GPUs have different dynamic orders, so here it may be the default order
      if (quasi || generator->on_host) return CURAND_STATUS_OUT_OF_RANGE;
      break;
    default:
      return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (order != generator->set.ordering) ++generator->restarts;
  generator->set.ordering = order;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!is_quasi(*generator)) return CURAND_STATUS_TYPE_ERROR;
  if (num_dimensions == 1) return CURAND_STATUS_SUCCESS;
  if (num_dimensions > 1 && num_dimensions <= 20000)
    std::fprintf(stderr,
                 "cohort: curandSetQuasiRandomGeneratorDimensions: only one dimension; pass direction vectors to "
                 "curand_init() in a kernel for more\n");
  return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, size_t num) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type->long_words) return CURAND_STATUS_TYPE_ERROR;
  return generate(generator, "curandGenerate", kind::word, output, num);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output, size_t num) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->type->long_words) return CURAND_STATUS_TYPE_ERROR;
  return generate(generator, "curandGenerateLongLong", kind::word, output, num);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t num) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return generate(generator, "curandGenerateUniform", kind::unit_float, output, num);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t num) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return generate(generator, "curandGenerateUniformDouble", kind::unit_double, output, num);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t n, float mean, float stddev) {
  return generate_normal(generator, "curandGenerateNormal", kind::normal_float, output, n, mean, stddev);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t n, double mean,
                                          double stddev) {
  return generate_normal(generator, "curandGenerateNormalDouble", kind::normal_double, output, n, mean, stddev);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t n, float mean, float stddev) {
  return generate_log_normal(generator, "curandGenerateLogNormal", kind::normal_float, output, n, mean, stddev);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t n, double mean,
                                             double stddev) {
  return generate_log_normal(generator, "curandGenerateLogNormalDouble", kind::normal_double, output, n, mean, stddev);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output, size_t n, double lambda) {
  return generate_poisson(generator, "curandGeneratePoisson", output, n, lambda, CURAND_CHOOSE_BEST);
}

curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int* output, size_t n, double lambda,
                                           curandMethod_t method) {
  return generate_poisson(generator, "curandGeneratePoissonMethod", output, n, lambda, method);
}

curandStatus_t curandGenerateBinomial(curandGenerator_t generator, unsigned int* output, size_t num, unsigned int n,
                                      double p) {
  return generate_binomial(generator, "curandGenerateBinomial", output, num, n, p, CURAND_CHOOSE_BEST);
}

curandStatus_t curandGenerateBinomialMethod(curandGenerator_t generator, unsigned int* output, size_t num,
                                            unsigned int n, double p, curandMethod_t method) {
  return generate_binomial(generator, "curandGenerateBinomialMethod", output, num, n, p, method);
}

}  // extern "C"
