// Keeps evenly spaced keys out of a stream of unknown length, in memory fixed beforehand.

#ifndef MYSQL_PQ_PURE_KEY_SAMPLE_H
#define MYSQL_PQ_PURE_KEY_SAMPLE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pq {

// A field of a stored key; nothing stands for SQL NULL.
using Field_value = std::optional<std::string_view>;

// A key by itself.
using Stored_key = std::vector<std::optional<std::string>>;

// Keeps each key whose number among the offered ones is a multiple of the stride. The stride starts
// at 1. Whenever the room is full, it doubles and every second kept key is dropped.
class Key_sample final {
 public:
  // Allocates all it will ever use: throws std::bad_alloc. Room below what one key needs keeps
  // none.
  Key_sample(std::size_t max_keys, std::size_t room_bytes, std::size_t fields_per_key);

  Key_sample(const Key_sample &) = delete;
  Key_sample &operator=(const Key_sample &) = delete;

  // Copies the key if it is due. Neither allocates nor throws, so it may run under a page latch;
  // the cost is that of moving the room's bytes once in log2(keys offered) calls.
  void offer(std::span<const Field_value> key) noexcept;

  void clear() noexcept;

  [[nodiscard]] std::uint64_t offered() const { return m_offered; }
  [[nodiscard]] std::uint64_t stride() const { return m_stride; }
  [[nodiscard]] std::size_t size() const { return m_size; }

  // Number, from 1, of the kept key among the offered ones.
  [[nodiscard]] std::uint64_t ordinal(std::size_t kept) const { return (kept + 1) * m_stride; }

  [[nodiscard]] Stored_key key(std::size_t kept) const;

  // Valid until the next offer.
  [[nodiscard]] Field_value field(std::size_t kept, std::size_t number) const;

 private:
  struct Slot {
    std::uint32_t offset;
    std::uint32_t length;
    bool is_null;
  };

  [[nodiscard]] std::span<Slot> slots(std::size_t kept);
  [[nodiscard]] bool has_room(std::size_t bytes) const;
  void halve() noexcept;
  void append(std::span<const Field_value> key) noexcept;

  std::size_t m_max_keys;
  std::size_t m_room_bytes;
  std::size_t m_fields_per_key;
  std::unique_ptr<char[]> m_room;
  std::vector<Slot> m_slots;
  std::size_t m_used_bytes = 0;
  std::size_t m_size = 0;
  std::uint64_t m_offered = 0;
  std::uint64_t m_stride = 1;
};

}  // namespace pq

#endif
