// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One owner of an object that does not move. Layer: detail.
#ifndef GPUPROF_DETAIL_OWNED_HPP
#define GPUPROF_DETAIL_OWNED_HPP

#include <utility> // std::exchange

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// std::unique_ptr without <memory>, which brings 12,000 lines into a file (g++ 12). Making one may throw, as `new` does.
template <class T>
class owned {
public:
    owned() = default;
    owned(owned&& from) noexcept : object_{std::exchange(from.object_, nullptr)} {}
    owned& operator=(owned&& from) noexcept {
        std::swap(object_, from.object_);
        return *this;
    }
    ~owned() { delete object_; }

    // @pre it owns nothing
    T& make() { return *(object_ = new T{}); }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }
    [[nodiscard]] T* operator->() const noexcept { return object_; }
    [[nodiscard]] T& operator*() const noexcept { return *object_; }

private:
    T* object_ = nullptr;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_OWNED_HPP
