// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `gpuprof run`: what it prints of a program's kernels and faults, in each format.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.hpp"
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
// Without the command: variables, and the libraries' folder in LD_LIBRARY_PATH.
static std::string libraries_folder() {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/folder";
    REQUIRE(std::system((std::string{GPUPROF_TEST_COMMAND} + " --print-libraries >" + file).c_str()) == 0);
    std::string const folder = read(file);
    return folder.substr(0, folder.find('\n'));
}
static outcome run_plain(std::string const& set, std::string const& command) {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    int const status = std::system(("env -u GPUPROF_CHIP LD_LIBRARY_PATH=" + libraries_folder() + " " + set + " " +
                                    command + " >" + at + "/out 2>" + at + "/err </dev/null")
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(at + "/out"), read(at + "/err")};
}
static std::string const program = std::string{"-- "} + GPUPROF_TEST_PROGRAM;

static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

static std::size_t times(std::string const& text, std::string const& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_CASE("--devices: as many GPUs of the chip, with peer access and copies between them") {
    outcome const two = run("run --devices 2 --kernels none", program + " devices");
    CHECK(two.printed == "PASSED\n");
    CHECK(two.status == 0);
    CHECK(has(two.told, "memory of device 1, to which device 0 has no peer access"));
    outcome const old = run("run --devices 2 --chip gp100 --kernels none", program + " devices");
    CHECK(old.printed == "PASSED\n");
    outcome const one = run("run --kernels none", program + " devices");
    CHECK(one.status == 1);
    CHECK(has(one.printed, "can access: cudaErrorInvalidDevice"));
    for (char const* const wrong : {"0", "17", "two"}) {
        CAPTURE(wrong);
        CHECK(run(std::string{"run --devices "} + wrong, program).status == 2);
        outcome const set = run_plain(std::string{"GPUPROF_SIM_DEVICES="} + wrong, GPUPROF_TEST_PROGRAM);
        CHECK(set.status == 2);
        CHECK(has(set.told, "1 to 16 embedded GPUs"));
    }
}

TEST_CASE("a table of a line a kernel is told when the program ends, which has its output for itself") {
    outcome const of = run("run", program);
    CHECK(of.status == 0);
    CHECK(of.printed == "PASSED\n");
    CHECK(has(of.told, "embedded GPU: not hardware"));
    CHECK(has(of.told, "kernel  launches"));
    // Two launches of one warp each; ten threads of it load and store in two sectors: 40 bytes.
    CHECK(has(of.told, "\nscale          2"));
    CHECK(has(of.told, "exact: block"));
    CHECK(has(of.told, "modelled: time [ns], bound"));
    CHECK_FALSE(has(of.told, "approximate"));
}

TEST_CASE("beside the time of a kernel stands what decided it, with the interval in the last column") {
    // Kernels of a warp take little more than a launch does.
    outcome const wide = run("run --wide", program);
    CHECK(has(wide.told, "  bound   block"));
    CHECK(has(wide.told, "  launch "));
    CHECK(has(wide.told, "  interval [ns]\n"));
    CHECK(has(wide.told, " to "));
    // Not without the time.
    outcome const other = run("run --metrics smsp__warps_launched.sum", program);
    CHECK_FALSE(has(other.told, "bound"));
    CHECK_FALSE(has(other.told, "interval"));

    std::string const all = run("run --kernels json", program).told;
    auto const after = [&](std::string const& what) {
        std::size_t const at = all.find(what);
        REQUIRE(at != all.npos);
        return std::stod(all.substr(at + what.size()));
    };
    std::string const of = "\"times\":[{\"name\":\"scale\",\"low\":";
    double const low = after(of);
    double const likely = after(",\"likely\":"), high = after(",\"high\":");
    CHECK(2 * 1540 <= likely); // two launches of 1.54 us at least, as an H200 takes
    CHECK(low < likely);
    CHECK(likely < high);
    CHECK(has(all, ",\"bound\":\"launch\",\"decided_by\":{\"launch\":"));
    CHECK(after("\"decided_by\":{\"launch\":") == likely);
}

TEST_CASE(
    "under the table stands what is bad, or in a line what was looked for, and what the embedded GPU does not see") {
    outcome const clean = run("run", program);
    CHECK(has(clean.told, "\nnot found: uncoalesced global loads, uncoalesced global stores, bank conflicts"));
    CHECK(has(clean.told, "\nspills are not seen here: ask ptxas -v\n"));
    outcome const strided = run("run", program + " strided");
    CHECK(has(strided.told, "\nuncoalesced global stores:\n  strided: 32 sectors per request, where 4 would do"));
    CHECK(has(strided.told, "\n  advice: let neighbouring threads of a warp access neighbouring addresses"));
    CHECK_FALSE(has(strided.told, "uncoalesced global loads"));
    CHECK_FALSE(has(run("run --kernels csv", program + " strided").told, "uncoalesced"));
}

TEST_CASE("low occupancy is told of kernels whose blocks fill the GPU, and of no others") {
    // Of blocks with 48 KiB of shared memory and one warp, an SM of 228 KiB holds four: 6.25 % of 64 warps, and less while they
    // begin and end. There are 132 SMs.
    outcome const full = run("run", program + " few 528");
    CHECK(has(full.told, "\nlow occupancy:\n  scale: 5."));
    outcome const small = run("run", program + " few 527");
    CHECK(has(small.told, "not found: "));
    CHECK_FALSE(has(small.told, "low occupancy"));
}

TEST_CASE("a row is a range of NVTX, by domain, with all that its thread launched within") {
#ifndef GPUPROF_TEST_NVTX_PROGRAM
    MESSAGE("skipped: no nvtx3/nvToolsExt.h was found");
#else
    std::string const nvtx_program = std::string{"-- "} + GPUPROF_TEST_NVTX_PROGRAM;
    outcome const of = run("run --rows ranges --kernels csv --metrics smsp__warps_launched.sum", nvtx_program);
    CHECK(of.told == "range,count,smsp__warps_launched.sum [warp]\r\n(no range),3,3\r\nepoch,4,4\r\n"
                     "epoch/w\u00e4rm \u20ac \U0001f600,4,4\r\nloader:batch,2,2\r\nthread,1,1\r\n");
    CHECK(has(run("run --rows ranges", nvtx_program).told, "\nrange"));
    // Ranges of the process have the launches of all threads.
    CHECK(run("run --rows ranges --kernels csv --metrics smsp__warps_launched.sum", nvtx_program + " started").told ==
          "range,count,smsp__warps_launched.sum [warp]\r\n(no range),2,2\r\nload,2,2\r\n"
          "loader:work,1,1\r\na,2,2\r\nb,2,2\r\n");
    // Without the option NVTX finds no tool, and a tool that is not asked for ranges takes no calls.
    CHECK(has(run("run --kernels csv --metrics smsp__warps_launched.sum", nvtx_program).told, "\r\nscale,8,8\r\n"));
    outcome const other =
        run_plain("GPUPROF_KERNELS=csv GPUPROF_KERNEL_METRICS=smsp__warps_launched.sum NVTX_INJECTION64_PATH=" +
                      libraries_folder() + "/libcuda.so.1",
                  GPUPROF_TEST_NVTX_PROGRAM);
    CHECK(has(other.told, "\r\nscale,8,8\r\n"));
#endif
}

TEST_CASE("in a trace without a GPU a range of NVTX is a scope, to which kernels belong") {
#ifndef GPUPROF_TEST_NVTX_PROGRAM
    MESSAGE("skipped: no nvtx3/nvToolsExt.h was found");
#else
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/t.ndjson";
    outcome const of = run("trace --on embedded --output " + file, std::string{"-- "} + GPUPROF_TEST_NVTX_PROGRAM);
    CHECK(of.status == 0);
    std::string const records = read(file), inner = "w\u00e4rm \u20ac \U0001f600";
    struct scope {
        std::string name, path;
        std::size_t count, launches;
    };
    for (scope const& each : {scope{"epoch", "epoch", 1, 0},
                              {inner, "epoch/" + inner, 2, 2},
                              {"loader:batch", "epoch/" + inner + "/loader:batch", 2, 2},
                              {"thread", "thread", 1, 1}}) {
        CAPTURE(each.path);
        CHECK(times(records, ",\"name\":\"" + each.name + "\",\"start\":") == each.count);
        std::size_t launches = 0; // a line of the table: kernel, count, ..., scope
        std::istringstream lines{of.told};
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("scale ") && line.ends_with("  " + each.path)) launches += std::stoul(line.substr(6));
        CHECK(launches == each.launches);
    }
    CHECK(has(of.told, "\nscope ")); // the table by scope, as a GPU has it by range
    std::string const of_loader = "\nepoch/" + inner + "/loader:batch ";
    std::size_t const line = of.told.rfind(of_loader);
    REQUIRE(line != std::string::npos);
    CHECK(std::stoul(of.told.substr(line + of_loader.size())) == 2); // kernels

    // Ranges that were started: each is a scope of the thread that started it.
    outcome const started =
        run("trace --on embedded --output " + file, std::string{"-- "} + GPUPROF_TEST_NVTX_PROGRAM + " started");
    CHECK(started.status == 0);
    auto const kernels_of = [&](std::string const& path) {
        std::size_t const at = started.told.rfind("\n" + path + "  ");
        return at == std::string::npos ? 0 : std::stoul(started.told.substr(at + 1 + path.size()));
    };
    CHECK(kernels_of("a") == 1); // those of b are in its own line
    CHECK(kernels_of("a/b") == 2);
#endif
}

