// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `gpuprof run`: what it prints of a program's kernels and faults, in each format.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/wait.h>

#include "support/scratch_directory.hpp"

namespace command_test {

struct outcome {
    int status = -1;
    std::string printed; // the standard output
    std::string told;    // the standard error output
};

static std::string read(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}
static outcome run(std::string const& options, std::string const& arguments = {}) {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::string const command = std::string{"env -u GPUPROF_CHIP "} + GPUPROF_TEST_COMMAND + " " + options + " " +
                                arguments + " >" + at + "/out 2>" + at + "/err </dev/null";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(at + "/out"), read(at + "/err")};
}
static std::string const program = std::string{"-- "} + GPUPROF_TEST_PROGRAM;

static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a table of a line a kernel is told when the program ends, which has its output for itself") {
    outcome const of = run("run", program);
    CHECK(of.status == 0);
    CHECK(of.printed == "PASSED\n");
    CHECK(has(of.told, "embedded GPU: not hardware"));
    CHECK(has(of.told, "kernel  launches"));
    // Two launches of one warp each; ten threads of it load and store in two sectors: 40 bytes.
    CHECK(has(of.told, "\nscale          2"));
    CHECK(has(of.told, "exact: ld sectors/req."));
    CHECK(has(of.told, "modelled: time [ns]"));
    CHECK(has(of.told, "\napproximate: no branch and no address depends on"));
}

TEST_CASE("CSV has a line a kernel and the metrics that were asked for") {
    outcome const of = run("run --kernels csv --metrics "
                           "smsp__warps_launched.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                           program);
    CHECK(of.told == "range,count,smsp__warps_launched.sum [warp],"
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum [sector]\r\nscale,2,2,4\r\n");
}

TEST_CASE("JSON goes to a file, and says that the GPU is embedded") {
    scratch_directory const scratch;
    std::string const path = scratch.path() + "/kernels.json";
    outcome const of = run("run --kernels json --output " + path + " --chip gv100", program);
    CHECK(of.status == 0);
    CHECK(of.told.empty());
    std::string const text = read(path);
    CHECK(has(text, "\"chip\":\"GV100\""));
    CHECK(has(text, "\"source\":\"embedded\""));
    CHECK(has(text, "\"name\":\"scale\""));
    CHECK(has(text, "\"count\":2"));
}

TEST_CASE("a fault names kernel, block, thread, line, address and what lies beside it") {
    outcome const of = run("run --kernels none", program + " fault");
    CHECK(of.status == 1);
    CHECK(of.printed == "past the end: cudaErrorIllegalAddress\n");
    CHECK(has(of.told, "gpuprof: illegal address: kernel past_the_end, CTA (0, 0, 0), thread (10, 0, 0), PTX line"));
    CHECK(has(of.told, "0 bytes after the end of an allocation of 40 bytes at 0x"));
}

TEST_CASE("an unknown metric is told, and the others are there") {
    outcome const of = run("run --metrics gpu__time_duration.sum,sm__no_such_thing.sum", program);
    CHECK(of.status == 0);
    CHECK(has(of.told, "time [ns]"));
    CHECK(has(of.told, "incomplete: unknown metric"));
}

TEST_CASE("CSV leaves an unknown metric out, and that is told") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum,sm__no_such_thing.sum", program);
    CHECK(of.status == 0);
    CHECK(has(of.told, "gpuprof: unknown metric"));
    CHECK(has(of.told, "\r\nscale,2,2\r\n"));
}

TEST_CASE("an unknown chip, an unknown option and a missing program are told") {
    CHECK(has(run("run --chip gtx9", program).told, "there is no embedded GPU named \"gtx9\""));
    CHECK(run("run --colour red", program).status == 2);
    CHECK(has(run("run").told, "name the program"));
    CHECK(run("walk", program).status == 2);
}

TEST_CASE("with a row a launch, each has its configuration and its own values, in order") {
    std::string const options =
        "run --kernels csv --rows launches --metrics smsp__warps_launched.sum,dram__bytes_read.sum";
    std::string const heading = "range,count,smsp__warps_launched.sum [warp],dram__bytes_read.sum [byte]\r\n";
    std::string const launch = "\"scale<<<(1, 1, 1), (32, 1, 1)>>>\",1,1,";
    // Device memory is read by 64 bytes. The kernel reads 40 bytes, which the copy to the device left in L2, and a variable;
    // its launch 2,304 bytes, and 512 of code.
    std::string const first = launch + std::to_string(64 + 2304 + 512) + "\r\n";
    CHECK(run(options, program).told == heading + first + launch + "0\r\n");
    // The second kernel finds nothing of the first.
    std::string const cold = launch + std::to_string(128 + 2304 + 512) + "\r\n";
    CHECK(run(options + " --caches flush", program).told == heading + cold + cold);
    CHECK(run(options + " --caches=leave --rows=kernels", program).told == heading + "scale,2,2,2880\r\n");
}

TEST_CASE("a wrong word for rows or caches is told") {
    outcome const rows = run("run --rows blocks", program);
    CHECK(rows.status == 2);
    CHECK(has(rows.told, "--rows is kernels or launches, not blocks"));
    CHECK(has(run("run --caches cold", program).told, "--caches is leave or flush, not cold"));
}

TEST_CASE("an option takes its word after a blank or an equals sign") {
    CHECK(has(run("run --kernels=csv --metrics=smsp__warps_launched.sum", program).told, "\r\nscale,2,2\r\n"));
    CHECK(has(run("run --help").printed, "gpuprof run [OPTIONS]"));
    CHECK(has(run("run --check=leaks --check-exit-code=9", program).told, "gpuprof: leak: 40 bytes"));
}

TEST_CASE("what cannot be run is told with a shell's status") {
    outcome const none = run("run -- ./no_such_program");
    CHECK(none.status == 127);
    CHECK(none.told == "gpuprof: there is no program ./no_such_program\n");
    outcome const nowhere = run("run no_such_program");
    CHECK(nowhere.status == 127);
    CHECK(nowhere.told == "gpuprof: there is no program no_such_program\n");
    outcome const folder = run("run -- /tmp");
    CHECK(folder.status == 126);
    CHECK(has(folder.told, "/tmp is no program that can be run"));
}

TEST_CASE("a file that cannot be written, and one that nothing goes to, are told before the program runs") {
    outcome const unwritable = run("run --output /no/such/folder/kernels", program);
    CHECK(unwritable.status == 2);
    CHECK(unwritable.printed.empty());
    CHECK(has(unwritable.told, "/no/such/folder/kernels cannot be written"));
    outcome const unused = run("run --kernels none --output kernels", program);
    CHECK(unused.status == 2);
    CHECK(unused.printed.empty());
}

TEST_CASE("a program that ends by std::quick_exit has its table, and its status") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum", program + " quick");
    CHECK(of.status == 4);
    CHECK(has(of.told, "\r\nscale,2,2\r\n"));
}

