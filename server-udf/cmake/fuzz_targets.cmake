# libFuzzer targets of the pure parts: -DPQ_FUZZ=ON. Each takes libFuzzer's usual arguments; run it with
# -use_value_profile=1.
#
# clang 14 cannot compile libstdc++'s <expected>, so g++ compiles and clang only lends its libFuzzer;
# guidance then comes from the operands of comparisons, the one kind of coverage that both know.

execute_process(COMMAND clang-14 -print-resource-dir OUTPUT_VARIABLE PQ_CLANG_RESOURCES
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(PQ_LIBFUZZER ${PQ_CLANG_RESOURCES}/lib/linux/libclang_rt.fuzzer-x86_64.a)

file(GLOB PQ_FUZZ_SOURCES CONFIGURE_DEPENDS test/fuzz/*.cc)
foreach(source IN LISTS PQ_FUZZ_SOURCES)
  cmake_path(GET source STEM target)
  add_executable(${target} ${source} test/fuzz/support/comparison_hooks.cc ${PQ_PURE_SOURCES})
  target_include_directories(${target} PRIVATE src)
  target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fsanitize-coverage=trace-cmp)
  target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  target_link_libraries(${target} PRIVATE warnings ${PQ_LIBFUZZER})
endforeach()
