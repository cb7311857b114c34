// Names one version of a table and index by a digest of the facts that DDL changes.

#ifndef MYSQL_PQ_PURE_FINGERPRINT_H
#define MYSQL_PQ_PURE_FINGERPRINT_H

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace pq {

// FNV-1a of 128 bits (draft-eastlake-fnv) over the facts in order; each text goes with its length
// in front, so that no two lists of facts give the same bytes. Against chance, not against an
// adversary.
class Fingerprint final {
 public:
  void add(std::string_view text);
  void add(std::integral auto number) { add_number(static_cast<std::uint64_t>(number)); }

  // 32 lower-case hex digits.
  [[nodiscard]] std::string text() const;

 private:
  void add_number(std::uint64_t number);
  void add_byte(unsigned char byte);

  unsigned __int128 m_hash =
      static_cast<unsigned __int128>(0x6C62272E07BB0142) << 64 | 0x62B821756295C58D;
};

}  // namespace pq

#endif