TEST_CASE("checks tell how much they found, and the exit status says so if asked to") {
    outcome const good = run("run --kernels none --check all --check-exit-code 9", program);
    CHECK(good.status == 0);
    CHECK(good.told == "gpuprof: 0 findings, 0 cases\n");
    outcome const bad = run("run --kernels none --check all --check-exit-code 9", program + " fault");
    CHECK(bad.status == 9);
    CHECK(bad.printed == "past the end: cudaErrorIllegalAddress\n");
    CHECK(has(bad.told, "gpuprof: illegal address: kernel past_the_end"));
    CHECK(has(bad.told, "gpuprof: 1 findings, 1 cases\n"));
    CHECK(run("run --kernels none --check all", program + " fault").status == 1);
    outcome const leak = run("run --kernels json --check leaks", program);
    CHECK(has(leak.told, "gpuprof: leak: 40 bytes at 0x"));
    CHECK(has(leak.told, "\"findings\":[{\"kind\":\"leak\""));
    CHECK(has(run("run --check rases", program).told, "there is no check named \"rases\""));
}

TEST_CASE("the same without the command: a folder for LD_LIBRARY_PATH, and a variable") {
    scratch_directory const scratch;
    std::string const err = scratch.path() + "/err";
    std::string const command = std::string{"LD_LIBRARY_PATH=$("} + GPUPROF_TEST_COMMAND +
                                " --print-libraries) GPUPROF_KERNELS=csv " + GPUPROF_TEST_PROGRAM + " >/dev/null 2>" +
                                err;
    CHECK(std::system(command.c_str()) == 0);
    CHECK(has(read(err), "\r\nscale,2,"));
    CHECK(std::system(("GPUPROF_KERNEL_ROWS=blocks " + command).c_str()) == 0);
    CHECK(has(read(err), "GPUPROF_KERNEL_ROWS is launches or not set, and not blocks"));
    CHECK(has(read(err), "\r\nscale,2,"));
}

} // namespace command_test
