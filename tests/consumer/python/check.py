# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/python: what saxpy.py prints, a name that is wrong, an exception within the function."""
import contextlib
import io
import runpy

printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    saxpy = runpy.run_path("saxpy.py")
counters = saxpy["counters"]

# 3 launches of 4096 threads are 3 * 128 warps; each loads twice, 32 values of 4 bytes, which are 4 sectors of 32 bytes.
expected = {"smsp__warps_launched.sum": 384, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 768,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 3072}
lines = [line.split() for line in printed.getvalue().splitlines()]
assert [(line[0], line[1], float(line[2])) for line in lines] == [
    (name, metric, value) for name in ("step", "step/saxpy") for metric, value in expected.items()], lines
assert [line[3] for line in lines] == ["warp", "request", "sector"] * 2, lines

try:
    counters.measure(saxpy["step"], "smsp__warps_lanched.sum")
    raise SystemExit("a wrong name is no error")
except RuntimeError as why:
    assert "perhaps smsp__warps_launched" in str(why), why

try:
    counters.measure(lambda: 1 / 0, "smsp__warps_launched.sum")
    raise SystemExit("an exception is lost")
except ZeroDivisionError:
    pass
print("all of it holds")
