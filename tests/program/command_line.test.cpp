// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the command `gpuprof` beside `run`: wrong input, help, doctor, query, compare, trace.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <elf.h>
#include <sys/wait.h>

#include "support/scratch_directory.hpp"

namespace command_line_test {

struct outcome {
    int status = -1;
    std::string printed; // the standard output
    std::string told;    // the standard error output
};

static std::string read(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}
static void write(std::string const& path, std::string const& text) { std::ofstream{path} << text; }

static outcome gpuprof(std::string const& words, std::string const& variables = {}) {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::string const command = "env -u GPUPROF_CHIP -u GPUPROF_DEVICE " + variables + ' ' + GPUPROF_TEST_COMMAND +
                                ' ' + words + " >" + at + "/out 2>" + at + "/err </dev/null";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(at + "/out"), read(at + "/err")};
}
static std::string const program = std::string{" -- "} + GPUPROF_TEST_PROGRAM;

static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

static std::size_t widest_line(std::string const& text) {
    std::istringstream lines{text};
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
    return widest;
}

TEST_CASE("wrong words end with status 2 before the program starts, and the nearest right ones are offered") {
    struct wrong {
        char const* words;
        char const* told;
    };
    for (wrong const& each : {
             wrong{"run --check rases", "--check: there is no check named \"rases\"; perhaps races"},
             {"run --metrics dram__bytes_raed.sum", "perhaps dram__bytes_read.sum"},
             {"run --metrics achieved_occupency", "perhaps achieved_occupancy"},
             {"run --metrics warps_launched,memroy", "perhaps memory"},
             {"run --metrics smsp__inst_executed", "perhaps smsp__inst_executed.sum"},
             {"run --check-exit-code 256", "--check-exit-code is a number from 1 to 255, not 256"},
             {"run --check-exit-code abc", "not abc"},
             {"run --chip gtx9", "there is no embedded GPU named \"gtx9\"; there are: GF100"},
             {"run --metric x", "there is no option --metric; perhaps --metrics"},
             {"run --kernels cvs", "--kernels is text, csv, json or none, not cvs; perhaps csv"},
             {"trace --output trace.txt", "its ending says no format"},
             {"trace --kinds kernle", "no kind of activity records has this name"},
         }) {
        CAPTURE(each.words);
        outcome const of = gpuprof(each.words + program);
        CHECK(of.status == 2);
        CHECK(of.printed.empty()); // the program prints PASSED
        CHECK(has(of.told, each.told));
    }
    CHECK(has(gpuprof("doctr").told, "there is no command doctr; perhaps doctor"));
    CHECK(gpuprof("doctr").status == 2);
    CHECK(gpuprof("").status == 2);
    CHECK(has(gpuprof("query metrcs gh100").told, "perhaps metrics"));
}

TEST_CASE("a variable with a wrong word is refused as an option is") {
    outcome const of = gpuprof("run" + program, "GPUPROF_CHECK=rases");
    CHECK(of.status == 2);
    CHECK(has(of.told, "GPUPROF_CHECK: there is no check named"));
    CHECK(gpuprof("run" + program, "GPUPROF_KERNEL_METRICS=nothing").status == 2);
}

TEST_CASE("a short name is a column of the table, under the name that it stands for") {
    outcome const of = gpuprof("run --kernels csv --metrics warps_launched" + program);
    CHECK(of.told == "range,count,smsp__warps_launched.sum [warp]\r\nscale,2,2\r\n");
}

TEST_CASE("the name of a set stands for its metrics, among others, each once") {
    // Two launches, each with requests that load a factor, of one sector, and ten words, of two, and one that stores them.
    outcome const of = gpuprof("run --kernels csv --metrics coalescing,warps_launched,global_load_sectors" + program);
    CHECK(of.told == "range,count,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum [request],"
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum [sector],"
                     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum [request],"
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum [sector],smsp__warps_launched.sum [warp]\r\n"
                     "scale,2,4,6,2,4,2\r\n");
    std::string const bash = gpuprof("completion bash").printed, zsh = gpuprof("completion zsh").printed;
    for (std::string const set : {"memory", "compute", "occupancy", "coalescing", "shared_memory", "flaws"}) {
        CAPTURE(set);
        CHECK(has(gpuprof("query names " + set).printed, "sets::" + set));
        CHECK(gpuprof("run --kernels none --metrics " + set + program).status == 0);
        for (std::string const& completion : {bash, zsh}) CHECK(has(completion, set));
    }
}

