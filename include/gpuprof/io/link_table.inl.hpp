// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of link_table.hpp.
#ifndef GPUPROF_IO_LINK_TABLE_INL_HPP
#define GPUPROF_IO_LINK_TABLE_INL_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "aligned.hpp"
#include "link_table.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {
namespace detail {

// "GPU 1, port 12"; "switch 0000:05:00.0".
[[nodiscard]] inline std::string other_end(link_flow const& of) {
    std::string text{to_text(of.peer)};
    if (of.peer_device >= 0) (text += ' ') += std::to_string(of.peer_device);
    else if (!of.peer_bus_id.empty()) (text += ' ') += of.peer_bus_id;
    if (of.peer_port >= 0) text += ", port " + std::to_string(of.peer_port);
    return text;
}

} // namespace detail

GPUPROF_INLINE std::string table(link_traffic const& of) {
    if (of.flows.empty()) return {};
    std::vector<std::string> cells{"link",  "other end",      "sent bytes", "GB/s",
                                   "share", "received bytes", "GB/s",       "share"};
    double peak = 0;
    auto const add = [&cells, &of](bytes data, double peak_of_links) {
        double const bandwidth = (data / unit_cast<seconds>(of.time)).value();
        cells.push_back(gpuprof::detail::grouped_number(data.value()));
        cells.push_back(detail::short_number(bandwidth / 1e9));
        cells.push_back(peak_of_links > 0 ? detail::whole_share(bandwidth / peak_of_links) : std::string{"-"});
    };
    for (link_flow const& each : of.flows) {
        if (each.direction == link_direction::sent) {
            cells.push_back(std::to_string(each.link));
            cells.push_back(detail::other_end(each));
            peak += each.peak.value();
        }
        add(each.data, each.peak.value());
    }
    cells.insert(cells.end(), {"all", ""});
    for (auto const direction : {link_direction::sent, link_direction::received}) add(of.data(direction), peak);
    return "GPU " + std::to_string(of.device) + ", " + detail::short_duration(of.time.value()) + '\n' +
           detail::aligned(cells, "rlrrrrrr");
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_LINK_TABLE_INL_HPP
