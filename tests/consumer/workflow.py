# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what examples/unit_test/ci.yml says, as a runner of GitHub would, in a project that is examples/unit_test:

    workflow.py SOURCE PREFIX SCRATCH      PREFIX: where gpuprof is installed already

Not run: what fetches from a network, and the build of gpuprof, of which only the options are looked at. Exit: 0, 1, or 77 without
PyYAML.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: there is no PyYAML (Debian: python3-yaml)")
    sys.exit(77)

source, prefix, scratch = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(scratch, ignore_errors=True)
workflow = yaml.safe_load((source / "examples/unit_test/ci.yml").read_text(encoding="utf-8"))
assert workflow[True] == ["push", "pull_request"], "YAML 1.1 reads the key `on` as true"
job = workflow["jobs"]["counters"]
steps = {step["name"]: step for step in job["steps"] if "run" in step}
assert all("uses" in step or "run" in step for step in job["steps"]), job

options = set(re.findall(r"-D(GPUPROF_\w+)=", steps["Install gpuprof"]["run"]))
declared = set(re.findall(r"option\((GPUPROF_\w+)", (source / "CMakeLists.txt").read_text(encoding="utf-8")))
assert options and options <= declared, f"options that gpuprof does not have: {options - declared}"


def git(*words, folder):
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def baseline(folder, value):
    text = {"gpuprof_baseline": 1, "device": "paper", "chip": "GH100", "source": "embedded", "ranges": {
        "saxpy": {"smsp__inst_executed.sum": {"value": value, "unit": "instruction", "fidelity": "exact"}}}}
    (folder / "baselines").mkdir(exist_ok=True)
    (folder / "baselines/saxpy.GH100.embedded.json").write_text(json.dumps(text), encoding="utf-8")


# The branch that a pull request goes to, and the checkout of the pull request.
origin, checkout, temporary = scratch / "origin", scratch / "checkout", scratch / "temporary"
shutil.copytree(source / "examples/unit_test", origin)
baseline(origin, 1000)
git("init", "--initial-branch=main", folder=origin)
git("add", "--all", folder=origin)
git("commit", "--message=all", folder=origin)
git("clone", str(origin), str(checkout), folder=scratch)
(checkout / "gpuprof-installed").symlink_to(prefix)
summary = scratch / "summary.md"


def run(name):
    """The step's exit status, as the runner gets it: by bash -e."""
    script = steps[name]["run"].replace("${{ github.base_ref }}", "main")
    assert "${{" not in script, script
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    git("worktree", "prune", folder=checkout)
    variables = {**os.environ, **workflow["env"], "RUNNER_TEMP": str(temporary), "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], cwd=checkout,
                          env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{name}: status {done.returncode}\n{done.stdout[-2000:]}")
    return done.returncode


assert run("Build") == 0
assert run("Test") == 0
assert run("Compare with the other branch") == 0, "nothing changed"
summary.unlink()
baseline(checkout, 1200)
assert run("Compare with the other branch") == 1, "20 % more instructions pass"
table = summary.read_text(encoding="utf-8")
assert "| saxpy" in table and "1,200" in table.replace("1200", "1,200"), table
shutil.rmtree(checkout / "baselines")
assert run("Compare with the other branch") == 0, "a project without baselines fails"