TEST_CASE("a program that launches no kernel has a line instead of a table") {
    outcome const of = run("run", program + " idle");
    CHECK(of.status == 0);
    CHECK(of.told == "gpuprof: no kernel ran\n");
}

TEST_CASE("CSV has a line a kernel and the metrics that were asked for") {
    outcome const of = run("run --kernels csv --metrics "
                           "smsp__warps_launched.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                           program);
    CHECK(of.told == "range,count,smsp__warps_launched.sum [warp],"
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum [sector]\r\nscale,2,2,4\r\n");
}

TEST_CASE("the table has the threads of a block, unless the launches of a kernel differ in them") {
    std::string const heading = "range,count,gpu__time_duration.sum [ns],launch__block_size [thread],";
    auto const line_of = [&](std::string const& options, std::string const& how) {
        outcome const of = run("run --kernels csv" + options, program + how);
        CHECK(of.told.starts_with(heading));
        std::size_t const end = of.told.rfind("\r\n", of.told.size() - 3);
        return of.told.substr(end + 2); // of the last kernel, or the last launch
    };
    // The fourth cell; the time before it has no comma.
    auto const block_of = [](std::string const& line, std::string const& name) {
        std::size_t from = name.size() + 1;
        for (int i = 0; i < 2; ++i) from = line.find(',', from) + 1;
        return line.substr(from, line.find(',', from) - from);
    };
    CHECK(block_of(line_of("", ""), "scale") == "32");
    CHECK(block_of(line_of("", " blocks"), "scale") == "");
    CHECK(block_of(line_of(" --rows launches", " blocks"), "\"scale<<<(1, 1, 1), (64, 1, 1)>>>\"") == "64");
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

TEST_CASE("a setting that means nothing ends the program before it begins, with status 2") {
    struct row {
        char const* set;
        char const* words;
    };
    constexpr row rows[]{
        {"GPUPROF_CHECK=rases", "there is no check named \"rases\""},
        {"GPUPROF_CHECK=rases", "perhaps races"},
        {"GPUPROF_CHECK=memory,leak", "perhaps leaks"},
        {"GPUPROF_CHECK_EXIT_CODE=0", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=256", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=512", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=-1", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=999999999999", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=abc", "a number from 1 to 255"},
        {"GPUPROF_CHECK_EXIT_CODE=1x", "a number from 1 to 255"},
        {"GPUPROF_KERNEL_METRICS=dram__bytes_raed.sum", "perhaps dram__bytes_read.sum"},
        {"GPUPROF_KERNEL_METRICS=gpu__time_duration.sum,dram__bytes_read", "perhaps dram__bytes_read.sum"},
        {"GPUPROF_KERNEL_METRICS=nvlrx__bytes.sum", "the embedded GH100 does not model nvlrx__bytes"},
        {"GPUPROF_KERNELS=cvs:kernels", "perhaps csv"},
        {"GPUPROF_KERNEL_ROWS=blocks", "GPUPROF_KERNEL_ROWS is launches, ranges or not set"},
        {"GPUPROF_KERNEL_CACHES=cold", "GPUPROF_KERNEL_CACHES is flush or not set"},
        {"GPUPROF_KERNEL_FILE=apend", "perhaps append"},
        {"GPUPROF_MACHINE_CODE=binry", "perhaps binary"},
        {"GPUPROF_CHIP=gtx9", "there is no embedded GPU named \"gtx9\""},
    };
    for (auto const& each : rows) {
        outcome const of = run_plain(each.set, GPUPROF_TEST_PROGRAM);
        INFO(std::string{each.set}, " ", of.told);
        CHECK(of.status == 2);
        CHECK(of.printed.empty()); // not even the program's main() began
        CHECK(has(of.told, each.words));
    }
    for (char const* const number : {"1", "255"})
        CHECK(run_plain(std::string{"GPUPROF_CHECK_EXIT_CODE="} + number, GPUPROF_TEST_PROGRAM).status == 0);
}

TEST_CASE("an exit handler launches kernels, and leaves the program's memory alone") {
    outcome const of = run("run --kernels none", program + " handler");
    CHECK(of.status == 0);
    CHECK(of.printed == "PASSED\nlate: launched, 0 bytes changed\n");
}

TEST_CASE("who asks for the driver's internal tables is told what to do: a library of kernels, a program") {
    outcome const library = run("run --kernels none", program + " library " + GPUPROF_TEST_KERNEL_LIBRARY);
    CHECK(library.printed == "801\n"); // CUDA_ERROR_NOT_SUPPORTED
    CHECK(has(library.told, "this program uses libcublas.so.99, a library of NVIDIA's"));
    CHECK_FALSE(has(library.told, "-cudart shared"));
    outcome const itself = run("run --kernels none", program + " tables");
    CHECK(itself.printed == "801\n");
    CHECK(has(itself.told, "hand_made_program asks for internal tables of NVIDIA's driver"));
    CHECK(has(itself.told, "nvcc -cudart shared"));
}

TEST_CASE("an unknown metric is told before the program runs") {
    outcome const of = run("run --metrics gpu__time_duration.sum,sm__no_such_thing.sum", program);
    CHECK(of.status == 2);
    CHECK(of.printed.empty());
    CHECK(has(of.told, "gpuprof: --metrics: unknown metric: sm__no_such_thing.sum"));
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
    CHECK(has(rows.told, "--rows is kernels, launches or ranges, not blocks"));
    CHECK(has(run("run --caches cold", program).told, "--caches is leave or flush, not cold"));
    CHECK(has(run("run --machine-code sass", program).told, "--machine-code is estimate, binary or compile, not sass"));
}

TEST_CASE("a table says whose instructions are those of machine code, if one asks") {
    std::string const told = run("run --machine-code binary", program).told; // the program has PTX alone
    CHECK(has(told, "instructions of 0 kernels are those of machine code; of 1 kernel they are"));
    CHECK(!has(run("run", program).told, "of machine code"));
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

// Runs it with a terminal as its standard error output. @return what the terminal got, and the program's output
static std::pair<std::string, std::string> run_on_terminal(std::string const& words) {
    scratch_directory const scratch;
    int const terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(::grantpt(terminal) == 0);
    REQUIRE(::unlockpt(terminal) == 0);
    int const other_end = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY); // so that reading it is no error yet
    REQUIRE(other_end >= 0);
    std::string shown;
    std::thread reader{[&] {
        char part[4096];
        for (ssize_t count = 0; (count = ::read(terminal, part, sizeof part)) > 0;)
            shown.append(part, static_cast<std::size_t>(count));
    }};
    int const status =
        std::system((std::string{"env -u GPUPROF_CHIP TERM=xterm GPUPROF_SIM_THREADS=1 "} + GPUPROF_TEST_COMMAND + ' ' +
                     words + " >" + scratch.path() + "/out 2>" + ::ptsname(terminal) + " </dev/null")
                        .c_str());
    ::close(other_end); // then the reader gets an error after the last text
    reader.join();
    ::close(terminal);
    CHECK(status == 0);
    return {shown, read(scratch.path() + "/out")};
}

TEST_CASE("a kernel that runs for more than two seconds shows its progress on a terminal, which is gone when it ends") {
    constexpr char line[] = "\rgpuprof: a kernel on the embedded GPU: ";
    if (sanitized) {
        MESSAGE("skipped: a kernel that takes seconds takes minutes under a sanitizer");
        return;
    }
    std::string const many = "12000000"; // 5 s on one core of a Xeon
    auto const [shown, printed] = run_on_terminal("run --kernels none " + program + " long " + many);
    CHECK(printed == "PASSED\n");
    REQUIRE(has(shown, line));
    CHECK(has(shown, " of " + many + " blocks, "));
    CHECK(has(shown, " s left\x1b[K"));
    CHECK(shown.ends_with("\r\x1b[K"));
    CHECK(run_on_terminal("run --kernels none " + program).first.empty()); // short kernels
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
    CHECK(has(bad.told, "gpuprof: 1 finding, 1 case\n"));
    CHECK(run("run --kernels none --check all", program + " fault").status == 1);
    outcome const leak = run("run --kernels json --check leaks", program);
    CHECK(has(leak.told, "gpuprof: leak: 40 bytes at 0x"));
    CHECK(has(leak.told, "\"findings\":[{\"kind\":\"leak\""));
}

TEST_CASE("machine code is refused with what to do, once") {
    outcome const done = run("run --kernels none", program + " 'machine code'");
    CHECK(done.status == 0);
    CHECK(times(done.told, "holds machine code") == 1);
    CHECK(has(done.told, "remedy: give NVRTC --gpu-architecture=compute_90"));
}

TEST_CASE("Triton finds the driver and an assembler that passes PTX on") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::ofstream{at + "/k.ptx"} << ".version 8.7\n";
    outcome const done =
        run("run --kernels none", "-- sh -c '\"$TRITON_PTXAS_PATH\" -v --opt-level 0 --gpu-name=sm_90a " + at +
                                      "/k.ptx -o " + at +
                                      "/k.cubin && \"$TRITON_PTXAS_BLACKWELL_PATH\" --version && ls "
                                      "\"$TRITON_LIBCUDA_PATH/libcuda.so.1\"'");
    CHECK(done.status == 0);
    CHECK(read(at + "/k.cubin") == std::string{".version 8.7\n\0", 14});
    CHECK(has(done.printed, "release 12.8"));
    CHECK(has(done.printed, "/embedded-cuda/libcuda.so.1"));
    outcome const nothing = run("run --kernels none", "-- sh -c '\"$TRITON_PTXAS_PATH\" -v'");
    CHECK(nothing.status == 2);
    CHECK(has(nothing.told, "name a file of PTX"));
}

TEST_CASE("the same without the command: a folder for LD_LIBRARY_PATH, and a variable") {
    scratch_directory const scratch;
    std::string const err = scratch.path() + "/err";
    std::string const command = std::string{"LD_LIBRARY_PATH=$("} + GPUPROF_TEST_COMMAND +
                                " --print-libraries) GPUPROF_KERNELS=csv " + GPUPROF_TEST_PROGRAM + " >/dev/null 2>" +
                                err;
    CHECK(std::system(command.c_str()) == 0);
    CHECK(has(read(err), "\r\nscale,2,"));
}

TEST_CASE("the exit status of a finding changes after everything of the program is destroyed: nothing that it keeps is "
          "lost") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/data.txt";
    outcome const of = run("run --kernels none --check all --check-exit-code 9", program + " keep " + file);
    CHECK(of.status == 9);
    CHECK(of.printed == "kept by std::cout\n");
    CHECK(read(file) == "first line\nlast line\n");
    CHECK(run("run --kernels none --check all", program + " keep " + file).status == 0);
}

TEST_CASE("kernels of a global object's destructor are in the table, and their findings change the status") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum --check memory --check-exit-code 9",
                           program + " late");
    CHECK(of.status == 9);
    CHECK(of.printed == "PASSED\n");
    CHECK(has(of.told, "gpuprof: 1 finding, 1 case\n"));
    CHECK(has(of.told, "\r\nscale,3,3\r\n"));
}

