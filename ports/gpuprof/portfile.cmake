# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A port for vcpkg that builds the checkout it lies in: vcpkg install gpuprof --overlay-ports=<checkout>/ports (docs/packages.md)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
    compiled GPUPROF_INSTALL_COMPILED
    noexcept GPUPROF_INSTALL_NOEXCEPT)
if(NOT "compiled" IN_LIST FEATURES AND NOT "noexcept" IN_LIST FEATURES)
    set(VCPKG_BUILD_TYPE release) # headers alone
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${options} -DGPUPROF_BUILD_TESTS=OFF -DGPUPROF_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/gpuprof)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/debug/bin")
set(VCPKG_POLICY_ALLOW_EXES_IN_BIN enabled) # the command finds its libraries by their place beside it
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
