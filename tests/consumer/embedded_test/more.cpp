// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source that is added after the call.
int more();
int more() { return 6; }