TEST_CASE("version, help and the man page have every command and its exit statuses") {
    CHECK(gpuprof("--version").printed.starts_with("gpuprof "));
    outcome const all = gpuprof("help");
    outcome const page = gpuprof("help --man");
    CHECK(all.status == 0);
    for (char const* const name : {"run", "trace", "doctor", "query", "compare"}) {
        CAPTURE(name);
        CHECK(has(all.printed, std::string{"\n  "} + name));
        CHECK(has(page.printed, std::string{"\n.SS gpuprof "} + name));
        outcome const one = gpuprof(std::string{name} + " --help");
        CHECK(one.status == 0);
        CHECK(one.printed == gpuprof(std::string{"help "} + name).printed);
        CHECK(has(one.printed, "\nexit status\n"));
        CHECK(has(one.printed, "\n  2  "));
    }
    CHECK(has(page.printed, "\\fB\\-\\-check\\-exit\\-code\\fR \\fIN\\fR"));
    CHECK(gpuprof("help nothing").status == 2);
}

TEST_CASE("lines are as wide as COLUMNS says, and 100 columns at most") {
    for (char const* const words : {"help", "help run", "help query", "doctor --all",
                                    "query metric gh100 dram__bytes_read", "query metrics gh100 occupancy"}) {
        CAPTURE(words);
        CHECK(widest_line(gpuprof(words).printed) <= 100);
        CHECK(widest_line(gpuprof(words, "COLUMNS=500").printed) <= 100);
    }
    for (char const* const words : {"help", "help run", "help trace", "help query"}) {
        CAPTURE(words);
        CHECK(widest_line(gpuprof(words, "COLUMNS=80").printed) <= 80);
    }
}

TEST_CASE("the table of kernels has the columns that fit, and says which it leaves out") {
    outcome const narrow = gpuprof("run" + program, "COLUMNS=80");
    CHECK(narrow.status == 0);
    CHECK(widest_line(narrow.told.substr(0, narrow.told.find("approximate: "))) <= 80);
    // 6 + 8 + 9 + 6 + 5 + 11 + 14 characters and two blanks between them are 71; the next column has 15.
    CHECK(has(narrow.told, "kernel  launches  time [ns]  bound   block  warp instr.  threads/instr.\n"));
    CHECK(has(narrow.told, "\nnot shown: ld sectors/req., st sectors/req., bank conflicts, local instr., dram\n"
                           "  read [B], dram write [B], interval [ns]; gpuprof run --wide shows them\n"));
    CHECK(widest_line(gpuprof("run" + program).told) <= 100);
    CHECK(has(gpuprof("run --wide" + program, "COLUMNS=80").told, "  interval [ns]\n"));
    CHECK(has(
        gpuprof("run --metrics dram__bytes_read.sum,smsp__thread_inst_executed_pred_on.sum,smsp__warps_launched.sum" +
                    program,
                "COLUMNS=40")
            .told,
        "smsp__warps_launched.sum [warp]\n"));
}

TEST_CASE("nothing is coloured that goes to a file") { CHECK_FALSE(has(gpuprof("doctor").printed, "\x1b[")); }

TEST_CASE("bash takes the completion, and completes commands, options and their words") {
    auto const completes = [](std::string const& words, int at) {
        scratch_directory const scratch;
        std::string const out = scratch.path() + "/out";
        std::string const script = std::string{"source <("} + GPUPROF_TEST_COMMAND +
                                   " completion bash) && COMP_WORDS=(" + words + ") COMP_CWORD=" + std::to_string(at) +
                                   " && _gpuprof && echo ${COMPREPLY[@]}";
        CHECK(std::system(("bash -c '" + script + "' >" + out).c_str()) == 0);
        return read(out);
    };
    CHECK(completes("gpuprof do", 1) == "doctor\n");
    CHECK(completes("gpuprof run --ke", 2) == "--kernels\n");
    CHECK(completes("gpuprof run --kernels c", 3) == "csv\n");
    CHECK(completes("gpuprof query leg", 2) == "legacy\n");
    CHECK(completes("gpuprof help com", 2) == "compare completion\n");
    CHECK(gpuprof("completion fish").status == 2);
}

