// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace cohort::engine {

bool has_more_rights_than_caller() { return getauxval(AT_SECURE) != 0; }

const char* environment_variable(const char* name) {
  const char* value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

std::vector<std::string> variables_with_prefix(const char* prefix) {
  std::vector<std::string> names;
  if (has_more_rights_than_caller()) return names;
  for (char** entry = environ; entry && *entry; ++entry) {
    const char* end = std::strchr(*entry, '=');
    if (end && std::strncmp(*entry, prefix, std::strlen(prefix)) == 0)
      names.emplace_back(*entry, static_cast<size_t>(end - *entry));
  }
  return names;
}

}  // namespace cohort::engine
