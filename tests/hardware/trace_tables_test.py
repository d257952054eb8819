#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trace_versions.py and trace_frameworks.py on outputs written here."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import trace_frameworks
import trace_versions

NEW = """cupti 130001
kind concurrent_kernel accepted
count concurrent_kernel 14
count graph_nodes 10
count memcpy 6
count memset 1
count runtime 60
count driver 500
lost 0 undecoded 0 without_time 0
exit status 0
"""
OLD = "cupti 10\nkind memcpy refused: too old\nrefused: too old\nexit status 3\n"


class Versions(unittest.TestCase):
    def test_equal_numbers_and_a_release_that_says_what_it_cannot(self):
        other = NEW.replace("driver 500", "driver 400")  # calls of the driver are not compared
        lines, good = trace_versions.table([("10.2", OLD), ("11.8", other), ("13.0", NEW)])
        self.assertTrue(good)
        self.assertIn("CUPTI 10.2 refuses everything: too old", lines)
        self.assertIn("driver | - | 400 | 500 | not compared", lines)

    def test_a_different_number_is_seen(self):
        self.assertFalse(trace_versions.table([("11.8", NEW.replace("memcpy 6", "memcpy 5")), ("13.0", NEW)])[1])

    def test_releases_before_11_8_may_have_fewer(self):
        old = NEW.replace("concurrent_kernel 14", "concurrent_kernel 0")
        self.assertTrue(trace_versions.table([("11.7", old), ("13.0", NEW)])[1])

    def test_a_crash_and_lost_records_are_failures(self):
        for bad in (OLD.replace("status 3", "status 139"), NEW.replace("lost 0", "lost 2")):
            self.assertFalse(trace_versions.table([("11.2", bad), ("13.0", NEW)])[1])
        self.assertFalse(trace_versions.table([("13.0", "")])[1])


def event(name, category, correlation, **arguments):
    return {"ph": "X", "name": name, "cat": category, "args": {"correlation": correlation, **arguments}}


TRACE = {"traceEvents": [event("foo", "kernel", 1, mangled="_Z3fooi"), event("foo", "kernel", 2, mangled="_Z3fooi"),
                         event("gemm", "kernel", 3), event("copy host to device", "copy", 4),
                         event("cudaLaunchKernel", "runtime", 1), event("cuLaunchKernelEx", "driver", 3)]}
SAID = "gpuprof: wrote 12 events to /a/b.json\nends well\n"
LINES = "kernel _Z3fooi\nkernel _Z3fooi\nkernel gemm\nends well\n"


def compare(expected, trace, said):
    return trace_frameworks.compare("it", expected, trace, said)[1]


class Frameworks(unittest.TestCase):
    def test_names_and_numbers_of_kernels(self):
        self.assertTrue(compare(trace_frameworks.of_lines(LINES), TRACE, SAID))
        self.assertFalse(compare(trace_frameworks.of_lines(LINES + "kernel more\n"), TRACE, SAID))
        self.assertFalse(compare(trace_frameworks.of_lines(""), {"traceEvents": []}, SAID))

    def test_names_as_torch_writes_them(self):
        own = {"traceEvents": [{"ph": "X", "cat": "kernel", "name": "foo(int)"}] * 2 +
               [{"ph": "X", "cat": "kernel", "name": "gemm"}, {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD"}]}
        self.assertTrue(compare(trace_frameworks.of_torch(own), TRACE, SAID))
        del own["traceEvents"][-1]
        self.assertFalse(compare(trace_frameworks.of_torch(own), TRACE, SAID))

    def test_a_launch_without_its_kernel_is_seen(self):
        trace = {"traceEvents": TRACE["traceEvents"] + [event("__cudaLaunchKernel", "runtime", 9)]}
        self.assertFalse(compare(trace_frameworks.of_lines(LINES), trace, SAID))

    def test_losses_and_an_early_end_are_seen(self):
        lines = trace_frameworks.of_lines(LINES)
        self.assertFalse(compare(lines, TRACE, SAID.replace("json", "json; 5 lost for want of buffers")))
        self.assertFalse(compare(lines, TRACE, SAID.replace("ends well", "Segmentation fault")))
        self.assertFalse(compare(lines, TRACE, "ends well"))


if __name__ == "__main__":
    unittest.main()
