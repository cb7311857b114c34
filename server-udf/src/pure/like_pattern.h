// The pattern of a LIKE, over text in UTF-8.

#ifndef MYSQL_PQ_PURE_LIKE_PATTERN_H
#define MYSQL_PQ_PURE_LIKE_PATTERN_H

#include <cstddef>
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

  // Bytes beside the object.
  [[nodiscard]] std::size_t memory() const;

  // Takes at most as many steps as the text has bytes, times those of the pattern.
  [[nodiscard]] bool matches(std::string_view text) const noexcept;

 private:
  enum class Kind : std::uint8_t { literal, any_character, any_text };
  struct Part {
    Kind kind;
    std::string literal{};
  };

  void append_literal(std::string_view bytes);
  [[nodiscard]] bool take(std::size_t part, std::string_view text, std::size_t &at) const noexcept;
  [[nodiscard]] std::size_t first_start(std::size_t part, std::string_view text,
                                        std::size_t from) const noexcept;

  std::vector<Part> m_parts;
};

}  // namespace pq

#endif
