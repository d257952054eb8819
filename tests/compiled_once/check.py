#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One file of a program compiles the library, or the embedded GPU, for all others: without CMake, from one tree.

    check.py ROOT TREE COMPILER WORK     TREE: the folder include, or one of single files

Builds examples/hot_loop.cpp in each form and runs it on the embedded GPU; then makes the mistakes that a user can make and
demands what the linker must say of each. The define may come before the first include or after it: the compiler must read the same
either way, which is compared, so that one of them is compiled. Header-only programs are the tests consumer/embedded_gpu and
single_include/works.
"""
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

PRINTED = "smsp__warps_launched.sum                           131,072  warp"
FORMS = 5
MISTAKES = 7
ELSEWHERE = ["-DGPUPROF_HEADER_ONLY=0"]
FILES = {
    "library": "#define GPUPROF_IMPLEMENTATION\n#include <gpuprof/gpuprof.hpp>\n",
    "library_late": "#include <gpuprof/gpuprof.hpp>\n#define GPUPROF_IMPLEMENTATION\n#include <gpuprof/gpuprof.hpp>\n"
                    "#include <gpuprof/gpuprof.hpp>\n",
    "sim": "#define GPUPROF_SIM_IMPLEMENTATION\n#include <gpuprof/sim.hpp>\n",
    "sim_late": "#include <gpuprof/sim.hpp>\n#define GPUPROF_SIM_IMPLEMENTATION\n#include <gpuprof/sim.hpp>\n"
                "#include <gpuprof/sim.hpp>\n",
    "tracer": "#include <gpuprof/trace.hpp>\nint main() {}\n",
}


class Bench:
    def __init__(self, arguments):
        self.compiler, self.work = arguments.compiler, Path(arguments.work)
        self.root, self.tree = Path(arguments.root), Path(arguments.tree)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        for name, text in FILES.items():
            (self.work / f"{name}.cpp").write_text(text, encoding="utf-8")
        self.done, self.wrong = 0, []

    def compile(self, name, source, *options, tree=None):
        target = self.work / f"{name}.o"
        subprocess.run([self.compiler, "-std=c++20", "-Og", "-fPIC", f"-I{tree or self.tree}",
                        f"-I{self.root / 'examples'}", *options, "-c", str(source), "-o", str(target)], check=True)
        return target

    def file(self, name, *options, **more):
        return self.compile(name, self.work / f"{name}.cpp", *options, **more)

    def read(self, name, *options):
        """The words that the compiler reads of a file, in their order: what it makes code of."""
        return subprocess.run([self.compiler, "-std=c++20", f"-I{self.tree}", *options, "-E", "-P", str(self.work / f"{name}.cpp")],
                              capture_output=True, text=True, check=True).stdout.split()

    def same(self, what, first, second, *options):
        """Whether two files are the same code. What is short shows nothing: it has no definitions."""
        one, other = self.read(first, *options), self.read(second, *options)
        self.note(what, one == other and len(one) > 100000, f"{first}: {len(one)} words, {second}: {len(other)}")

    def link(self, *parts):
        """What the linker says, empty if all is well."""
        done = subprocess.run([self.compiler, *map(str, parts), "-o", str(self.work / "program"), "-pthread", "-ldl"],
                              capture_output=True, text=True, check=False, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"})
        return "" if done.returncode == 0 else done.stderr

    def works(self, what, *parts):
        said = self.link(*parts)
        if not said:
            done = subprocess.run([str(self.work / "program")], capture_output=True, text=True, check=False,
                                  env={"GPUPROF_DEVICE": "sim", "LD_LIBRARY_PATH": str(self.work)})
            said = "" if PRINTED in done.stdout else done.stdout + done.stderr
        self.note(what, not said, said)

    def refused(self, what, pattern, *parts):
        said = self.link(*parts)
        self.note(what, re.search(pattern, said) is not None, said)

    def note(self, what, good, said):
        self.done += 1
        print(f"{'ok   ' if good else 'WRONG'} {what}")
        if not good:
            self.wrong.append(what)
            print(said[-3000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("root", "tree", "compiler", "work"):
        parser.add_argument(name)
    bench = Bench(parser.parse_args())
    loop = bench.root / "examples/hot_loop.cpp"
    program = bench.compile("declared", loop, *ELSEWHERE)
    library, sim = bench.file("library", *ELSEWHERE), bench.file("sim", *ELSEWHERE)
    late, sim_late = (shutil.copy(each, bench.work / f"{each.stem}_late.o") for each in (library, sim))
    bench.works("compiled elsewhere, define first", program, library, sim)
    bench.same("the library, include first", "library", "library_late", *ELSEWHERE)
    bench.same("the embedded GPU, include first", "sim", "sim_late", *ELSEWHERE)
    bench.same("the embedded GPU in a header-only program, include first", "sim", "sim_late")
    shared = bench.work / "libonce.so"
    subprocess.run([bench.compiler, "-shared", str(library), str(sim), "-o", str(shared), "-pthread", "-ldl"], check=True)
    bench.works("compiled elsewhere, in a shared library", program, shared)

    library_advice = "define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_{}_hpp_or_link_gpuprof_compiled"
    sim_advice = "define_GPUPROF_SIM_IMPLEMENTATION_in_one_file_or_link_gpuprof_sim"
    core = library_advice.format("gpuprof")
    bench.refused("forgotten", f"undefined reference to .*{core}", program, sim)
    bench.refused("an opt-in header forgotten", f"undefined reference to .*{library_advice.format('trace')}",
                  bench.file("tracer", *ELSEWHERE), library)
    bench.refused("defined twice", f"multiple definition of .*{core}", program, library, sim, late)
    bench.refused("the embedded GPU forgotten", f"undefined reference to .*{sim_advice}", program, library)
    bench.refused("the embedded GPU defined twice", f"multiple definition of .*{sim_advice}", program, library, sim, sim_late)
    bench.refused("other exceptions", f"undefined reference to .*v0_noexcept.*{library_advice.format('trace')}",
                  bench.compile("noexcept", bench.work / "tracer.cpp", *ELSEWHERE, "-fno-exceptions"), library, sim)

    # The include folder finds the embedded GPU beside it; only declarations are needed here.
    newer = bench.work / "newer"
    shutil.copytree(bench.tree, newer)
    for header in newer.rglob("*.hpp"):
        text = header.read_text(encoding="utf-8")
        changed = text.replace("#define GPUPROF_VERSION_PATCH 0", "#define GPUPROF_VERSION_PATCH 1")
        if changed != text:
            header.write_text(changed, encoding="utf-8")
    bench.refused("another version", f"undefined reference to .*{library_advice.format('trace')}_[0-9]+_[0-9]+_1",
                  bench.compile("newer", bench.work / "tracer.cpp", *ELSEWHERE, tree=newer), library, sim)

    print(f"{bench.done} of {FORMS} forms and {MISTAKES} mistakes, {len(bench.wrong)} wrong")
    sys.exit(0 if bench.done == FORMS + MISTAKES and not bench.wrong else 1)


if __name__ == "__main__":
    main()
