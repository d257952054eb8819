// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of the program's own for all that a thread has CUDA do meanwhile: the number of a request, of a step, of a job.
#ifndef GPUPROF_TRACE_EXTERNAL_ID_HPP
#define GPUPROF_TRACE_EXTERNAL_ID_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>

#include "../core/result.hpp"
#include "../hw/machine/status.hpp"
#include "external_kind.hpp"
#include "tracer.hpp"

GPUPROF_NAMESPACE_BEGIN

// While it lives, calls of CUDA that this thread makes have the id, and so has what they start:
//
//     gpuprof::external_id const handled{trace, gpuprof::external_kind::custom0, request.number};
//     ...
//     batch.visit([&](activity::kernel const& it) { count[batch.external_id_of(it, external_kind::custom0)]++; });
//
// Ids of a kind nest: the innermost counts. Those of different kinds stand side by side. The tracer need not ask for any kind
// of record beside those that are looked at; from the first id on it has the records of calls made (0.7 us a launch on an
// H200), as with scopes. Never throws. Neither copied nor moved nor heap-allocated, since the id is the thread's.
// @pre the tracer does not end before it. CUPTI 12.0, 2.3.6.
class [[nodiscard]] external_id {
public:
    template <class Kinds>
    [[nodiscard]] external_id(tracer<Kinds>& trace, external_kind kind, std::uint64_t id) noexcept
        : session_{trace.session_.get()}, kind_{static_cast<abi::CUpti_ExternalCorrelationKind>(kind)} {
        if (session_ != nullptr) status_ = session_->push_id(kind_, id);
    }
    ~external_id() {
        if (session_ != nullptr && status_ == abi::CUPTI_SUCCESS) session_->pop_id(kind_);
    }

    external_id(external_id const&) = delete;
    external_id& operator=(external_id const&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;

    // Whether calls have the id. Errors: invalid_state for a tracer that has ended; invalid_argument for the kind that the
    // tracer's scopes have; what CUPTI says of the push, or why it could not be made to tell (trace_batch::unknown_scopes()).
    [[nodiscard]] result<void> status() const {
        if (session_ == nullptr) return detail::refused_after_end();
        if (session_->is_of_scopes(kind_))
            return error{errc::invalid_argument, 0, "an external id of the kind that the tracer's scopes have",
                         "CUPTI would give calls the one or the other",
                         "use another kind, or give scopes another one: tracer_options::scope_kind"};
        if (status_ != abi::CUPTI_SUCCESS) return hw::explain("cuptiActivityPushExternalCorrelationId", status_);
        return {};
    }

private:
    detail::trace_session* session_;
    abi::CUpti_ExternalCorrelationKind kind_;
    abi::CUptiResult status_ = abi::CUPTI_SUCCESS;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_EXTERNAL_ID_HPP
