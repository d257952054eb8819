// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a library that is linked after the call.
int late();
int late() { return 4; }
