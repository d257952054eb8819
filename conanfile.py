# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A recipe for Conan 2: `conan create .` (docs/packages.md).
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import load


class Gpuprof(ConanFile):
    name = "gpuprof"
    license = "Apache-2.0 WITH LLVM-exception"
    description = "Scopes, typed hardware counters and traces for NVIDIA GPUs"
    settings = "os", "arch", "compiler", "build_type"
    options = {"compiled": [True, False], "noexcept": [True, False]}  # as GPUPROF_INSTALL_COMPILED and _NOEXCEPT
    default_options = {"compiled": False, "noexcept": False}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"

    def set_version(self):
        config = load(self, os.path.join(self.recipe_folder, "include/gpuprof/detail/config.hpp"))
        self.version = ".".join(re.findall(r"#define GPUPROF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config))

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        if not self.info.options.compiled and not self.info.options.noexcept:
            self.info.clear()  # headers alone

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # the source folder stays as it is
        toolchain.cache_variables["GPUPROF_INSTALL_COMPILED"] = bool(self.options.compiled)
        toolchain.cache_variables["GPUPROF_INSTALL_NOEXCEPT"] = bool(self.options.noexcept)
        toolchain.cache_variables["GPUPROF_BUILD_TESTS"] = False
        toolchain.cache_variables["GPUPROF_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package finds gpuprof's own package, with its targets and functions.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "gpuprof")]
        self.cpp_info.bindirs = ["bin"] if self.options.compiled else []
        self.cpp_info.libdirs = []  # without CMake: the headers alone
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread", "dl"]
