#include "pure/fingerprint.h"

#include "pure/hex.h"

namespace pq {

void Fingerprint::add(std::string_view text) {
  add_number(text.size());
  for (const char c : text) add_byte(static_cast<unsigned char>(c));
}

void Fingerprint::add_number(std::uint64_t number) {
  for (int i = 0; i < 8; ++i, number >>= 8) add_byte(number & 0xFF);
}

void Fingerprint::add_byte(unsigned char byte) {
  constexpr auto prime = (static_cast<unsigned __int128>(1) << 88) + 0x13B;
  m_hash = (m_hash ^ byte) * prime;
}

std::string Fingerprint::text() const {
  std::string bytes;
  for (int shift = 120; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(m_hash >> shift)));
  }
  return to_hex(bytes);
}

}  // namespace pq
