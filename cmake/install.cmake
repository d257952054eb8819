# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the headers (and with GPUPROF_INSTALL_COMPILED the compiled libraries and the injection library, with
# GPUPROF_INSTALL_NOEXCEPT the compiled libraries without exceptions), and a package that find_package(gpuprof) finds, in the
# install tree and in the build tree.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gpuprof)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gpuprof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
# The embedded GPU for GPUPROF_SIM_IMPLEMENTATION: include/gpuprof/sim.hpp looks for it here.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/sim DESTINATION share/gpuprof/src FILES_MATCHING PATTERN "*.[hc]pp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS gpuprof EXPORT gpuprof-targets)
set(libraries gpuprof_core gpuprof_opt_in gpuprof_compiled gpuprof_embedded gpuprof_sim)
if(GPUPROF_INSTALL_NOEXCEPT)
    list(TRANSFORM libraries APPEND _noexcept OUTPUT_VARIABLE without_exceptions)
    install(TARGETS ${without_exceptions} EXPORT gpuprof-targets)
endif()
if(GPUPROF_INSTALL_COMPILED)
    install(TARGETS ${libraries} EXPORT gpuprof-targets)
    if(TARGET gpuprof_injection)
        install(TARGETS gpuprof_injection EXPORT gpuprof-targets)
    endif()
    # The embedded GPU for programs: never in a folder where programs look for NVIDIA's libraries by themselves.
    if(TARGET gpuprof_driver)
        set(program_libraries ${CMAKE_INSTALL_LIBDIR}/gpuprof/embedded-cuda)
        install(TARGETS gpuprof_driver gpuprof_runtime_11 gpuprof_runtime_12 gpuprof_runtime_13
                LIBRARY DESTINATION ${program_libraries})
        install(FILES ${GPUPROF_PROGRAM_LINKS} DESTINATION ${program_libraries})
        install(PROGRAMS ${PROJECT_SOURCE_DIR}/src/libcuda/ptxas.sh DESTINATION ${program_libraries} RENAME ptxas)
        install(TARGETS gpuprof_command DESTINATION ${CMAKE_INSTALL_BINDIR})
        if(TARGET gpuprof_command_pages)
            set(pages ${PROJECT_BINARY_DIR}/src/command)
            install(FILES ${pages}/gpuprof.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
            install(FILES ${pages}/gpuprof.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gpuprof)
            install(FILES ${pages}/_gpuprof DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
        endif()
    endif()
endif()
install(EXPORT gpuprof-targets NAMESPACE gpuprof:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gpuprof-config.cmake.in
                              ${PROJECT_BINARY_DIR}/gpuprof-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_BINDIR)
configure_file(${CMAKE_CURRENT_LIST_DIR}/gpuprof-embedded-test.cmake ${PROJECT_BINARY_DIR}/gpuprof-embedded-test.cmake
               COPYONLY)
# Until 1.0 a minor version may change the interface. Headers alone fit any architecture.
set(architecture ARCH_INDEPENDENT)
if(GPUPROF_INSTALL_COMPILED OR GPUPROF_INSTALL_NOEXCEPT)
    set(architecture)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpuprof-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${architecture})
install(FILES ${CMAKE_CURRENT_LIST_DIR}/gpuprof-embedded-test.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/gpuprof-config.cmake ${PROJECT_BINARY_DIR}/gpuprof-config-version.cmake
        DESTINATION ${package_dir})

# For builds without CMake; of the headers. The folder may be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GPUPROF_PREFIX_FROM_PC /${pc_dir} /)
list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE GPUPROF_PC_LIBRARIES)
list(JOIN GPUPROF_PC_LIBRARIES " " GPUPROF_PC_LIBRARIES)
configure_file(${CMAKE_CURRENT_LIST_DIR}/gpuprof.pc.in ${PROJECT_BINARY_DIR}/gpuprof.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpuprof.pc DESTINATION ${pc_dir})

# The same in the Common Package Specification. Made here, since install(PACKAGE_INFO) takes no options that differ by
# language; and on request, since find_package prefers it, and it has neither gpuprof_add_embedded_test nor the compiled targets.
if(GPUPROF_INSTALL_CPS)
    set(GPUPROF_CPS_DIR ${CMAKE_INSTALL_LIBDIR}/cps/gpuprof)
    set(GPUPROF_CPS_LIBRARIES pthread ${CMAKE_DL_LIBS})
    list(TRANSFORM GPUPROF_CPS_LIBRARIES REPLACE "(.+)" "\"\\1\"")
    list(JOIN GPUPROF_CPS_LIBRARIES ", " GPUPROF_CPS_LIBRARIES)
    set(prefix @prefix@)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/gpuprof.cps.in ${PROJECT_BINARY_DIR}/gpuprof.cps @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/gpuprof.cps DESTINATION ${GPUPROF_CPS_DIR})
endif()

export(EXPORT gpuprof-targets NAMESPACE gpuprof:: FILE ${PROJECT_BINARY_DIR}/gpuprof-targets.cmake)
