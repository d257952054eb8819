// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes what ranks send to each other: messages of their reports and of their collectives, which are read, written again as they
// are, and merged; and the trace of a rank, which is scanned and rewritten for the joint file.
//
//   ./run fuzz [SECONDS] ranks
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/io/rank_trace_part.hpp>
#include <gpuprof/rank_trace.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/ranks/collective_join.hpp>
#include <gpuprof/ranks/rank_message.hpp>

#include <unistd.h>

template <class Message>
static void read_message(std::string_view bytes) {
    Message found;
    if (!Message::read(bytes, found)) return;
    std::string const written = found.written();
    Message again;
    if (!Message::read(written, again) || again.written() != written) std::abort();
    Message all;
    all.merge(std::move(found));
    all.merge(std::move(again));
    static_cast<void>(all.written());
}

static void read_trace(std::string_view text) {
    namespace part = gpuprof::io::detail;
    static std::string const file = "/tmp/gpuprof_ranks_fuzz." + std::to_string(getpid());
    static int const removed = std::atexit([] { std::remove(file.c_str()); });
    static_cast<void>(removed);
    std::FILE* const to = std::fopen(file.c_str(), "wb");
    if (to == nullptr || std::fwrite(text.data(), 1, text.size(), to) != text.size()) std::abort();
    std::fclose(to);
    gpuprof::ranks::rank_clock const clock{};
    gpuprof::ranks::detail::trace_summary const all{};
    auto const scan = part::scan_part(file, clock, "nccl", 100, part::rank_processes{1, 2});
    if (scan.kernels.size() > 100) std::abort();
    std::string const place = "node";
    part::part_events events{file, scan, {1, 2, scan.base, 0, &place, &clock, &all}};
    for (std::string lines; events.next(lines, 4096); lines.clear())
        if (lines.empty()) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const bytes{reinterpret_cast<char const*>(data), size};
    read_message<gpuprof::ranks::detail::rank_message>(bytes);
    read_message<gpuprof::ranks::detail::trace_summary>(bytes);
    if (bytes.starts_with('{')) read_trace(bytes);
    return 0;
}
