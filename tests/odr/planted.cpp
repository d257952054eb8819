// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What duplicates.py must find: a function and a variable as a header must not define them.
int planted_function();
int planted_function() { return 1; }
extern int planted_variable;
int planted_variable = 2;
