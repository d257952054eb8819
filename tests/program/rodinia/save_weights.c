/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Linked to the OpenMP version of backprop (-Wl,--wrap=bpnn_free): the weights of its inputs go into a file before they are
   freed, as removed.h has them from the CUDA version. */
#include "backprop.h"

void __real_bpnn_free(BPNN* net);
void __wrap_bpnn_free(BPNN* net) {
    FILE* const weights = fopen("weights", "wb");
    for (int input = 0; input <= net->input_n; ++input)
        fwrite(net->input_weights[input], sizeof(float), (size_t)net->hidden_n + 1, weights);
    fclose(weights);
    __real_bpnn_free(net);
}
