// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of texts that end with a digest: a fuzzer's text as it is, and once more with the digest that it would have.
#ifndef GPUPROF_TESTS_FUZZ_SEALED_TEXT_HPP
#define GPUPROF_TESTS_FUZZ_SEALED_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <gpuprof/text/sealed_text.hpp>

inline void read_sealed(std::uint8_t const* data, std::size_t size, void (*read)(std::string const&)) {
    std::string text{reinterpret_cast<char const*>(data), size};
    read(text);
    std::size_t const digest = text.rfind(",\n  \"digest\"");
    text.resize(digest == text.npos ? size : digest);
    text += gpuprof::detail::seal_of(text);
    read(text);
}

#endif // GPUPROF_TESTS_FUZZ_SEALED_TEXT_HPP
