// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counter_image.hpp"

#include <gpuprof/detail/hash.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::uint64_t counter_image_magic() noexcept {
    static std::uint64_t const magic = [] {
        std::uint64_t hash = gpuprof::detail::fnv1a(0x31444353'47505047, sizeof(counted)); // "GPPGSCD1"
        for (chip_model const* const model : chip_models) {
            hash = gpuprof::detail::fnv1a(hash, static_cast<std::uint64_t>(model->which()));
            hash = gpuprof::detail::fnv1a(hash, model->chip_name);
        }
        for (metric_row const& row : metric_rows) hash = gpuprof::detail::fnv1a(hash, row.name);
        return hash;
    }();
    return magic;
}

std::optional<range_finder> range_finder::make(counter_image& image) {
    range_finder found{image};
    for (std::uint64_t i = 0; i < image.header_.used_nodes; ++i) {
        auto const known = load<node>(image.node_at(i));
        if (!known.is_good(i)) return {};
        found.nodes_.emplace(key{known.parent, known.hash}, static_cast<std::uint32_t>(i + 1));
    }
    for (std::uint64_t i = 0; i < image.header_.used_ranges; ++i) {
        auto const at = load<std::uint32_t>(image.range_at(i));
        if (at >= image.header_.used_nodes) return {};
        found.ranges_.emplace(at + 1, static_cast<std::size_t>(i));
    }
    return found;
}

std::optional<std::size_t> range_finder::find_or_add(std::span<std::string const> stack) {
    std::uint32_t at = 0; // nodes are numbered from 1 here, 0 is the root
    std::size_t known = 0;
    for (; known < stack.size(); ++known) {
        auto const found = nodes_.find({at, node::hash_of(stack[known])});
        if (found == nodes_.end()) break;
        at = found->second;
    }
    if (known == stack.size())
        if (auto const found = ranges_.find(at); found != ranges_.end()) return found->second;
    counter_image::header& head = image_->header_;
    if (stack.empty() || head.used_ranges == head.ranges || stack.size() - known > head.nodes - head.used_nodes)
        return {};
    for (; known < stack.size(); ++known) {
        node const fresh{at, stack[known]};
        store(image_->node_at(head.used_nodes), fresh);
        at = static_cast<std::uint32_t>(++head.used_nodes);
        nodes_.emplace(key{fresh.parent, fresh.hash}, at);
    }
    store(image_->range_at(head.used_ranges), at - 1);
    auto const range = static_cast<std::size_t>(head.used_ranges++);
    ranges_.emplace(at, range);
    store(image_->bytes_, head);
    return range;
}

} // namespace sim
GPUPROF_NAMESPACE_END
