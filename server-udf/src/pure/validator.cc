#include "pure/validator.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pq {

namespace {

constexpr std::size_t origin_size = 32;
constexpr char separator = '-';

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Takes a number and the separator before it off the text's begin. False if there is none.
template <class T>
bool take_number(std::string_view &text, T &number) {
  if (text.empty() || text.front() != separator) return false;
  text.remove_prefix(1);
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || (text.front() == '0' && stop != text.data() + 1)) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

}  // namespace

std::string write_validator(const Validator &validator) {
  std::string text = validator.origin;
  for (const std::uint64_t number :
       {validator.lsn, validator.view.low_limit_id, validator.view.unseen,
        std::uint64_t{validator.last_page}, validator.pages}) {
    text += separator;
    text += std::to_string(number);
  }
  return text;
}

Result<Validator> read_validator(std::string_view text) {
  Validator validator{};
  const std::string_view origin = text.substr(0, origin_size);
  validator.origin = origin;
  std::string_view rest = text.substr(origin.size());
  const bool read = origin.size() == origin_size && std::ranges::all_of(origin, is_digit) &&
                    take_number(rest, validator.lsn) &&
                    take_number(rest, validator.view.low_limit_id) &&
                    take_number(rest, validator.view.unseen) &&
                    take_number(rest, validator.last_page) && take_number(rest, validator.pages);
  if (read && rest.empty()) return validator;
  return arguments::bad("a validator", "must be empty, or one that a scan gave");
}

}  // namespace pq
