# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What most of gpuprof's test programs include, parsed once for all of them. A file that lacks an include of its own is not found so: the
# preset `test` finds it, which does without.
file(CONFIGURE OUTPUT precompiled.cpp CONTENT "" @ONLY)
add_library(gpuprof_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
target_link_libraries(gpuprof_precompiled PRIVATE gpuprof_development)
target_precompile_headers(gpuprof_precompiled PRIVATE
    <algorithm> <array> <atomic> <fstream> <functional> <map> <memory> <sstream> <string> <thread> <vector>
    <gpuprof/gpuprof.hpp> <gpuprof/sampling.hpp> <gpuprof/sim.hpp> <gpuprof/trace.hpp>)
# Headers of these, and of test_compiled_out, are configured another way.
set(tests ${PROJECT_SOURCE_DIR}/tests)
set_source_files_properties(${tests}/core/result_noexcept.test.cpp ${tests}/measure/scope_disabled.test.cpp
                            DIRECTORY ${tests} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

function(gpuprof_precompile folder)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(libraries ${target} LINK_LIBRARIES)
        get_target_property(options ${target} COMPILE_OPTIONS)
        if(type STREQUAL "EXECUTABLE" AND NOT target STREQUAL "test_compiled_out" AND NOT options MATCHES "-O[0-9]"
           AND libraries MATCHES "gpuprof_(development(;|$)|test_main)")
            target_precompile_headers(${target} REUSE_FROM gpuprof_precompiled)
        endif()
    endforeach()
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS folders)
        gpuprof_precompile(${each})
    endforeach()
endfunction()
gpuprof_precompile(${tests})
