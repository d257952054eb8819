#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares how many records of each kind a sample of CUPTI printed with how many our program of the same job printed.

    count.py JOB SOURCE SAMPLE.txt SAMPLE_AGAIN.txt OURS.txt

prints rows `job | kind | sample | gpuprof | equal` and the lines of user code in SOURCE. Exit status 0 if all that is
compared is equal and the code is short enough. A kind in which two runs of the sample differ is named, and not compared."""
import re
import sys
from collections import Counter

MOST_LINES = 40

INTERVAL = r" \[ \d+, \d+ \] duration \d+, "
COPY = r' "\w+" \[ \d+, \d+ \] duration \d+, size '
# What follows the name of a kind where a sample prints a record of it. A name may stand after other text in its line: the
# samples print from several threads.
AFTER_KIND = {
    "MEMCPY": COPY,
    "MEMCPY2": COPY,
    "MEMSET": INTERVAL + "value ",
    "KERNEL": INTERVAL + '"',
    "CONCURRENT_KERNEL": INTERVAL + '"',
    "DRIVER": INTERVAL + '"',
    "RUNTIME": INTERVAL + '"',
    "INTERNAL_LAUNCH_API": INTERVAL + '"',
    "DEVICE": r" .* \[ \d+ \]$",
    "CONTEXT": " computeApiKind ",
    "NAME": r" (?:UNKNOWN|PROCESS|THREAD|DEVICE|CONTEXT|STREAM|<unknown>) .*name ",
    "MARKER": r" \[ \d+ \] id ",
    "MARKER_DATA": r" id \d+, color ",
    "OVERHEAD": r" [\w<>]+" + INTERVAL,
    "UNIFIED_MEMORY_COUNTER": INTERVAL + "counterKind ",
    "EXTERNAL_CORRELATION": " externalKind ",
    "MEMORY": INTERVAL + "size ",
    "MEMORY2": r" \[ \d+ \] memoryOperationType ",
    "MEMORY_POOL": r" \[ \d+ \] memoryPoolOperation ",
    "CUDA_EVENT": r" \[ \d+ \] contextId ",
    "STREAM": r" type \w+, priority ",
    "SYNCHRONIZATION": INTERVAL + "type ",
    "GRAPH_TRACE": INTERVAL + "correlationId ",
    "JIT": INTERVAL + "deviceId ",
    "NVLINK": " typeDev0 ",
}
SAMPLE_KINDS = {kind: re.compile(r"(?<![A-Z0-9_])" + kind + after, re.M) for kind, after in AFTER_KIND.items()}

# What a job finds out beyond records: a name, what the sample prints, what ours prints. A group makes names of their own.
FINDINGS = {
    "cupti_correlation": [("pairs", r"ACTIVITY CORRELATION : correlation \d+", r"^correlated \d+")],
    "cuda_graphs_trace": [("created by {}", r"created using API (\w+?)(?:_v\d+)? with correlationId \d+",
                           r"^created by (\w+?)(?:_v\d+)? ")],
    "callback_timestamp": [("{} of {} bytes {}", r"^(cuda\w+?)(?:_v\d+)?\t+\d+\t\d+\t\t(\d+)\t(\w+)$",
                            r"^call (\w+?)(?:_v\d+)? \d+ \d+ (\d+) (\w+)$"),
                           ("kernel", r"^_Z\w+\t+\d+\t\d+\t\tNA\tNA$", r"^call _Z\w+ \d+ \d+ NA NA$")],
    "cupti_finalize": [("detachments", r"CUPTI detach completed", r"^detached$"),
                       ("attachments", r"CUPTI attach completed", r"^attached$")],
}

# Kinds that do not depend on the program alone, and why.
NOT_COMPARED = {
    ("cupti_finalize", "RUNTIME"): "the program queries until it is time; launches are compared",
    ("cupti_finalize", "DRIVER"): "the same",
}
LAUNCHES = {"cupti_finalize"}


# What a job must give by arithmetic, where the sample itself fails on a machine.
BY_ARITHMETIC = {
    "callback_timestamp": {"cudaMemcpy of 200000 bytes HostToDevice": 2, "cudaMemcpy of 200000 bytes DeviceToHost": 1,
                           "kernel": 1},
    # The bursts after 0.5 s and 6.5 s: traced for 3 s, not for 3 s, and so on, until 9.5 s.
    "cupti_finalize": {"CONCURRENT_KERNEL": 200, "calls of cudaLaunchKernel": 200, "detachments": 2, "attachments": 1},
}
FAILED = re.compile(r"^exit status \d+$", re.M)


def phases(text, pattern):
    """How many correlations each phase has: `name: 1 2 3`."""
    counts = Counter()
    for name, numbers in re.findall(pattern, text, re.M):
        counts["phase " + name.lower()] += len(numbers.split())
    return counts


def of_sample(job, text):
    counts = Counter()
    for kind, pattern in SAMPLE_KINDS.items():
        found = len(pattern.findall(text))
        if found:
            counts[kind] = found
    for name, pattern, _ in FINDINGS.get(job, []):
        for match in re.finditer(pattern, text, re.M):
            counts[name.format(*match.groups())] += 1
    if job == "cupti_external_correlation":
        counts.update(phases(text, r"^External Id: \d+: (\w+?)_EXTERNAL_ID\n.*ids: (.*)$"))
        del counts["EXTERNAL_CORRELATION"]  # the same as the phases
    if job in LAUNCHES:
        counts["calls of cudaLaunchKernel"] = len(re.findall(r"RUNTIME" + INTERVAL + r'"(?:__)?cudaLaunchKernel_v\d+"', text))
    return counts


def of_ours(job, text):
    counts = Counter()
    for line in text.splitlines():
        word = re.match(r"[a-z][a-z0-9_]*(?=\s|$)", line)
        if word and word.group().upper() in AFTER_KIND:
            counts[word.group().upper()] += 1
    for name, _, pattern in FINDINGS.get(job, []):
        for match in re.finditer(pattern, text, re.M):
            counts[name.format(*match.groups())] += 1
    if job == "cupti_external_correlation":
        counts.update(phases(text, r"^phase (\w+): (.*)$"))
    if job in LAUNCHES:
        counts["calls of cudaLaunchKernel"] = len(re.findall(r"^runtime (?:__)?cudaLaunchKernel(?:_v\d+)?$", text, re.M))
    return counts


def code_lines(source):
    """Lines between `// tracing begins` and `// tracing ends`, without blank ones and comments."""
    counted, inside = 0, False
    for line in source.splitlines():
        text = line.strip()
        if text == "// tracing begins":
            inside = True
        elif text == "// tracing ends":
            inside = False
        elif inside and text and not text.startswith("//"):
            counted += 1
    return counted


def compare(job, sample, again, ours):
    """Rows of the table, and whether all that is compared is equal."""
    left, repeated, right = of_sample(job, sample), of_sample(job, again), of_ours(job, ours)
    rows, equal, compared = [], True, 0
    ours_failed = FAILED.search(ours)
    if ours_failed:
        rows.append([job, "-", "-", "-", "NO: ours ends with " + ours_failed.group()])
        equal = False
    sample_failed = FAILED.search(sample) or FAILED.search(again)
    if sample_failed:
        rows.append([job, "-", "-", "-", "not compared: the sample ends with " + sample_failed.group()])
        expected = Counter(BY_ARITHMETIC.get(job, {}))
        for kind in sorted(set(expected) | set(right)):
            same = right[kind] == expected[kind] if expected and (job, kind) not in NOT_COMPARED else None
            rows.append([job, kind, "-", str(right[kind]),
                         "not compared" if same is None else "yes, by arithmetic" if same else "NO, by arithmetic"])
            equal = equal and same is not False
        return rows, equal
    for kind in sorted(set(left) | set(repeated) | set(right)):
        row = [job, kind, str(left[kind]), str(right[kind])]
        if (job, kind) in NOT_COMPARED:
            row.append("not compared: " + NOT_COMPARED[job, kind])
        elif left[kind] != repeated[kind] and right[kind] not in (left[kind], repeated[kind]):
            row[2] = f"{left[kind]}, {repeated[kind]}"
            row.append("not compared: two runs of the sample differ")
        else:
            same = right[kind] in (left[kind], repeated[kind])
            row.append("yes" if same else "NO")
            equal = equal and same
            compared += 1
        rows.append(row)
    if compared == 0:
        waived = "Waiving sample" in sample
        rows.append([job, "-", "-", "-", "not compared: the sample says that this machine cannot" if waived
                     else "NO: nothing to compare"])
        equal = waived
    lost = sum(int(number) for number in re.findall(r"^lost (\d+)", ours, re.M))
    if lost:
        rows.append([job, "records lost", "-", str(lost), "NO"])
        equal = False
    return rows, equal


def main(job, source, *outputs):
    rows, good = compare(job, *(open(name, errors="replace").read() for name in outputs))
    for row in rows:
        print(" | ".join(row))
    lines = code_lines(open(source).read())
    print(f"{job} | lines of user code | at most {MOST_LINES} | {lines} | {'yes' if lines <= MOST_LINES else 'NO'}")
    return 0 if good and 0 < lines <= MOST_LINES else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
