// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The versions of the peers, for the result file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

// Returns each peer's name with its version, or with the reason why it is missing.
std::vector<std::pair<std::string, std::string>> peer_versions();

}  // namespace bench
