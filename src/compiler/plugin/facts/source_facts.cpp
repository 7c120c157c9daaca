// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/source_facts.hpp"

namespace cohort {

source_facts& facts() {
  static source_facts the_facts;
  return the_facts;
}

}  // namespace cohort
