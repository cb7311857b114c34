// Grows a text up to a limit and remembers whether something did not fit.

#ifndef MYSQL_PQ_PURE_BOUNDED_TEXT_H
#define MYSQL_PQ_PURE_BOUNDED_TEXT_H

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace pq {

class Bounded_text final {
 public:
  explicit Bounded_text(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  Bounded_text &operator<<(std::string_view piece) {
    m_overflowed = m_overflowed || piece.size() > m_max_bytes - m_text.size();
    if (!m_overflowed) m_text += piece;
    return *this;
  }

  Bounded_text &operator<<(std::integral auto number) requires(
      !std::same_as<decltype(number), bool>) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, end);
  }

  // A template, so that no pointer turns into a bool.
  Bounded_text &operator<<(std::same_as<bool> auto value) {
    return *this << std::string_view(value ? "true" : "false");
  }

  [[nodiscard]] bool overflowed() const { return m_overflowed; }
  [[nodiscard]] std::size_t max_bytes() const { return m_max_bytes; }
  [[nodiscard]] std::string take() && { return std::move(m_text); }

 private:
  std::size_t m_max_bytes;
  std::string m_text;
  bool m_overflowed = false;
};

// A JSON string with its quotes. The text must be UTF-8.
void write_json_string(Bounded_text &out, std::string_view text);

}  // namespace pq

#endif
