#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""count.py on lines as the samples of CUPTI 13.0 print them (their formats, our values) and as our programs do."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count

SAMPLE = """Calling CUPTI API: cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY)
Activity buffer size = 8388608 bytes.
Device Name: NVIDIA H200
DEVICE NVIDIA H200 [ 0 ]
CONTEXT computeApiKind CUDA, contextId 1, deviceId 0, nullStreamId 7, CIG mode 0
DRIVER [ 10, 20 ] duration 10, "cuInit", cbid 1, processId 7, threadId 8, correlationId 1
RUNTIME [ 10, 20 ] duration 10, "cudaMalloc_v3020", cbid 20, processId 7, threadId 8, correlationId 2
Calling CUPTI API: RUNTIME [ 10, 20 ] duration 10, "cudaFree_v3020", cbid 22, processId 7, threadId 8, correlationId 3
MEMCPY "HTOD" [ 30, 40 ] duration 10, size 200000, copyCount 1, srcKind PAGEABLE, dstKind DEVICE, correlationId 4
\tdeviceId 0, contextId 1, streamId 7, graphId 0, graphNodeId 0, channelId 5, channelType ASYNC_MEMCPY
MEMCPY2 "PTOP" [ 30, 40 ] duration 10, size 1, srcKind DEVICE, dstKind DEVICE, correlationId 4,
\tdeviceId 0, contextId 1, streamId 7, graphId 0, graphNodeId 0, channelId 5, channelType ASYNC_MEMCPY
\tsrcDeviceId 0, srcContextId 1, dstDeviceId 1, dstContextId 2
MEMSET [ 30, 40 ] duration 10, value 1, size 4096, correlationId 5
CONCURRENT_KERNEL [ 50, 60 ] duration 10, "_Z3addIiEvPT_", correlationId 6, cacheConfigRequested 0, cacheConfigExecuted 0
\tgrid [ 196, 1, 1 ], block [ 256, 1, 1 ], cluster [ 0, 0, 0 ], sharedMemory (static 0, dynamic 0)
\tdeviceId 0, contextId 1, streamId 7, graphId 0, graphNodeId 0, channelId 5, channelType COMPUTE
OVERHEAD CUPTI_RESOURCE [ 1, 2 ] duration 1, THREAD, id 8, correlation id 0
OVERHEAD <unknown> [ 1, 2 ] duration 1, THREAD, id 8, correlation id 0
NAME DEVICE id 0, name CUDA Device 0
NAME CONTEXT 1 DEVICE id 0, name CUDA Context
MARKER [ 70 ] id 1, domain Vector Addition, name vectorAdd
MARKER [ 71 ] id 1, domain <default domain>, name <null>
MARKER_DATA id 1, color 0xff, category 0, payload 0/0.000000
EXTERNAL_CORRELATION externalKind UNKNOWN, correlationId 2, externalId 0
MEMORY2 [ 5 ] memoryOperationType ALLOCATE, memoryKind DEVICE, size 4, address 5, pc 6,
  deviceId 0, contextId 1, streamId 7, processId 7, correlationId 8, isAsync 0,
  memoryPool LOCAL, memoryPoolAddress 0,  memoryPoolThreshold 0
  source (null)
, memoryPoolSize: 1, memoryPoolUtilizedSize: 1
MEMORY_POOL [ 5 ] memoryPoolOperation CREATED, memoryPool LOCAL, address 1, size 2, utilizedSize 0, 0 isManagedPool, releaseThreshold 0,
  deviceId 0, processId 7, correlationId 8
UNIFIED_MEMORY_COUNTER [ 1, 2 ] duration 1, counterKind BYTES_TRANSFER_HTOD, value 65536, address 7f00, srcId 0, dstId 0, processId 7
"""

OURS = """device 0 NVIDIA H200
context 1 null stream 7
driver [ 10, 20 ] 1 correlation 1
runtime [ 10, 20 ] 20 correlation 2
runtime [ 10, 20 ] 22 correlation 3
memcpy [ 30, 40 ] host to device 200000
memcpy2
memset [ 30, 40 ] 1 4096
concurrent_kernel [ 50, 60 ] _Z3addIiEvPT_ stream 7 correlation 6
overhead [ 1, 2 ] cupti resource
overhead [ 1, 2 ] not known
name first GPU
name context
marker 1 vectors addition
marker 1
marker_data
external_correlation
memory2 allocation device 4 bytes at 5 pool local
memory_pool created local 2 bytes at 1
unified_memory_counter bytes transfer htod 65536 bytes at 1
lost 0
"""

EXPECTED = {"DEVICE": 1, "CONTEXT": 1, "DRIVER": 1, "RUNTIME": 2, "MEMCPY": 1, "MEMCPY2": 1, "MEMSET": 1,
            "CONCURRENT_KERNEL": 1, "OVERHEAD": 2, "NAME": 2, "MARKER": 2, "MARKER_DATA": 1,
            "EXTERNAL_CORRELATION": 1, "MEMORY2": 1, "MEMORY_POOL": 1, "UNIFIED_MEMORY_COUNTER": 1}


