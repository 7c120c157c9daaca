// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the place of CUB's header, which <cub/cub.cuh> includes. There are no textures on a CPU: TexObjInputIterator does
// not exist, and a program that names it gets an error with that name.
#pragma once