TEST_CASE("occupancy is found by its short name, in a list of metrics, too") {
    outcome const of = gpuprof("query metrics GH100 occupancy");
    CHECK(of.status == 0);
    CHECK(has(of.printed, "achieved_occupancy  sm__warps_active.avg.pct_of_peak_sustained_active\n"));
    CHECK(has(gpuprof("query names occupancy").printed, "achieved_occupancy"));
    CHECK(has(gpuprof("query metric gh100 achieved_occupancy").printed, "sm__warps_active.avg.pct_of_peak"));
    CHECK(has(gpuprof("query embedded gh100 achieved_occupancy").printed, "sm__warps_active  (counter, "));
}

TEST_CASE("metrics are listed without CUPTI, by chips in letters of any case") {
    std::string const nowhere = "GPUPROF_CUPTI_PATH=/nonexistent";
    CHECK(has(gpuprof("query metrics gh100 dram__bytes_read", nowhere).printed, "dram__bytes_read  (counter)\n"));
    CHECK(has(gpuprof("query chips", nowhere).printed, "GH100  capability 9.0, embedded GPU\n"));
    outcome const none = gpuprof("query passes gh100 smsp__inst_executed.sum", nowhere);
    CHECK(none.status == 1);
    CHECK(has(none.told, "CUPTI could not be loaded"));
    outcome const typo = gpuprof("query metric gh100 dram__bytes_raed");
    CHECK(typo.status == 1);
    CHECK(has(typo.told, "perhaps dram__bytes_read"));
    CHECK(has(gpuprof("query metrics gh10").told, "perhaps GH100"));
}

TEST_CASE("events are those of the embedded GPU that is chosen") {
    outcome const domains = gpuprof("query domains --chip 5.2");
    CHECK(domains.status == 0);
    CHECK(has(domains.printed, " instances counted\n"));
    CHECK(has(gpuprof("query events warps_launched --chip 5.2").printed, "warps_launched ("));
    CHECK(has(gpuprof("query derived achieved_occupancy --chip 5.2").printed, "achieved_occupancy: "));
    CHECK(has(gpuprof("query legacy gld_efficiency").printed, "capability 5.x"));
}

TEST_CASE("the doctor's findings are JSON, with the status of the text") {
    outcome const of = gpuprof("doctor --json", "GPUPROF_DEVICE=sim:gv100");
    CHECK(of.status == 0);
    CHECK(has(of.printed, "{\"ready\":true,\"findings\":[\n{\"severity\":\"ok\",\"about\":\"device\""));
    CHECK(has(of.printed, "embedded GPU (GV100, compute capability 7.0)"));
    outcome const none = gpuprof("doctor", "GPUPROF_CUDA_PATH=/nonexistent");
    CHECK(none.status == 1);
    CHECK(has(none.printed, "OBSTACLE driver: "));
    CHECK(has(none.printed, "gpuprof run"));
    CHECK(gpuprof("doctor", "GPUPROF_DEVICE=sim:nothing").status == 2);
}

TEST_CASE("the doctor reads a program: a shared runtime is fine, and what is no program is told") {
    outcome const of = gpuprof(std::string{"doctor "} + GPUPROF_TEST_PROGRAM);
    CHECK(has(of.printed, "On the embedded GPU, by gpuprof run: it can run.\n"));
    CHECK(has(of.printed, "the CUDA runtime 13 as a shared library"));
    CHECK(of.status == 0);
    CHECK(gpuprof("doctor /no/such/program").status == 2);
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/cut";
    write(file, read(GPUPROF_TEST_PROGRAM).substr(0, 70));
    CHECK(gpuprof("doctor " + file).status == 2);
    write(file, "#!/bin/sh\n");
    CHECK(has(gpuprof("doctor " + file).printed, "a script"));
}

