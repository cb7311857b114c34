#include "pure/key_sample.h"

#include <algorithm>
#include <cstring>

namespace pq {

Key_sample::Key_sample(std::size_t max_keys, std::size_t room_bytes, std::size_t fields_per_key)
    : m_max_keys(max_keys),
      m_room_bytes(room_bytes),
      m_fields_per_key(fields_per_key),
      m_room(std::make_unique_for_overwrite<char[]>(room_bytes)),
      m_slots(max_keys * fields_per_key) {}

std::span<Key_sample::Slot> Key_sample::slots(std::size_t kept) {
  return std::span(m_slots).subspan(kept * m_fields_per_key, m_fields_per_key);
}

bool Key_sample::has_room(std::size_t bytes) const {
  return m_size < m_max_keys && bytes <= m_room_bytes - m_used_bytes;
}

void Key_sample::offer(std::span<const Field_value> key) noexcept {
  ++m_offered;
  std::size_t bytes = 0;
  for (const Field_value &field : key) bytes += field ? field->size() : 0;
  if (bytes > m_room_bytes || m_max_keys == 0) return;
  while (m_offered % m_stride == 0 && !has_room(bytes)) halve();
  if (m_offered % m_stride == 0) append(key);
}

void Key_sample::clear() noexcept {
  m_used_bytes = 0;
  m_size = 0;
  m_offered = 0;
  m_stride = 1;
}

Stored_key Key_sample::key(std::size_t kept) const {
  Stored_key key;
  for (std::size_t i = 0; i < m_fields_per_key; ++i) {
    const Field_value value = field(kept, i);
    key.emplace_back();
    if (value) key.back().emplace(*value);
  }
  return key;
}

Field_value Key_sample::field(std::size_t kept, std::size_t number) const {
  const Slot &slot = m_slots[kept * m_fields_per_key + number];
  if (slot.is_null) return std::nullopt;
  return std::string_view(m_room.get() + slot.offset, slot.length);
}

void Key_sample::halve() noexcept {
  std::size_t used = 0;
  for (std::size_t from = 1; from < m_size; from += 2) {
    const auto source = slots(from);
    const auto target = slots(from / 2);
    for (std::size_t i = 0; i < m_fields_per_key; ++i) {
      std::memmove(m_room.get() + used, m_room.get() + source[i].offset, source[i].length);
      target[i] = {static_cast<std::uint32_t>(used), source[i].length, source[i].is_null};
      used += source[i].length;
    }
  }
  m_used_bytes = used;
  m_size /= 2;
  m_stride *= 2;
}

void Key_sample::append(std::span<const Field_value> key) noexcept {
  const auto target = slots(m_size++);
  for (std::size_t i = 0; i < m_fields_per_key; ++i) {
    const Field_value field = i < key.size() ? key[i] : std::nullopt;
    const std::size_t length = field ? field->size() : 0;
    if (length > 0) std::memcpy(m_room.get() + m_used_bytes, field->data(), length);
    target[i] = {static_cast<std::uint32_t>(m_used_bytes), static_cast<std::uint32_t>(length),
                 !field};
    m_used_bytes += length;
  }
}

}  // namespace pq
