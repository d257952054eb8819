# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the headers (and with GPUPROF_INSTALL_COMPILED the compiled libraries and the injection library), and a package that find_package(gpuprof)
# finds, in the install tree and in the build tree.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gpuprof)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gpuprof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS gpuprof EXPORT gpuprof-targets)
if(GPUPROF_INSTALL_COMPILED)
    set(injection gpuprof_injection)
    if(WIN32)
        set(injection)
    endif()
    install(TARGETS gpuprof_compiled gpuprof_sim ${injection} EXPORT gpuprof-targets)
endif()
install(EXPORT gpuprof-targets NAMESPACE gpuprof:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gpuprof-config.cmake.in
                              ${PROJECT_BINARY_DIR}/gpuprof-config.cmake INSTALL_DESTINATION ${package_dir})
# Until 1.0 a minor version may change the interface. Headers alone fit any architecture.
set(architecture ARCH_INDEPENDENT)
if(GPUPROF_INSTALL_COMPILED)
    set(architecture)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpuprof-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${architecture})
install(FILES ${PROJECT_BINARY_DIR}/gpuprof-config.cmake ${PROJECT_BINARY_DIR}/gpuprof-config-version.cmake
        DESTINATION ${package_dir})

export(EXPORT gpuprof-targets NAMESPACE gpuprof:: FILE ${PROJECT_BINARY_DIR}/gpuprof-targets.cmake)
