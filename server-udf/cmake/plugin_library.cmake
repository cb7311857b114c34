# The plugin library itself, those that tests stamp, and the gates on what it asks of the server and the C++ runtime.

# All but what says which release this is, compiled once for all of these.
file(GLOB PQ_PLUGIN_SOURCES CONFIGURE_DEPENDS src/*/*.cc)
set(PQ_RELEASE_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/edge/plugin.cc
    ${CMAKE_CURRENT_SOURCE_DIR}/src/edge/functions.cc)
set(PQ_CANARY ${CMAKE_CURRENT_SOURCE_DIR}/src/server/canary.cc)
list(REMOVE_ITEM PQ_PLUGIN_SOURCES ${PQ_PURE_SOURCES} ${PQ_RELEASE_SOURCES} ${PQ_CANARY})
add_library(plugin_parts OBJECT ${PQ_PLUGIN_SOURCES})
target_include_directories(plugin_parts PRIVATE src)
target_link_libraries(plugin_parts PRIVATE pure warnings mysql_internals)

# Zstandard as MySQL's own source has it, without decompression. A server may have another one, or show none of its functions.
file(GLOB PQ_ZSTD ${MYSQL_SOURCE_DIR}/extra/zstd/zstd-*/lib)
list(LENGTH PQ_ZSTD PQ_ZSTD_COUNT)
if(NOT PQ_ZSTD_COUNT EQUAL 1)
  message(FATAL_ERROR "MySQL's source must have Zstandard: ${MYSQL_SOURCE_DIR}/extra/zstd/zstd-*/lib")
endif()
file(GLOB PQ_ZSTD_SOURCES ${PQ_ZSTD}/common/*.c ${PQ_ZSTD}/compress/*.c)
add_library(zstd OBJECT ${PQ_ZSTD_SOURCES})
set_target_properties(zstd PROPERTIES C_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
# Its functions are hidden, as all of the library's but those that MySQL calls.
set(PQ_ZSTD_HIDDEN ZSTDLIB_VISIBLE= ZSTDERRORLIB_VISIBLE=)
# Without the functions that a tracer may define.
target_compile_definitions(zstd PRIVATE ${PQ_ZSTD_HIDDEN} ZSTD_TRACE=0)
target_include_directories(plugin_parts SYSTEM PRIVATE ${PQ_ZSTD})
target_compile_definitions(plugin_parts PRIVATE ${PQ_ZSTD_HIDDEN})

# pq_add_canary(NAME OPTION...): what compares the library's layouts with the server's, compiled with these options last.
function(pq_add_canary name)
  add_library(${name}_options INTERFACE)
  target_compile_options(${name}_options INTERFACE ${ARGN})
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PQ_CANARY})
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE warnings mysql_internals ${name}_options)
endfunction()

# pq_add_plugin(NAME CANARY SOURCE...): a library that is not built by default. The canary comes first, so that inline
# functions are as it was compiled.
function(pq_add_plugin name canary)
  add_library(${name} MODULE $<TARGET_OBJECTS:${canary}> ${ARGN} $<TARGET_OBJECTS:plugin_parts> $<TARGET_OBJECTS:zstd>)
  set_target_properties(${name} PROPERTIES PREFIX "" EXCLUDE_FROM_ALL ON)
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE pure warnings mysql_internals)
endfunction()

add_library(release OBJECT ${PQ_RELEASE_SOURCES})
target_include_directories(release PRIVATE src)
target_link_libraries(release PRIVATE pure warnings mysql_internals)

pq_add_canary(canary)
pq_add_plugin(mysql_pq canary $<TARGET_OBJECTS:release>)
set_target_properties(mysql_pq PROPERTIES EXCLUDE_FROM_ALL OFF)

# Libraries as for another build of the server, which TestPluginLoad loads. Only the canary is compiled anew: as for a
# distribution's patches of the same release, for a server whose LEX is shorter, for servers without performance_schema's mutexes
# or latches, for one with WITH_DEBUG, and with what changes no layout.
function(pq_add_misbuilt name)
  pq_add_canary(canary_${name} ${ARGN})
  pq_add_plugin(mysql_pq_${name} canary_${name} $<TARGET_OBJECTS:release>)
  list(APPEND PQ_MISBUILT mysql_pq_${name})
  return(PROPAGATE PQ_MISBUILT)
endfunction()

pq_add_misbuilt(other_build "-DPQ_STAMP_SERVER_SUFFIX=\"-7\"")
pq_add_misbuilt(misfit -DPQ_STAMP_LEX_BYTES_LESS=16)
pq_add_misbuilt(without_instruments -DDISABLE_PSI_MUTEX -DDISABLE_PSI_RWLOCK)
pq_add_misbuilt(without_latch_instruments -DDISABLE_PSI_RWLOCK)
pq_add_misbuilt(debug -UNDEBUG -DUNIV_DEBUG -DSAFE_MUTEX -DENABLED_DEBUG_SYNC)
pq_add_misbuilt(hardened -D_GLIBCXX_ASSERTIONS)

# Claims another version of the server.
pq_add_plugin(mysql_pq_other_version canary ${PQ_RELEASE_SOURCES})
target_compile_definitions(mysql_pq_other_version PRIVATE PQ_STAMP_VERSION_ID=90799)

add_custom_target(misbuilt_plugins DEPENDS ${PQ_MISBUILT} mysql_pq_other_version)

# As of an older and of a newer release: see src/pure/version.h. Their own objects of what speaks the protocol come before the
# same ones of the library pure.
foreach(release older newer)
  string(TOUPPER PQ_STAMP_${release} stamp)
  pq_add_plugin(mysql_pq_${release} canary ${PQ_RELEASE_SOURCES} src/pure/request.cc src/pure/reply.cc)
  target_compile_definitions(mysql_pq_${release} PRIVATE ${stamp})
endforeach()

add_test(NAME symbols_are_exported
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_symbols.sh
                 $<TARGET_FILE:mysql_pq> ${MYSQL_ROOT}/usr/sbin/mysqld)