// A program for Linux with sections of that content. As elf(5) and, for GPU code, src/sim/image/fat_binary.hpp have it.
struct made_section {
    std::string name;
    std::string content;
};
template <class T>
static void put(std::string& to, T number) {
    to.append(reinterpret_cast<char const*>(&number), sizeof number);
}
static std::string made_program(std::vector<made_section> sections) {
    std::string names(1, '\0');
    std::vector<Elf64_Shdr> headers(1);
    std::string content(sizeof(Elf64_Ehdr), '\0');
    sections.push_back({".shstrtab", ""});
    for (made_section& each : sections) {
        Elf64_Shdr header{};
        header.sh_type = SHT_PROGBITS;
        header.sh_name = static_cast<Elf64_Word>(names.size());
        names += each.name + '\0';
        if (each.name == ".shstrtab") each.content = names;
        header.sh_offset = content.size();
        header.sh_size = each.content.size();
        content += each.content;
        headers.push_back(header);
    }
    Elf64_Ehdr header{};
    std::copy_n(ELFMAG, SELFMAG, header.e_ident);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_EXEC;
#if defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#else
    header.e_machine = EM_X86_64;
#endif
    header.e_shoff = content.size();
    header.e_shnum = static_cast<Elf64_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
    for (Elf64_Shdr const& each : headers) put(content, each);
    content.replace(0, sizeof header, reinterpret_cast<char const*>(&header), sizeof header);
    return content;
}
// A container of one image: PTX (1) or machine code (2).
static std::string container(std::uint16_t kind, std::uint32_t target, std::uint64_t flags = 0,
                             std::string const& image = "xxxxxxxx") {
    std::string text;
    put(text, std::uint32_t{0xba55ed50});
    put(text, std::uint16_t{1});
    put(text, std::uint16_t{16});
    put(text, std::uint64_t{64 + 8});
    std::string entry(64, '\0');
    std::memcpy(entry.data(), &kind, sizeof kind);
    std::uint32_t const header = 64;
    std::uint64_t const bytes = 8;
    std::memcpy(entry.data() + 4, &header, sizeof header);
    std::memcpy(entry.data() + 8, &bytes, sizeof bytes);
    std::memcpy(entry.data() + 28, &target, sizeof target);
    std::memcpy(entry.data() + 40, &flags, sizeof flags);
    return text + entry + image;
}

TEST_CASE("the doctor tells of a program: static runtime, no PTX, PTX for later GPUs, damage") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/app";
    auto const examined = [&](std::string const& content, std::string const& options = {}) {
        write(file, content);
        return gpuprof("doctor " + options + ' ' + file, "COLUMNS=100");
    };
    outcome const static_runtime = examined(made_program({{".nv_fatbin", container(1, 80)}}));
    CHECK(static_runtime.status == 1);
    CHECK(has(static_runtime.printed, "by gpuprof run: it cannot run."));
    CHECK(has(static_runtime.printed, "OBSTACLE runtime: NVIDIA's runtime is linked statically"));
    CHECK(has(static_runtime.printed, "remedy: build it with nvcc -cudart shared"));
    CHECK(has(static_runtime.printed, "ok       GPU code: PTX for 8.0 runs on GH100"));
    CHECK(has(examined(made_program({{".nv_fatbin", container(2, 86)}})).printed,
              "OBSTACLE GPU code: no PTX, only machine code for 8.6"));
    std::string const later = made_program({{".nv_fatbin", container(1, 80) + container(1, 80)}});
    CHECK(has(examined(later, "--chip gv100").printed,
              "OBSTACLE GPU code: its PTX is for 8.0, later than GV100, capability 7.0"));
    CHECK(has(examined(later, "--json").printed, "{\"ready\":false,\"findings\":[\n{\"severity\":\"obstacle\""));
    // Each compiled file has a container, and a kernel of any of them may be launched.
    outcome const one_later =
        examined(made_program({{".nv_fatbin", container(1, 70) + container(1, 80)}}), "--chip gv100");
    CHECK(one_later.status == 1);
    CHECK(has(one_later.printed, "OBSTACLE GPU code: in 1 of 2 compiled files, its PTX is for 8.0, later than GV100"));
    CHECK(has(examined(made_program({{".nv_fatbin", container(1, 80) + container(2, 80)}})).printed,
              "OBSTACLE GPU code: in 1 of 2 compiled files, no PTX, only machine code for 8.0"));
    // What nvcc links without kernels needs nothing.
    CHECK(has(examined(made_program({{".nv_fatbin", container(2, 75, 0, ELFMAG "none") + container(1, 80)}})).printed,
              "ok       GPU code: PTX for 8.0 runs on GH100"));
    // Files that are linked with each other (-rdc=true) lie in a section of their own; of them, the linked machine code.
    CHECK(has(examined(made_program({{".nv_fatbin", container(2, 80)},
                                     {"__nv_relfatbin", container(1, 80) + container(1, 121)}}))
                  .printed,
              "ok       GPU code: PTX for 8.0, 12.1 runs on GH100"));
    std::string const whole = later;
    for (std::size_t const size : {std::size_t{20}, std::size_t{64}, whole.size() / 2, whole.size() - 1}) {
        CAPTURE(size);
        outcome const cut = examined(whole.substr(0, size));
        CHECK(cut.status == 2);
        CHECK(cut.told.starts_with("gpuprof: "));
    }
}

