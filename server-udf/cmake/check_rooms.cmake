# Fails if a source stands in no room or includes what its room may not, and prints each such place.
#
#   cmake -DPQ_SOURCES=server-udf/src -P server-udf/cmake/check_rooms.cmake

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(wrong "")

# check_include(SOURCE ROOM HEADER): one #include of a source in this room.
function(check_include source room header)
  cmake_path(GET header PARENT_PATH folder)
  if(folder STREQUAL "" AND EXISTS ${PQ_SOURCES}/${room}/${header})
    string(APPEND wrong "  ${source}: must include ${header} as ${room}/${header}\n")
  elseif(header MATCHES "\\.\\./")
    string(APPEND wrong "  ${source}: must not include by a relative path: ${header}\n")
  elseif(folder IN_LIST PQ_ROOMS AND NOT folder STREQUAL room
         AND NOT folder IN_LIST PQ_ROOMS_BELOW_${room})
    string(APPEND wrong "  ${source}: must not include ${header}: ${folder} is not below ${room}\n")
  endif()
  return(PROPAGATE wrong)
endfunction()

file(GLOB_RECURSE sources RELATIVE ${PQ_SOURCES} ${PQ_SOURCES}/*.h ${PQ_SOURCES}/*.cc)
foreach(source IN LISTS sources)
  cmake_path(GET source PARENT_PATH room)
  if(NOT room IN_LIST PQ_ROOMS)
    string(APPEND wrong "  ${source}: stands in no room of rooms.cmake\n")
    continue()
  endif()

  file(STRINGS ${PQ_SOURCES}/${source} includes REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*).*" "\\1" header "${include}")
    check_include(${source} ${room} ${header})
  endforeach()

  file(STRINGS ${PQ_SOURCES}/${source} tests
       REGEX "^[ \t]*#[ \t]*(if|elif).*(MYSQL_VERSION_ID|PQ_SERIES)|^[^#]*PQ_SERIES\\(")
  if(tests AND NOT source MATCHES "^server/(mysql|innodb)_compat\\.h$")
    string(APPEND wrong "  ${source}: tests the server's version, which only server/mysql_compat.h "
                        "and server/innodb_compat.h may\n")
  endif()

  file(STRINGS ${PQ_SOURCES}/${source} heads REGEX "^// The room `${room}` ")
  list(APPEND main_headers_of_${room} ${heads})
  list(APPEND rooms_found ${room})
endforeach()

list(REMOVE_DUPLICATES rooms_found)
foreach(room IN LISTS rooms_found)
  list(LENGTH main_headers_of_${room} main_headers)
  if(NOT main_headers EQUAL 1)
    string(APPEND wrong "  ${room}: one main header says what the room does, not ${main_headers}\n")
  endif()
endforeach()

if(wrong)
  message(FATAL_ERROR "Sources do not keep to their rooms (server-udf/cmake/rooms.cmake):\n${wrong}")
endif()
