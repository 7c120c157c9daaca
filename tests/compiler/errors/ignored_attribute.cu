// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ignored_attribute.cu:3:24: error: unknown attribute 'no_such_thing' ignored
__attribute__((device, no_such_thing)) int x;
