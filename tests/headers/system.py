#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads gpuprof's headers and fails on one that speaks to the operating system, or to one compiler, in the wrong place.

    system.py INCLUDE_DIR     prints what is wrong; exit 1 if anything is
    system.py INCLUDE_DIR --plant DIR
                              copies the headers to DIR first and plants one mistake of each kind

The operating system is called in hw/machine/platform/ alone: no other header includes a system header or names a function
of one. What only some compilers know (builtins, attributes) stands in detail/builtin.hpp alone. Comments and the text of
string literals are not read.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

PLATFORM = "hw/machine/platform/"
# config.hpp lies below builtin.hpp and includes nothing: the attribute of what is compiled once stands there.
COMPILER = {"detail/builtin.hpp", "detail/config.hpp"}
FEWEST_HEADERS = 100

# The language's own headers have no suffix; NVTX is a library of headers, and mpi.h the MPI of whoever includes gpuprof/mpi.hpp.
SYSTEM_HEADER = re.compile(r"^\s*#\s*(?:include|include_next)\s*<((?!nvtx3/|gpuprof/|doctest/|gtest/|mpi\.h)[^>]+\.h)>", re.MULTILINE)

SYSTEM_NAMES = re.compile(r"""(?<!\w)(?:
    getenv|secure_getenv|setenv|unsetenv|putenv|environ
    |dlopen|dlmopen|dlsym|dlvsym|dlclose|dlinfo|dladdr1?|dlerror|dl_iterate_phdr|RTLD_\w+
    |f?opendir|readdir|closedir|scandir|mkdir|mkdirat|rmdir|mkstemp|mkdtemp|tmpfile|tmpnam
    |fopen|fdopen|freopen|fileno|popen|openat|unlink|unlinkat|rename|[fl]?stat(?=\s*\()|realpath|readlink|ftruncate|fsync
    |getpid|getppid|gettid|gete?[ug]id|fork|vfork|exec[lv]\w*|waitpid|sysconf|uname|gethostname
    |clock_gettime|clock_getres|clock_nanosleep|gettimeofday|nanosleep|usleep|timespec|CLOCK_\w+
    |mmap|munmap|mprotect|madvise|syscall|ioctl|sigaction|sched_\w+|pthread_\w+|sem_(?:init|wait|post)
    |_WIN32|_WIN64|__linux__|__APPLE__|__unix__|LoadLibrary\w*|GetProcAddress|GetEnvironmentVariable\w*
)(?!\w)""", re.VERBOSE)

COMPILER_NAMES = re.compile(r"(?<!\w)(?:__builtin_\w+|__atomic_\w+|__sync_\w+|__attribute(?:__)?|__declspec|__asm__|asm)(?!\w)"
                            r"|\[\[\s*(?:gnu|clang|msvc)::\w+")

# A comment, or a literal, of which the quotes stay; the name of one of gpuprof's headers is one.
SKIPPED = re.compile(r'<gpuprof/[^>\n]*>|//[^\n]*|/\*.*?\*/|R"([^\s()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def code_of(text):
    """The text without comments and literals, line by line where it was."""
    return SKIPPED.sub(lambda found: ("" if found[0].startswith("/") else '""') + "\n" * found[0].count("\n"), text)


def faults(header, text):
    """(line, what is wrong) for everything in a header that belongs elsewhere."""
    code = code_of(text)
    rules = []
    if not header.startswith(PLATFORM):
        rules += [(SYSTEM_HEADER, "includes <{}>: a system header, which only " + PLATFORM + " may"),
                  (SYSTEM_NAMES, "names {}, of an operating system, which only " + PLATFORM + " may")]
    if header not in COMPILER:
        rules += [(COMPILER_NAMES, "names {}, of some compilers, which only detail/builtin.hpp may")]
    for pattern, words in rules:
        for found in pattern.finditer(code):
            what = found[1] if pattern is SYSTEM_HEADER else found[0]
            yield code.count("\n", 0, found.start(found.lastindex or 0)) + 1, words.format(what)


# Where each mistake is planted, and what it is.
PLANTS = {
    "hw/counters/config_cache.hpp": "#include <sys/stat.h>",
    "hw/machine/device.inl.hpp": 'inline bool planted() { return std::getenv("HOME") != nullptr; }',
    "core/unit.hpp": "[[gnu::hot]] inline void planted() {}",
    "core/error.hpp": "inline void planted() { __builtin_trap(); }",
}


def plant(include_dir, into):
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(include_dir, into)
    for header, line in PLANTS.items():
        victim = Path(into, "gpuprof", header)
        victim.write_text(victim.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("include_dir")
    parser.add_argument("--plant", metavar="DIR")
    parser.add_argument("--also", metavar="DIR", action="append", default=[], help="sources that keep the same rules")
    arguments = parser.parse_args()
    if arguments.plant:
        plant(arguments.include_dir, arguments.plant)
        arguments.include_dir = arguments.plant
    base = Path(arguments.include_dir, "gpuprof")
    headers = {path.relative_to(base).as_posix(): path for path in sorted(base.rglob("*.hpp"))}
    for also in arguments.also:
        headers |= {path.as_posix(): path for path in sorted(Path(also).rglob("*.[hc]pp"))}
    # The rules are looked for where they must be found, too: a pattern that fits nothing finds nothing anywhere.
    wrong = own = 0
    for header, path in headers.items():
        text = path.read_text(encoding="utf-8")
        for line, words in faults(header, text):
            wrong += 1
            print(f"{header}:{line} {words}")
        if header.startswith(PLATFORM) or header in COMPILER:
            own += len(list(faults("elsewhere.hpp", text)))
    print(f"{len(headers)} headers read, {own} uses in their place, {wrong} elsewhere")
    sys.exit(1 if wrong or own == 0 or len(headers) <= FEWEST_HEADERS else 0)


if __name__ == "__main__":
    main()