class Counting(unittest.TestCase):
    def test_every_kind_that_a_sample_prints_is_counted_once(self):
        self.assertEqual(dict(count.of_sample("any", SAMPLE)), EXPECTED)

    def test_every_kind_that_ours_prints_is_counted_once(self):
        self.assertEqual(dict(count.of_ours("any", OURS)), EXPECTED)

    def test_equal_outputs_are_equal(self):
        rows, good = count.compare("any", SAMPLE, SAMPLE, OURS)
        self.assertTrue(good)
        self.assertEqual({row[-1] for row in rows}, {"yes"})

    def test_a_missing_record_is_seen(self):
        rows, good = count.compare("any", SAMPLE, SAMPLE, OURS.replace("memset [", "xxxxxx ["))
        self.assertFalse(good)
        self.assertIn(["any", "MEMSET", "1", "0", "NO"], rows)

    def test_a_kind_in_which_the_sample_varies_is_named(self):
        again = SAMPLE.replace("OVERHEAD CUPTI", "xxxxxxxx CUPTI")
        rows, good = count.compare("any", SAMPLE, again, OURS + "overhead [ 1, 2 ] more\n")
        self.assertTrue(good)
        self.assertIn(["any", "OVERHEAD", "2, 1", "3", "not compared: two runs of the sample differ"], rows)

    def test_lost_records_and_nothing_at_all_are_failures(self):
        self.assertFalse(count.compare("any", SAMPLE, SAMPLE, OURS.replace("lost 0", "lost 3"))[1])
        self.assertFalse(count.compare("any", "", "", "")[1])
        self.assertTrue(count.compare("any", "Warning: … Waiving sample.\n", "", "unsupported 1\n")[1])

    def test_pairs_of_calls_and_what_they_started(self):
        sample = "\nCUDA_API AND GPU ACTIVITY CORRELATION : correlation 12\n"
        self.assertEqual(count.of_sample("cupti_correlation", sample)["pairs"], 1)
        self.assertEqual(count.of_ours("cupti_correlation", "correlated 12\n")["pairs"], 1)

    def test_phases(self):
        sample = ("\n=== SUMMARY ===\nExternal Id: 0: INITIALIZATION_EXTERNAL_ID\n"
                  "  Correlate to CUPTI records with correlation ids: 2 3 4 \n"
                  "\nExternal Id: 1: EXECUTION_EXTERNAL_ID\n"
                  "  Correlate to CUPTI records with correlation ids: 7 \n")
        ours = "phase initialization: 1 2 3 \nphase execution: 9 \n"
        expected = {"phase initialization": 3, "phase execution": 1}
        self.assertEqual(dict(count.of_sample("cupti_external_correlation", sample)), expected)
        self.assertEqual(dict(count.of_ours("cupti_external_correlation", ours)), expected)

    def test_calls_with_their_times(self):
        sample = ("cudaMemcpy_v3020\t\t1234\t567\t\t200000\tHostToDevice\n"
                  "_Z9VectorAddPKiS0_Pii\t1234\t567\t\tNA\tNA\n")
        ours = "call cudaMemcpy_v3020 1234 567 200000 HostToDevice\ncall _Z3addIiEvPKT_S2_PS0_i 1234 567 NA NA\n"
        expected = {"cudaMemcpy of 200000 bytes HostToDevice": 1, "kernel": 1}
        self.assertEqual(dict(count.of_sample("callback_timestamp", sample)), expected)
        self.assertEqual(dict(count.of_ours("callback_timestamp", ours)), expected)

    def test_nodes_of_graphs(self):
        sample = "Graph node was created using API cudaGraphAddKernelNode_v10000 with correlationId 14\n"
        ours = "created by cudaGraphAddKernelNode correlation 14\n"
        name = "created by cudaGraphAddKernelNode"
        self.assertEqual(count.of_sample("cuda_graphs_trace", sample)[name], 1)
        self.assertEqual(count.of_ours("cuda_graphs_trace", ours)[name], 1)

    def test_a_sample_that_fails_leaves_arithmetic(self):
        sample = "cudaMemcpy\t\t1\t2\t\t200000\tHostToDevice\nexit status 139\n"
        ours = ("call cudaMemcpy 1 2 200000 HostToDevice\n" * 2 + "call cudaMemcpy 1 2 200000 DeviceToHost\n"
                "call _Z3addIiEvPKT_S2_PS0_i 1 2 NA NA\n")
        self.assertTrue(count.compare("callback_timestamp", sample, sample, ours)[1])
        self.assertFalse(count.compare("callback_timestamp", sample, sample, "")[1])
        self.assertFalse(count.compare("callback_timestamp", sample, sample, ours + "exit status 1\n")[1])

    def test_launches_between_attaching_and_detaching(self):
        sample = ('RUNTIME [ 1, 2 ] duration 1, "cudaLaunchKernel_v7000", cbid 211, processId 1, threadId 1, correlationId 1\n'
                  'RUNTIME [ 1, 2 ] duration 1, "cudaStreamQuery_v3020", cbid 1, processId 1, threadId 1, correlationId 2\n'
                  "CUPTI detach completed.\n")
        ours = "runtime cudaLaunchKernel_v7000\nlost 0\ndetached\n"
        rows, good = count.compare("cupti_finalize", sample, sample, ours)
        self.assertTrue(good)
        self.assertIn(["cupti_finalize", "calls of cudaLaunchKernel", "1", "1", "yes"], rows)
        self.assertIn(["cupti_finalize", "detachments", "1", "1", "yes"], rows)

    def test_lines_of_user_code(self):
        source = "a\n// tracing begins\nb\n\n  // c\n  d\n// tracing ends\ne\n  // tracing begins\nf\n  // tracing ends\n"
        self.assertEqual(count.code_lines(source), 3)


if __name__ == "__main__":
    unittest.main()
