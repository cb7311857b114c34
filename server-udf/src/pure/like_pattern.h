// The pattern of a LIKE, over text in UTF-8.

#ifndef MYSQL_PQ_PURE_LIKE_PATTERN_H
#define MYSQL_PQ_PURE_LIKE_PATTERN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pure/error.h"

namespace pq {

class Like_pattern final {
 public:
  // An empty escape stands for none. bad_argument if an escape is not before %, _ or itself.
  [[nodiscard]] static Result<Like_pattern> parse(std::string_view pattern,
                                                  std::string_view escape);

  // Takes at most as many steps as the text has bytes, times those of the pattern.
  [[nodiscard]] bool matches(std::string_view text) const noexcept;

 private:
  enum class Kind : std::uint8_t { byte, any_character, any_text };
  struct Part {
    Kind kind;
    char byte = 0;
  };

  std::vector<Part> m_parts;
};

}  // namespace pq

#endif
