#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_provided.py, without a GPU: what the programs print is made up."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare
import compare_provided

PROVIDED = """about,device,NVIDIA H200
device,device__attribute_warp_size,32
device,device__attribute_display_name,NVIDIA H200
refused,,device__attribute_sass_level,unavailable: neither, says the driver
refused,,device__attribute_numa_id,unavailable: no driver
launch,saxpy,launch__grid_size,4096
launch,saxpy,launch__waves_per_multiprocessor,3.8787878787878788
launch,saxpy,launch__func_cache_config,0
launch,saxpy,launch__occupancy_per_block_size,64
launch,gather,launch__grid_size,4097
launch,gather,launch__waves_per_multiprocessor,3.8787878787878788
launch,gather,launch__func_cache_config,0
launch,gather,launch__stream_id,7
instances,saxpy,launch__occupancy_per_block_size,1=32;2=64;
"""

NCU = """==PROF== Profiling "saxpy" - 0: 0%....100% - 1 pass
"ID","Kernel Name","device__attribute_display_name","device__attribute_sass_level","device__attribute_warp_size","launch__func_cache_config","launch__grid_size","launch__stream_id","launch__waves_per_multiprocessor"
"","","","","","","","",""
"0","warm","NVIDIA H200","7","32","CachePreferNone","1","7","0.01"
"1","saxpy","NVIDIA H200","7","32","CachePreferNone","4,096","n/a","3.88"
"2","gather","NVIDIA H200","7","32","CachePreferNone","4,096","n/a","3.88"
"""


class Compares(unittest.TestCase):
    def test_values_texts_and_what_is_missing(self):
        provided = compare_provided.Provided(PROVIDED)
        ncu = compare_provided.read_ncu(NCU, ["saxpy", "gather"])
        found = compare_provided.Comparison(provided, ncu)
        # warp size, name; grid size of saxpy; waves and cache preference of both
        self.assertEqual(found.equal, 7)
        self.assertEqual(found.different, ["launch__grid_size of gather: gpuprof 4097, ncu 4096"])
        self.assertEqual(found.only_ncu, ["device__attribute_sass_level: ncu 7; gpuprof: unavailable: neither, says the driver"])
        self.assertEqual(found.only_own, ["launch__stream_id of gather: 7"])
        self.assertEqual(provided.instances["saxpy", "launch__occupancy_per_block_size"], "1=32;2=64;")

    def test_refuses_what_is_no_table(self):
        with self.assertRaisesRegex(compare.Failure, "no table"):
            compare_provided.read_ncu("==ERROR== ERR_NVGPUCTRPERM\n", ["saxpy"])
        with self.assertRaisesRegex(compare.Failure, "3 kernels of 4"):
            compare_provided.read_ncu(NCU, ["a", "b", "c", "d"])


if __name__ == "__main__":
    unittest.main()
