// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unique owner of an object that does not move.
#ifndef GPUPROF_DETAIL_OWNED_HPP
#define GPUPROF_DETAIL_OWNED_HPP

#include <utility>

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// std::unique_ptr without <memory>, which brings 12,000 lines into a file (g++ 12).
template <class T>
class owned {
public:
    owned() = default;
    // Takes over an object that `new` gave.
    explicit owned(T* object) noexcept : object_{object} {}
    // An owner of a derived class's object. @pre T has a virtual destructor
    template <class Derived>
        requires requires(Derived* from, T*& to) { to = from; }
    owned(owned<Derived>&& from) noexcept : object_{from.release()} {}
    owned(owned&& from) noexcept : object_{from.release()} {}
    owned& operator=(owned&& from) noexcept {
        std::swap(object_, from.object_);
        return *this;
    }
    ~owned() { delete object_; }

    // Creates the object; throws what `new` throws. @pre it owns nothing
    T& make() { return *(object_ = new T{}); }
    void reset() noexcept { delete release(); }
    [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }
    [[nodiscard]] T* operator->() const noexcept { return object_; }
    [[nodiscard]] T& operator*() const noexcept { return *object_; }

private:
    T* object_ = nullptr;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_OWNED_HPP
