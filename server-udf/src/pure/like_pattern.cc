#include "pure/like_pattern.h"

#include <cstddef>

#include "pure/arguments.h"
#include "pure/utf8.h"

namespace pq {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

std::size_t next_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && continues_character(text[at])) ++at;
  return at;
}

}  // namespace

Result<Like_pattern> Like_pattern::parse(std::string_view pattern, std::string_view escape) {
  Like_pattern parsed;
  for (std::size_t at = 0; at < pattern.size();) {
    if (!escape.empty() && pattern.substr(at).starts_with(escape)) {
      at += escape.size();
      const std::string_view rest = pattern.substr(at);
      const bool is_itself = rest.starts_with(escape);
      if (!is_itself && !rest.starts_with('%') && !rest.starts_with('_')) {
        return arguments::bad("the pattern '" + printable(pattern) + "'",
                              "must have its escape before %, _ or the escape");
      }
      const std::size_t size = is_itself ? escape.size() : 1;
      for (const char byte : rest.substr(0, size)) parsed.m_parts.push_back({Kind::byte, byte});
      at += size;
      continue;
    }
    const char byte = pattern[at++];
    if (byte == '%') {
      parsed.m_parts.push_back({Kind::any_text});
    } else if (byte == '_') {
      parsed.m_parts.push_back({Kind::any_character});
    } else {
      parsed.m_parts.push_back({Kind::byte, byte});
    }
  }
  return parsed;
}

// After a %, what follows is tried at one character after the other. An earlier % need not be
// looked at again: it could only match more.
bool Like_pattern::matches(std::string_view text) const noexcept {
  constexpr std::size_t none = SIZE_MAX;
  std::size_t part = 0;
  std::size_t at = 0;
  std::size_t part_after_any = none;
  std::size_t tried_at = 0;
  while (at < text.size()) {
    if (part < m_parts.size() && m_parts[part].kind == Kind::any_text) {
      part_after_any = ++part;
      tried_at = at;
    } else if (part < m_parts.size() && m_parts[part].kind == Kind::any_character) {
      at = next_character(text, at);
      ++part;
    } else if (part < m_parts.size() && m_parts[part].byte == text[at]) {
      ++at;
      ++part;
    } else if (part_after_any != none) {
      tried_at = next_character(text, tried_at);
      at = tried_at;
      part = part_after_any;
    } else {
      return false;
    }
  }
  while (part < m_parts.size() && m_parts[part].kind == Kind::any_text) ++part;
  return part == m_parts.size();
}

}  // namespace pq
