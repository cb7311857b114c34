# Reads from MySQL's configured build directory how InnoDB itself is compiled, so that the extension
# sees the very same class layouts.
#
# Gives the interface library mysql_internals: defines, include directories (as system ones) and flags.

set(PQ_FLAGS_FILE ${MYSQL_BUILD_DIR}/storage/innobase/CMakeFiles/innobase.dir/flags.make)
if(NOT EXISTS ${PQ_FLAGS_FILE})
  message(FATAL_ERROR "MYSQL_BUILD_DIR must be where MySQL's source was configured, with Makefiles: "
                      "${PQ_FLAGS_FILE} is missing")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PQ_FLAGS_FILE})

# Reads one line "NAME = value" of a flags.make and splits it at the blanks.
function(pq_read_flags name result)
  file(STRINGS ${PQ_FLAGS_FILE} line REGEX "^${name} = ")
  string(REGEX REPLACE "^${name} = " "" line "${line}")
  separate_arguments(words UNIX_COMMAND "${line}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

pq_read_flags(CXX_DEFINES PQ_MYSQL_DEFINES)
pq_read_flags(CXX_INCLUDES PQ_MYSQL_INCLUDE_FLAGS)
pq_read_flags(CXX_FLAGS PQ_MYSQL_FLAGS)

# Reads where the source and its build folder were when they were configured. They may have been moved since.
function(pq_read_configured name result)
  file(STRINGS ${MYSQL_BUILD_DIR}/CMakeCache.txt line REGEX "^${name}:INTERNAL=")
  string(REGEX REPLACE "^${name}:INTERNAL=" "" line "${line}")
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

pq_read_configured(CMAKE_CACHEFILE_DIR PQ_CONFIGURED_BUILD)
pq_read_configured(CMAKE_HOME_DIRECTORY PQ_CONFIGURED_SOURCE)
list(FILTER PQ_MYSQL_INCLUDE_FLAGS INCLUDE REGEX "^(-I)?/")
set(PQ_MYSQL_INCLUDES)
foreach(directory IN LISTS PQ_MYSQL_INCLUDE_FLAGS)
  string(REGEX REPLACE "^-I" "" directory "${directory}")
  # The build folder may lie in the source's.
  foreach(tree BUILD SOURCE)
    cmake_path(IS_PREFIX PQ_CONFIGURED_${tree} ${directory} is_inside)
    if(is_inside)
      cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${PQ_CONFIGURED_${tree}} OUTPUT_VARIABLE inside)
      cmake_path(APPEND MYSQL_${tree}_DIR ${inside} OUTPUT_VARIABLE directory)
      cmake_path(NORMAL_PATH directory)
      break()
    endif()
  endforeach()
  if(EXISTS ${directory})
    list(APPEND PQ_MYSQL_INCLUDES ${directory})
  endif()
endforeach()

# The one generated header that Debian's source package lacks; a build directory of one's own has it.
unset(PQ_MYSQLD_ERROR_H CACHE)
find_file(PQ_MYSQLD_ERROR_H mysqld_error.h REQUIRED
          PATHS ${MYSQL_ROOT}/usr/include/mysql ${MYSQL_ROOT}/include/mysql ${MYSQL_ROOT}/include
                ${MYSQL_BUILD_DIR}/include
          NO_DEFAULT_PATH)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/mysql-generated)
file(COPY_FILE ${PQ_MYSQLD_ERROR_H} ${CMAKE_CURRENT_BINARY_DIR}/mysql-generated/mysqld_error.h
     ONLY_IF_DIFFERENT)

# Only what changes layouts, the ABI or the language is taken over. A server built with WITH_DEBUG has macros here that change
# layouts (SAFE_MUTEX, UNIV_DEBUG).
set(PQ_MYSQL_KEPT_FLAGS ${PQ_MYSQL_FLAGS})
list(FILTER PQ_MYSQL_KEPT_FLAGS INCLUDE REGEX "^(-std=|-D|-m|-fabi)")
list(FILTER PQ_MYSQL_KEPT_FLAGS EXCLUDE REGEX "^-D_FORTIFY_SOURCE")

add_library(mysql_internals INTERFACE)
target_compile_options(mysql_internals INTERFACE ${PQ_MYSQL_DEFINES} ${PQ_MYSQL_KEPT_FLAGS}
                       # InnoDB's private members are part of what the walk reads.
                       -fno-access-control)
target_include_directories(mysql_internals SYSTEM INTERFACE
                           ${CMAKE_CURRENT_BINARY_DIR}/mysql-generated ${PQ_MYSQL_INCLUDES})

# MySQL's headers name OpenSSL's and zlib's, which a cross compiler does not look for in the host's folders. Nothing else
# comes from the server's root: its C library may be newer than the compiler's.
if(CMAKE_CROSSCOMPILING)
  set(PQ_FOREIGN_HEADERS ${CMAKE_CURRENT_BINARY_DIR}/foreign-headers)
  file(COPY ${MYSQL_ROOT}/usr/include/openssl ${MYSQL_ROOT}/usr/include/zlib.h ${MYSQL_ROOT}/usr/include/zconf.h
            ${MYSQL_ROOT}/usr/include/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/openssl
       DESTINATION ${PQ_FOREIGN_HEADERS})
  target_include_directories(mysql_internals SYSTEM INTERFACE ${PQ_FOREIGN_HEADERS})
endif()
