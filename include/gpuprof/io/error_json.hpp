// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an error as a JSON object.
#ifndef GPUPROF_IO_ERROR_JSON_HPP
#define GPUPROF_IO_ERROR_JSON_HPP

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../text/json_members.hpp"
#include "../text/text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// {"code":"busy","status":12,"what":"...","cause":"...","remedy":"..."}
inline void add_error(gpuprof::detail::text_appender const& to, error const& why) {
    using gpuprof::detail::add_text;
    add_text(to, "{\"code\":", name(why.code));
    to.text(",\"status\":");
    to.number(why.status);
    add_text(to, ",\"what\":", why.what);
    add_text(to, ",\"cause\":", why.cause);
    add_text(to, ",\"remedy\":", why.remedy);
    to.text("}");
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ERROR_JSON_HPP
