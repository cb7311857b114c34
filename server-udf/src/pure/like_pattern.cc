#include "pure/like_pattern.h"

#include <algorithm>
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
      parsed.append_literal(rest.substr(0, size));
      at += size;
      continue;
    }
    const char byte = pattern[at++];
    if (byte == '%') {
      parsed.m_parts.push_back({Kind::any_text});
    } else if (byte == '_') {
      parsed.m_parts.push_back({Kind::any_character});
    } else {
      parsed.append_literal({&byte, 1});
    }
  }
  return parsed;
}

void Like_pattern::append_literal(std::string_view bytes) {
  if (m_parts.empty() || m_parts.back().kind != Kind::literal) m_parts.push_back({Kind::literal});
  m_parts.back().literal += bytes;
}

std::size_t Like_pattern::memory() const {
  std::size_t bytes = m_parts.capacity() * sizeof(Part);
  for (const Part &part : m_parts) bytes += part.literal.capacity();
  return bytes;
}

// Goes on behind what a part stands for. False if it does not stand for what is there.
bool Like_pattern::take(std::size_t part, std::string_view text, std::size_t &at) const noexcept {
  const Part &wanted = m_parts[part];
  if (wanted.kind == Kind::any_character) {
    if (at == text.size()) return false;
    at = next_character(text, at);
    return true;
  }
  if (!text.substr(at).starts_with(wanted.literal)) return false;
  at += wanted.literal.size();
  return true;
}

// The first place where a part can begin; the text's end if there is none.
std::size_t Like_pattern::first_start(std::size_t part, std::string_view text,
                                      std::size_t from) const noexcept {
  if (m_parts[part].kind != Kind::literal) return from;
  return std::min(text.find(m_parts[part].literal, from), text.size());
}

// After a %, what follows is tried at one place after the other. An earlier % need not be looked
// at again: it could only match more.
bool Like_pattern::matches(std::string_view text) const noexcept {
  constexpr std::size_t none = SIZE_MAX;
  std::size_t part = 0;
  std::size_t at = 0;
  std::size_t part_after_any = none;
  std::size_t tried_at = 0;
  while (part < m_parts.size() || at < text.size()) {
    if (part < m_parts.size() && m_parts[part].kind == Kind::any_text) {
      part_after_any = ++part;
      if (part == m_parts.size()) return true;
      tried_at = at = first_start(part, text, at);
    } else if (part < m_parts.size() && take(part, text, at)) {
      ++part;
    } else if (part_after_any != none && tried_at < text.size()) {
      tried_at = at = first_start(part_after_any, text, next_character(text, tried_at));
      part = part_after_any;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace pq
