# GoogleTest units of the pure parts.

if(CMAKE_CROSSCOMPILING)
  # Debian has its sources, and its library for the host only.
  add_subdirectory(/usr/src/googletest/googletest googletest EXCLUDE_FROM_ALL)
else()
  find_package(GTest REQUIRED)
endif()
include(GoogleTest)

file(GLOB PQ_UNIT_SOURCES CONFIGURE_DEPENDS test/unit/*.cc)
add_executable(unit_tests ${PQ_UNIT_SOURCES})
target_link_libraries(unit_tests PRIVATE pure warnings GTest::gtest_main)
gtest_discover_tests(unit_tests)