TEST_CASE("a program that empties its environment has its table and its status all the same") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum --check all --check-exit-code 9",
                           program + " clearenv");
    CHECK(of.status == 9);
    CHECK(of.printed == "PASSED\n");
    CHECK(has(of.told, "gpuprof: 1 finding, 1 case\n"));
    CHECK(has(of.told, "\r\nscale,2,2\r\n"));
}

TEST_CASE("the child of a fork that only exits tells nothing, and its status is its own") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum --check leaks --check-exit-code 9",
                           program + " child"); // which fails if the child's status is not 0
    CHECK(of.status == 9);
    CHECK(of.printed == "PASSED\n");
    CHECK(times(of.told, "\r\nscale,2,2\r\n") == 1);
    CHECK(times(of.told, "1 finding, ") == 1);
}

TEST_CASE("the child of a fork that only exits ends, whatever other threads did at that moment") {
    if (address_sanitized) {
        MESSAGE("skipped: at the end of a process, a child too, LeakSanitizer waits for threads that a child has not");
        return;
    }
    outcome const of = run("run --kernels csv", program + " fork");
    CHECK(of.printed == "0 children hang\n");
}

TEST_CASE("the file has the tables of all programs that the command ran, and none of an earlier run") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/kernels.csv";
    std::string const script =
        std::string{"-- sh -c '"} + GPUPROF_TEST_PROGRAM + "; " + GPUPROF_TEST_PROGRAM + "; true'";
    for (int i = 0; i < 2; ++i) {
        CHECK(run("run --kernels csv --metrics smsp__warps_launched.sum --output " + file, script).status == 0);
        CHECK(read(file) == "range,count,smsp__warps_launched.sum [warp]\r\nscale,2,2\r\nscale,2,2\r\n");
    }
    CHECK(run("run --kernels json --output " + file, script).status == 0);
    CHECK(times(read(file), "\n") == 2); // a line of JSON each
    // Without the command, a process replaces the file, and %p is its number.
    std::string const set = "GPUPROF_KERNEL_METRICS=smsp__warps_launched.sum GPUPROF_KERNELS=csv:" + scratch.path();
    for (int i = 0; i < 2; ++i) CHECK(run_plain(set + "/kernels.csv", GPUPROF_TEST_PROGRAM).status == 0);
    CHECK(read(file) == "range,count,smsp__warps_launched.sum [warp]\r\nscale,2,2\r\n");
    for (int i = 0; i < 2; ++i) CHECK(run_plain(set + "/of-%p.csv", GPUPROF_TEST_PROGRAM).status == 0);
    CHECK(scratch.files() == 3);
}

