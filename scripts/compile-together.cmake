# Included after project() by ./pq: compiles several sources of the plugin library as one, because
# MySQL's headers cost far more time than our code.
cmake_language(DEFER CALL
  set_target_properties mysql_pq PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
# It must stand alone: what it defines changes the meaning of InnoDB's headers.
set_source_files_properties(src/plugin.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
