// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared ownership of a constant object, for views that may outlive its source.
#ifndef GPUPROF_DETAIL_SHARED_HPP
#define GPUPROF_DETAIL_SHARED_HPP

#include <utility>

#include "builtin.hpp"
#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// std::shared_ptr<T const> without <memory>, which is expensive to include. Null after a move. Any
// thread may copy and destroy it.
template <class T>
class shared {
public:
    shared() = default;
    template <class... Args>
    [[nodiscard]] static shared make(Args&&... args) {
        shared owner;
        owner.held_ = new block{T{std::forward<Args>(args)...}, 1};
        return owner;
    }
    shared(shared const& other) noexcept : held_{other.held_} {
        if (held_ != nullptr) add_relaxed(held_->owners, 1u);
    }
    shared(shared&& other) noexcept : held_{std::exchange(other.held_, nullptr)} {}
    shared& operator=(shared other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~shared() {
        if (held_ != nullptr && subtract(held_->owners, 1u) == 0) delete held_;
    }

    [[nodiscard]] T const* get() const noexcept { return held_ != nullptr ? &held_->value : nullptr; }

private:
    struct block {
        T value;
        unsigned owners;
    };
    block* held_ = nullptr;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_SHARED_HPP
