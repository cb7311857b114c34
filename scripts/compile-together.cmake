# Included after project() by ./pq: compiles several sources of the plugin library as one, because
# MySQL's headers cost far more time than our code.
cmake_language(DEFER CALL
  set_target_properties plugin_parts PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
