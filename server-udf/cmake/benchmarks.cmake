# google-benchmark of the pure parts. As a test it runs each for a moment, which shows that it still does.

find_package(benchmark REQUIRED)

file(GLOB PQ_BENCHMARK_SOURCES CONFIGURE_DEPENDS test/benchmark/*.cc)
add_executable(benchmarks ${PQ_BENCHMARK_SOURCES})
target_link_libraries(benchmarks PRIVATE pure warnings benchmark::benchmark_main)
add_test(NAME benchmarks_run COMMAND benchmarks --benchmark_min_time=0.000001)
set_tests_properties(benchmarks_run PROPERTIES FAIL_REGULAR_EXPRESSION "ERROR OCCURRED")