static std::string baseline(std::string const& range, int value) {
    return R"({"gpuprof_baseline": 1, "device": "paper", "chip": "GH100", "source": "embedded", "ranges": {")" + range +
           R"(": {"smsp__inst_executed.sum": {"value": )" + std::to_string(value) +
           R"(, "unit": "instruction", "fidelity": "exact"}}}})";
}

TEST_CASE("baselines are compared, file by file or folder by folder, and what got worse is the status") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    for (char const* const folder : {"/before", "/after", "/after/deep", "/before/deep"})
        std::filesystem::create_directory(at + folder);
    write(at + "/before/one.json", baseline("one", 100));
    write(at + "/after/one.json", baseline("one", 100));
    write(at + "/before/deep/two.json", baseline("two", 100));
    write(at + "/after/deep/two.json", baseline("two", 150));
    write(at + "/after/new.json", baseline("new", 7));
    write(at + "/after/recording.json", "{}");
    outcome const folders = gpuprof("compare " + at + "/before " + at + "/after");
    CHECK(folders.told.empty());
    CHECK(folders.status == 1);
    CHECK(has(folders.printed, "3 values: 1 worse, 0 better, 0 changed, 1 added, 0 removed"));
    CHECK(has(folders.printed, "| two | `smsp__inst_executed.sum` | 100 | 150 |"));
    CHECK(gpuprof("compare " + at + "/before/one.json " + at + "/after/one.json").status == 0);
    CHECK(gpuprof("compare " + at + "/before " + at + "/after/one.json").status == 2);
    CHECK(gpuprof("compare " + at + "/before/one.json").status == 2);
    CHECK(gpuprof("compare --tolerance many " + at + "/before " + at + "/after").status == 2);
    write(at + "/after/one.json", "{\"gpuprof_baseline\":1,");
    CHECK(gpuprof("compare " + at + "/before " + at + "/after").status == 2);
}

TEST_CASE("trace sets what the embedded driver and the library of the trace need") {
    outcome const of = gpuprof("trace --on embedded --output t%p.json -- env", "GPUPROF_KERNELS=text");
    CHECK(of.status == 0);
    CHECK(has(of.printed, "libgpuprof_injection.so\n"));
    CHECK(has(of.printed, "\nNVTX_INJECTION64_PATH=/"));
    CHECK(has(of.printed, "\nCUDA_INJECTION64_PATH=/"));
    CHECK(has(of.printed, "/embedded-cuda"));
    CHECK(has(of.printed, "/t%p.json\n"));
    CHECK_FALSE(has(of.printed, "\nGPUPROF_KERNELS="));
    CHECK(gpuprof("trace -- ./no_such_program").status == 127);
    outcome const nowhere = gpuprof("trace --on gpu -- true", "GPUPROF_CUDA_PATH=/nonexistent");
    CHECK(nowhere.status == 0); // the program's
    CHECK(has(nowhere.told, "no GPU works here, so nothing will be recorded; gpuprof doctor says why\n"));
}

} // namespace command_line_test
