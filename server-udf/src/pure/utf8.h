// Checks of UTF-8 text that comes in as an argument.

#ifndef MYSQL_PQ_PURE_UTF8_H
#define MYSQL_PQ_PURE_UTF8_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pq {

// Number of characters, or nothing if the bytes are not well-formed UTF-8 (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] std::optional<std::size_t> utf8_length(std::string_view bytes);

// Appends the UTF-8 form of a code point, which is at most U+10FFFF and no surrogate.
void append_utf8(std::string &text, std::uint32_t code_point);

// The text as it may stand in an error message: at most 64 bytes, control characters as '?', and
// all bytes but ASCII as well if the text is not UTF-8.
[[nodiscard]] std::string printable(std::string_view bytes);

}  // namespace pq

#endif
