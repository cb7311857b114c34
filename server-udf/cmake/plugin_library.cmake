# The plugin library itself, and the gates on what it asks of the server and the C++ runtime.

file(GLOB PQ_PLUGIN_SOURCES CONFIGURE_DEPENDS src/*.cc)
add_library(mysql_pq MODULE ${PQ_PLUGIN_SOURCES})
set_target_properties(mysql_pq PROPERTIES PREFIX "")
target_include_directories(mysql_pq PRIVATE src)
target_link_libraries(mysql_pq PRIVATE pure warnings mysql_internals)
if(PQ_STAMP_VERSION_ID)
  target_compile_definitions(mysql_pq PRIVATE PQ_STAMP_VERSION_ID=${PQ_STAMP_VERSION_ID})
endif()

add_test(NAME symbols_are_exported
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_symbols.sh
                 $<TARGET_FILE:mysql_pq> ${MYSQL_ROOT}/usr/sbin/mysqld)
