# libFuzzer targets of the pure parts: -DPQ_FUZZ=ON. Each takes libFuzzer's usual arguments; ctest runs each over its corpus
# and then for PQ_FUZZ_SECONDS on inputs of its own. What it finds beside the corpus is kept in the build folder.
#
# clang 14 cannot compile libstdc++'s <expected>, so g++ compiles and clang only lends its libFuzzer;
# guidance then comes from the operands of comparisons, the one kind of coverage that both know.

set(PQ_FUZZ_SECONDS 8 CACHE STRING "How long ctest runs each fuzz target")

find_file(PQ_LIBFUZZER libclang_rt.fuzzer-x86_64.a REQUIRED NO_DEFAULT_PATH
          PATHS /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux)

set(PQ_FUZZ_ARGUMENTS -use_value_profile=1 -max_len=4096 -timeout=10 -rss_limit_mb=1024
    -max_total_time=${PQ_FUZZ_SECONDS} -print_final_stats=1)

file(GLOB PQ_FUZZ_SOURCES CONFIGURE_DEPENDS test/fuzz/*.cc)
foreach(source IN LISTS PQ_FUZZ_SOURCES)
  cmake_path(GET source STEM target)
  add_executable(${target} ${source} test/fuzz/support/comparison_hooks.cc)
  target_include_directories(${target} PRIVATE src test/fuzz)
  target_link_libraries(${target} PRIVATE fuzzed_pure warnings ${PQ_LIBFUZZER})
  set(found ${CMAKE_BINARY_DIR}/found/${target})
  file(MAKE_DIRECTORY ${found})
  add_test(NAME ${target}
           COMMAND ${target} ${PQ_FUZZ_ARGUMENTS} -artifact_prefix=${CMAKE_BINARY_DIR}/${target}-
                   ${found} ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/corpus/${target})
  # libFuzzer keeps the input of what ends by SIGABRT.
  set_tests_properties(${target} PROPERTIES ENVIRONMENT
    "ASAN_OPTIONS=abort_on_error=1;UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1")
endforeach()

add_library(fuzzed_pure STATIC ${PQ_PURE_SOURCES})
target_include_directories(fuzzed_pure PUBLIC src)
target_compile_options(fuzzed_pure PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all
                       -fsanitize-coverage=trace-cmp)
target_link_options(fuzzed_pure PUBLIC -fsanitize=address,undefined)
target_link_libraries(fuzzed_pure PRIVATE warnings)
