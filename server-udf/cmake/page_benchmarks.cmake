# Adds to the target benchmarks what a native scan does with a leaf page: walking its records and finding their cells.
#
# This needs InnoDB's headers and no server. The linker drops what reaches further (descending, latching, reading pages), and
# test/benchmark/pages/server_stand_ins.cc stands in for the rest.

file(GLOB PQ_PAGE_BENCHMARK_SOURCES CONFIGURE_DEPENDS test/benchmark/pages/*.cc)
add_library(page_benchmarks OBJECT EXCLUDE_FROM_ALL ${PQ_PAGE_BENCHMARK_SOURCES}
            src/leaf/leaf_page.cc src/leaf/record_layout.cc src/leaf/row_versions.cc src/scan/leaf_scan.cc
            src/tree/saved_key.cc)
target_include_directories(page_benchmarks PRIVATE src test/benchmark/pages)
target_compile_options(page_benchmarks PRIVATE -ffunction-sections -fdata-sections)
target_link_libraries(page_benchmarks PRIVATE pure warnings mysql_internals benchmark::benchmark)
set_target_properties(page_benchmarks PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)

target_sources(benchmarks PRIVATE $<TARGET_OBJECTS:page_benchmarks>)
target_link_options(benchmarks PRIVATE -Wl,--gc-sections)
