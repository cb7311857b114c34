# The target `rooms`, which fails on an include that goes up, and tests that it does.

set(PQ_CHECK_ROOMS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_rooms.cmake)

file(GLOB_RECURSE PQ_ALL_SOURCES CONFIGURE_DEPENDS src/*.h src/*.cc)
add_custom_command(
  OUTPUT rooms.checked
  COMMAND ${CMAKE_COMMAND} -DPQ_SOURCES=${CMAKE_CURRENT_SOURCE_DIR}/src -P ${PQ_CHECK_ROOMS}
  COMMAND ${CMAKE_COMMAND} -E touch rooms.checked
  DEPENDS ${PQ_ALL_SOURCES} ${PQ_CHECK_ROOMS} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/rooms.cmake
  VERBATIM)
add_custom_target(rooms DEPENDS rooms.checked)

# test/rooms breaks each rule once.
function(pq_add_rooms_test name message)
  add_test(NAME rooms_${name}
           COMMAND ${CMAKE_COMMAND} -DPQ_SOURCES=${CMAKE_CURRENT_SOURCE_DIR}/test/rooms -P ${PQ_CHECK_ROOMS})
  set_tests_properties(rooms_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${message}")
endfunction()

pq_add_rooms_test(refuse_an_arrow_upwards "tree/upward.h: must not include scan/row.h: scan is not below tree")
pq_add_rooms_test(refuse_a_name_without_room "scan/row.h: must include batch.h as scan/batch.h")
pq_add_rooms_test(refuse_relative_paths "scan/row.h: must not include by a relative path: ../tree/upward.h")
pq_add_rooms_test(refuse_a_test_of_the_version "scan/row.h: tests the server's version")
pq_add_rooms_test(refuse_a_test_of_the_series "scan/batch.h: tests the server's version")
pq_add_rooms_test(refuse_a_file_without_room "stray.h: stands in no room")
pq_add_rooms_test(refuse_a_second_main_header "scan: one main header says what the room does, not 2")
