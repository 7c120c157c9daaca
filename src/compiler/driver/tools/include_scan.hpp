// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cohort {

// True if `source`, or a header that it includes directly or indirectly, has an include directive whose name `wanted`
// accepts. Headers are found beside the file that includes them and in `folders`, as the preprocessor finds them, but
// conditions are not evaluated: a directive that they leave out counts too.
bool includes(const std::string& source, const std::vector<std::string>& folders,
              const std::function<bool(const std::string& name)>& wanted);

}  // namespace cohort
