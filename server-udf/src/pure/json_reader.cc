#include "pure/json_reader.h"

#include <algorithm>

#include "pure/hex.h"
#include "pure/utf8.h"

namespace pq {

namespace {

class Json_reader final {
 public:
  explicit Json_reader(std::string_view text) : m_text(text) {}

  Result<Json> read_document() {
    auto value = read_value(0);
    if (!value) return value;
    skip_space();
    if (m_at != m_text.size()) return error("text after the end");
    return value;
  }

 private:
  [[nodiscard]] std::unexpected<Error> error(std::string_view what) const {
    return fail(Code::bad_argument, "options: not valid JSON at byte " + std::to_string(m_at) +
                                        ": " + std::string(what));
  }

  [[nodiscard]] bool at_end() const { return m_at == m_text.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : m_text[m_at]; }

  void skip_space() {
    while (!at_end() && std::string_view(" \t\r\n").contains(m_text[m_at])) ++m_at;
  }

  bool accept(std::string_view word) {
    if (!m_text.substr(m_at).starts_with(word)) return false;
    m_at += word.size();
    return true;
  }

  // Past the white space, as each mark between values is.
  bool accept_mark(char mark) {
    skip_space();
    return accept(std::string_view(&mark, 1));
  }

  Result<Json> read_value(unsigned depth) {
    if (depth > max_json_depth) return error("too deep");
    if (++m_values > max_json_values) return error("too many values");
    skip_space();
    if (accept("null")) return Json{};
    if (accept("true")) return boolean(true);
    if (accept("false")) return boolean(false);
    switch (peek()) {
      case '"':
        return read_string_value();
      case '[':
        return read_array(depth);
      case '{':
        return read_object(depth);
      default:
        return read_number();
    }
  }

  static Json boolean(bool value) {
    Json json;
    json.kind = Json::Kind::boolean;
    json.boolean = value;
    return json;
  }

  Result<Json> read_string_value() {
    auto text = read_string();
    if (!text) return std::unexpected(text.error());
    Json json;
    json.kind = Json::Kind::string;
    json.text = std::move(*text);
    return json;
  }

  Result<Json> read_array(unsigned depth) {
    Json json;
    json.kind = Json::Kind::array;
    ++m_at;
    if (accept_mark(']')) return json;
    do {
      auto item = read_value(depth + 1);
      if (!item) return item;
      json.items.push_back(std::move(*item));
    } while (accept_mark(','));
    if (!accept_mark(']')) return error("expected , or ]");
    return json;
  }

  Result<Json> read_object(unsigned depth) {
    Json json;
    json.kind = Json::Kind::object;
    ++m_at;
    if (accept_mark('}')) return json;
    do {
      if (auto read = read_member(json, depth); !read) return std::unexpected(read.error());
    } while (accept_mark(','));
    if (!accept_mark('}')) return error("expected , or }");
    return json;
  }

  Result<void> read_member(Json &object, unsigned depth) {
    skip_space();
    auto name = read_string();
    if (!name) return std::unexpected(name.error());
    if (std::ranges::find(object.names, *name) != object.names.end())
      return error("repeated member");
    if (!accept_mark(':')) return error("expected :");
    auto value = read_value(depth + 1);
    if (!value) return std::unexpected(value.error());
    object.names.push_back(std::move(*name));
    object.items.push_back(std::move(*value));
    return {};
  }

  bool skip_digits() {
    const std::size_t start = m_at;
    while (peek() >= '0' && peek() <= '9') ++m_at;
    return m_at > start;
  }

  Result<Json> read_number() {
    const std::size_t start = m_at;
    accept("-");
    const bool zero = peek() == '0';
    if (zero ? !accept("0") : !skip_digits()) return error("expected a value");
    if (accept(".") && !skip_digits()) return error("expected a digit");
    if (accept("e") || accept("E")) {
      if (!accept("+")) accept("-");
      if (!skip_digits()) return error("expected a digit");
    }
    Json json;
    json.kind = Json::Kind::number;
    json.text = m_text.substr(start, m_at - start);
    return json;
  }

  Result<std::string> read_string() {
    if (!accept("\"")) return error("expected \"");
    std::string text;
    while (!at_end() && peek() != '"') {
      if (static_cast<unsigned char>(peek()) < 0x20) return error("control character");
      if (peek() == '\\') {
        if (auto read = read_escape(text); !read) return std::unexpected(read.error());
      } else {
        text.push_back(m_text[m_at++]);
      }
    }
    if (!accept("\"")) return error("unfinished string");
    return text;
  }

  Result<void> read_escape(std::string &text) {
    ++m_at;
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    const std::size_t found = at_end() ? std::string_view::npos : names.find(peek());
    if (found != std::string_view::npos) {
      text.push_back(values[found]);
      ++m_at;
      return {};
    }
    if (!accept("u")) return error("unknown escape");
    return read_unicode_escape(text);
  }

  Result<void> read_unicode_escape(std::string &text) {
    auto unit = read_hex4();
    if (!unit) return std::unexpected(unit.error());
    std::uint32_t code_point = *unit;
    if (code_point >= 0xDC00 && code_point <= 0xDFFF) return error("lone surrogate");
    if (code_point >= 0xD800 && code_point <= 0xDBFF) {
      if (!accept("\\u")) return error("lone surrogate");
      auto low = read_hex4();
      if (!low) return std::unexpected(low.error());
      if (*low < 0xDC00 || *low > 0xDFFF) return error("lone surrogate");
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (*low - 0xDC00);
    }
    append_utf8(text, code_point);
    return {};
  }

  Result<std::uint32_t> read_hex4() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++m_at) {
      const int digit = hex_digit_value(peek());
      if (digit < 0) return error("expected four hex digits");
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  unsigned m_values = 0;
};

}  // namespace

Result<Json> read_json(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return fail(Code::bad_argument,
                "options: at most " + std::to_string(max_bytes) + " bytes of JSON");
  }
  if (!utf8_length(text)) return fail(Code::bad_argument, "options: must be valid UTF-8");
  return Json_reader(text).read_document();
}

}  // namespace pq
