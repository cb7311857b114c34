// What fuzz targets share.

#ifndef MYSQL_PQ_FUZZ_CHECKS_H
#define MYSQL_PQ_FUZZ_CHECKS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace pq::fuzz {

// A law that was broken ends the program, which libFuzzer then reports with the input.
inline void check(bool rule) {
  if (!rule) std::abort();
}

// Takes an input apart, from its beginning. What is missing is zero or empty.
class Input final {
 public:
  Input(const unsigned char *data, std::size_t size)
      : m_rest(reinterpret_cast<const char *>(data), size) {}

  [[nodiscard]] bool empty() const { return m_rest.empty(); }
  [[nodiscard]] std::string_view rest() const { return m_rest; }

  std::uint8_t byte() {
    const std::string_view one = bytes(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
  }

  std::string_view bytes(std::size_t size) {
    const std::string_view taken = m_rest.substr(0, size);
    m_rest.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view m_rest;
};

}  // namespace pq::fuzz

#endif
