// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program's processes leave what they measured, until the command has read it.
#ifndef GPUPROF_SRC_COMMAND_SCRATCH_FOLDER_HPP
#define GPUPROF_SRC_COMMAND_SCRATCH_FOLDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace gpuprof::command {

// A folder that goes with it. What cannot be removed stays.
class scratch_folder {
public:
    scratch_folder() {
        std::error_code failed;
        std::string name = (std::filesystem::temp_directory_path(failed) / "gpuprof-XXXXXX").string();
        if (failed || ::mkdtemp(name.data()) == nullptr) refuse("no folder for the measurement can be made: " + name);
        path_ = name;
    }
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(scratch_folder const&) = delete;
    scratch_folder& operator=(scratch_folder const&) = delete;

    // Of a file a process, as program::file_name_of() reads it.
    [[nodiscard]] std::string pattern() const {
        std::string text;
        for (char const c : path_.string()) text += c == '%' ? "%%" : std::string(1, c);
        return text + "/%p";
    }
    // Its files, the first that was made first.
    [[nodiscard]] std::vector<std::string> files_in_order() const {
        std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
        std::error_code ignored;
        for (auto const& each : std::filesystem::directory_iterator{path_, ignored})
            found.emplace_back(each.last_write_time(ignored), each.path().string());
        std::ranges::sort(found);
        std::vector<std::string> names;
        for (auto& each : found) names.push_back(std::move(each.second));
        return names;
    }

private:
    std::filesystem::path path_;
};

// "page.html", "page-2.html", ...: one file a process that was measured.
inline std::string numbered(std::string const& file, std::size_t at) {
    if (at == 0) return file;
    std::filesystem::path const whole{file};
    std::string const name = whole.stem().string() + '-' + std::to_string(at + 1) + whole.extension().string();
    return (whole.parent_path() / name).string();
}

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_SCRATCH_FOLDER_HPP
