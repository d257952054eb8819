// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links only if all of late.cpp and more.cpp is there.
int late();
int more();

int main() { return late() + more() == BEFORE + OF_LIBRARY + AFTER + 4 ? 0 : 1; }
