// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples instructions by scope.
#ifndef GPUPROF_SAMPLE_PC_SCOPES_HPP
#define GPUPROF_SAMPLE_PC_SCOPES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "../measure/scope.hpp"
#include "pc_sampler.hpp"
#include "pc_scope_report.hpp"

GPUPROF_NAMESPACE_BEGIN

// Samples instructions scope by scope. Kernels run one at a time, since samples of continuous mode
// do not name their launch. At each end of a scope it waits for the context and fetches the
// samples, so that a scope has exactly the samples of its own launches.
//
//     gpuprof::pc_scopes scopes = gpuprof::pc_scopes::try_open(gpu).value();
//     { gpuprof::scope solve{scopes, "solve"}; run(); }
//     std::cout << gpuprof::io::table(scopes.try_finish().value());
//
// Cost: two waits and two fetches a scope, some 100 us each. Scopes nest, on the thread that opened
// the sampler; those of other threads are counted and ignored. try_finish() returns the errors of
// scopes' ends. Move-only; no scope may be open while it is moved.
class pc_scopes : public scope_target {
public:
    // Errors: those of pc_sampler::try_open; invalid_argument for a mode other than
    // kernel_serialized, and for ranges.
    [[nodiscard]] static result<pc_scopes> try_open(device const& gpu, pc_sampling_options options = serialized()) {
        if (options.mode != pc_sampling_mode::kernel_serialized || options.ranges)
            return error{errc::invalid_argument, 0, "samples of scopes",
                         options.ranges ? "ranges are what scopes are here"
                                        : "continuous samples do not tell of which launch they are",
                         "begin with pc_scopes::serialized() and change the rest"};
        auto sampler = pc_sampler::try_open(gpu, options);
        if (!sampler) return std::move(sampler).error();
        return result<pc_scopes>{pc_scopes{*std::move(sampler)}};
    }
    // The options that scopes need.
    [[nodiscard]] static pc_sampling_options serialized() {
        pc_sampling_options options;
        options.mode = pc_sampling_mode::kernel_serialized;
        return options;
    }

    pc_scopes(pc_scopes&& other) noexcept : scope_target{std::move(other)}, state_{std::move(other.state_)} {}
    pc_scopes& operator=(pc_scopes&&) = delete;
    ~pc_scopes() = default;

    // Ends sampling. Errors: the first error of a scope's end; invalid_state while a scope is open;
    // those of pc_sampler::try_finish.
    [[nodiscard]] result<pc_scope_report> try_finish() {
        if (state_->failure) return *state_->failure;
        if (state_->exhausted)
            return error{errc::unavailable, 0, "samples of scopes", "memory ran out at an end of a scope", "free some"};
        if (!state_->open.empty())
            return error{errc::invalid_state, 0, "finishing samples of scopes", "a scope is open", "close it first"};
        arm(false);
        auto rest = state_->sampler.try_finish();
        if (!rest) return std::move(rest).error();
        if (auto merged = state_->report.scopes[0].samples.try_merge(*rest); !merged) return std::move(merged).error();
        return state_->report;
    }

    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept {
        return state_->sampler.configuration();
    }

private:
    struct state {
        pc_sampler sampler;
        pc_scope_report report{};
        std::vector<std::size_t> open{}; // indices of the report's scopes, outermost first
        std::optional<error> failure{};
        bool exhausted = false; // no memory at an end of a scope
        std::size_t owner = platform::this_thread();

        // The samples since the last border belong to the innermost open scope.
        void fetch() {
            if (failure) return;
            auto taken = sampler.try_take();
            if (!taken) {
                failure.emplace(std::move(taken).error());
                return;
            }
            std::size_t const here = open.empty() ? 0 : open.back();
            if (auto merged = report.scopes[here].samples.try_merge(*taken); !merged) failure.emplace(merged.error());
        }
        [[nodiscard]] std::size_t number(std::string_view name) {
            std::string path = open.empty() ? std::string{} : report.scopes[open.back()].path + '/';
            path += name;
            for (std::size_t i = 1; i < report.scopes.size(); ++i)
                if (report.scopes[i].path == path) return i;
            report.scopes.push_back({std::move(path), 0, sampler.none()});
            return report.scopes.size() - 1;
        }
    };

    explicit pc_scopes(pc_sampler sampler) : scope_target{enter, leave}, state_{new state{std::move(sampler)}} {
        state_->report.scopes.push_back({{}, 0, state_->sampler.none()});
        arm(true);
    }

    static constexpr std::uint64_t left_out = 0;
    static ticket enter(scope_target& target, scope_name name) noexcept {
        state& in = *static_cast<pc_scopes&>(target).state_;
        if (in.owner != platform::this_thread()) {
            static_cast<void>(detail::add_relaxed(in.report.ignored, 1));
            return {0, left_out};
        }
#if GPUPROF_EXCEPTIONS
        try {
#endif
            in.open.reserve(in.open.size() + 1);
            in.fetch();
            std::size_t const number = in.number({name.data, name.length()});
            ++in.report.scopes[number].count;
            in.open.push_back(number);
            return {0, in.open.size()};
#if GPUPROF_EXCEPTIONS
        } catch (...) { // no memory
            in.exhausted = true;
            return {0, left_out};
        }
#endif
    }
    static void leave(scope_target& target, scope_name, ticket given) noexcept {
        if (given.token == left_out) return;
        state& in = *static_cast<pc_scopes&>(target).state_;
#if GPUPROF_EXCEPTIONS
        try {
            in.fetch();
        } catch (...) {
            in.exhausted = true;
        }
#else
        in.fetch();
#endif
        in.open.pop_back();
    }

    std::unique_ptr<state> state_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PC_SCOPES_HPP
