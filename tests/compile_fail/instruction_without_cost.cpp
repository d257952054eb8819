// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of the instruction set that does not say what the instruction costs.
// expect: sass_cost
#include "sim/ptx/instruction_facts.hpp"

using namespace gpuprof::sim;
using namespace gpuprof::sim::ptx;

inline constexpr instruction_facts row{"foo",
                                       result_operand::first,
                                       control_effect::next,
                                       executed_by::lane,
                                       memory_effect::untouched,
                                       {instruction_kind::integer, pipe::alu},
#ifdef GPUPROF_COMPILE_FAIL
                                       fusion::alone};
#else
                                       fusion::alone,
                                       {1}};
#endif
