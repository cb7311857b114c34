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

# What compares the library's layouts with the server's, as it is, and as in a library whose LEX is too short.
foreach(canary canary canary_of_misfit)
  add_library(${canary} OBJECT EXCLUDE_FROM_ALL ${PQ_CANARY})
  target_include_directories(${canary} PRIVATE src)
  target_link_libraries(${canary} PRIVATE warnings mysql_internals)
endforeach()
target_compile_definitions(canary_of_misfit PRIVATE PQ_STAMP_LEX_BYTES_LESS=16)

# pq_add_plugin(NAME CANARY SOURCE...)
function(pq_add_plugin name canary)
  add_library(${name} MODULE ${ARGN} ${PQ_RELEASE_SOURCES} $<TARGET_OBJECTS:plugin_parts>
              $<TARGET_OBJECTS:${canary}>)
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE pure warnings mysql_internals)
endfunction()

pq_add_plugin(mysql_pq canary)
pq_add_plugin(mysql_pq_misfit canary_of_misfit EXCLUDE_FROM_ALL)
if(PQ_STAMP_VERSION_ID)
  target_compile_definitions(mysql_pq PRIVATE PQ_STAMP_VERSION_ID=${PQ_STAMP_VERSION_ID})
endif()

# As of an older and of a newer release: see src/pure/version.h. Their own objects of what speaks the protocol come before the
# same ones of the library pure.
foreach(release older newer)
  string(TOUPPER PQ_STAMP_${release} stamp)
  pq_add_plugin(mysql_pq_${release} canary EXCLUDE_FROM_ALL src/pure/request.cc src/pure/reply.cc)
  target_compile_definitions(mysql_pq_${release} PRIVATE ${stamp})
endforeach()

add_test(NAME symbols_are_exported
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_symbols.sh
                 $<TARGET_FILE:mysql_pq> ${MYSQL_ROOT}/usr/sbin/mysqld)
