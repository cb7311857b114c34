#include "pure/utf8.h"

#include <algorithm>

namespace pq {

namespace {

constexpr std::size_t max_printable_bytes = 64;

// Length in bytes of the sequence that this byte starts; 0 if it starts none.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The second byte's range is narrower after these leads: no overlong form, no surrogate, no code
// point above U+10FFFF.
bool second_byte_ok(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return second >= 0x80 && second <= 0xBF;
  }
}

bool sequence_ok(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() > 1 && !second_byte_ok(byte(0), byte(1))) return false;
  for (std::size_t i = 2; i < sequence.size(); ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return false;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> utf8_length(std::string_view bytes) {
  std::size_t characters = 0;
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(bytes.front()));
    if (length == 0 || length > bytes.size()) return std::nullopt;
    if (!sequence_ok(bytes.substr(0, length))) return std::nullopt;
    bytes.remove_prefix(length);
    ++characters;
  }
  return characters;
}

void append_utf8(std::string &text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto tail = [&](unsigned shift) { put(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xF0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string printable(std::string_view bytes) {
  const bool keep_others = utf8_length(bytes).has_value();
  std::size_t size = std::min(bytes.size(), max_printable_bytes);
  // Not in the middle of a character.
  while (keep_others && size < bytes.size() && (bytes[size] & 0xC0) == 0x80) --size;
  std::string text(bytes.substr(0, size));
  for (char &c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || (byte > 0x7F && !keep_others)) c = '?';
  }
  if (size < bytes.size()) text += "...";
  return text;
}

}  // namespace pq