TEST_CASE("a table that its file has no room for is told on standard error, and the status says so") {
    outcome const of = run("run --kernels csv --metrics smsp__warps_launched.sum --output /dev/full", program);
    CHECK(of.status == 2);
    CHECK(of.printed == "PASSED\n");
    CHECK(has(of.told, "gpuprof: the table of kernels: /dev/full: No space left on device"));
    CHECK(has(of.told, "\r\nscale,2,2\r\n"));
    outcome const failed = run("run --kernels csv --output /dev/full", program + " fault");
    CHECK(failed.status == 1); // the program's own
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/kernels.csv";
    // A process that writes more than its limit ends by a signal. Its other files are a pipe, which has none.
    outcome const limited =
        run_plain("GPUPROF_KERNELS=csv:" + file,
                  std::string{"sh -c '{ ulimit -f 0; "} + GPUPROF_TEST_PROGRAM + " 2>&1; echo status $?; } | cat'");
    CHECK(has(limited.printed, "\r\nscale,2,"));
    CHECK(has(limited.printed, "status 2\n"));
    CHECK(read(file).empty());
}

TEST_CASE("a program with rights that its user lacks writes no file where the user says") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can make such a program");
        return;
    }
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::string const libraries = libraries_folder();
    auto const does = [](std::string const& command) { return std::system(command.c_str()) == 0; };
    // Where nobody can read the libraries, they are loaded from a copy.
    REQUIRE(does("chmod 755 " + at + " && cp -rL " + libraries + " " + at + "/embedded-cuda && cp " +
                 GPUPROF_TEST_PROGRAM + " " + at + "/program && chmod 4755 " + at + "/program && chmod -R a+rX " + at));
    {
        std::ofstream secret{at + "/secret"};
        secret << "secret";
    }
    REQUIRE(does("chmod 600 " + at + "/secret"));
    std::string const as_nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
    if (!does(as_nobody + "test -x " + at + "/program")) {
        MESSAGE("skipped: nobody cannot run programs here");
        return;
    }
    static_cast<void>(
        does(as_nobody + "env GPUPROF_KERNELS=csv:" + at + "/secret " + at + "/program >" + at + "/out 2>&1"));
    INFO(read(at + "/out"));
    CHECK(read(at + "/secret") == "secret");
}

} // namespace command_test
