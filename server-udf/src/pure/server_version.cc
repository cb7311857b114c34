#include "pure/server_version.h"

#include <algorithm>
#include <array>

namespace pq {

namespace {

// mysqld appends them (set_server_version in sql/mysqld.cc).
constexpr std::array<std::string_view, 6> appended = {"-debug", "-valgrind", "-asan",
                                                      "-lsan",  "-ubsan",    "-tsan"};

}  // namespace

bool is_built_for(std::string_view built_for, std::string_view server) noexcept {
  if (!server.starts_with(built_for)) return false;
  server.remove_prefix(built_for.size());
  while (!server.empty()) {
    const auto word = std::find_if(appended.begin(), appended.end(),
                                   [server](auto one) { return server.starts_with(one); });
    if (word == appended.end()) return false;
    server.remove_prefix(word->size());
  }
  return true;
}

}  // namespace pq
