# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# doctest and nlohmann_json, which are headers alone, for a build for another machine: from this machine's folder of headers,
# and without the other headers in there, which the cross compiler must not see.
set(borrowed ${CMAKE_CURRENT_BINARY_DIR}/borrowed_headers)
file(MAKE_DIRECTORY ${borrowed})
foreach(library IN ITEMS doctest nlohmann)
    find_path(GPUPROF_${library}_PARENT NAMES ${library} PATHS /usr/local/include /usr/include
              NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${GPUPROF_${library}_PARENT}/${library} ${borrowed}/${library} SYMBOLIC)
endforeach()
foreach(library IN ITEMS doctest::doctest nlohmann_json::nlohmann_json)
    add_library(${library} INTERFACE IMPORTED)
    target_include_directories(${library} INTERFACE ${borrowed})
endforeach()
find_path(GPUPROF_DOCTEST_CMAKE doctest.cmake PATHS /usr/local/lib/cmake /usr/lib/cmake /usr/share/cmake
          PATH_SUFFIXES doctest NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
list(APPEND CMAKE_MODULE_PATH ${GPUPROF_DOCTEST_CMAKE})
