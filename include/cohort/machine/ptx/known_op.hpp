// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of base/op.hpp, under their names in this machine.
#pragma once

#include "../../base/op.hpp"

namespace cohort {
namespace ptx {

using detail::apply_inverse;
using detail::commutes_v;
using detail::identity_element;
using detail::is_integer_op_v;
using detail::is_invertible_v;
using detail::is_stateless_v;
using detail::known_op;
using detail::known_op_v;

}  // namespace ptx
}  // namespace cohort
