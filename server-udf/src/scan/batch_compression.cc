#include "scan/batch_compression.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "lz4.h"

namespace pq {

namespace {

constexpr std::string_view magic = "MPQZ";
constexpr std::size_t header_bytes = 8;
// A network sends so few bytes in one packet or two.
constexpr std::size_t fewest_bytes = 2048;

std::size_t room_for(std::size_t batch_bytes) {
  return header_bytes + static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(batch_bytes)));
}

}  // namespace

std::size_t Batch_compression::memory(std::size_t batch_bytes) { return room_for(batch_bytes); }

void Batch_compression::compress(std::string &batch) {
  if (batch.size() < fewest_bytes || batch.size() > LZ4_MAX_INPUT_SIZE) return;
  const std::size_t room = room_for(batch.size());
  if (m_room.capacity() < room) {
    // To grow a string takes twice the memory, and for a while both.
    std::string().swap(m_room);
    m_room.reserve(room);
  }
  m_room.resize_and_overwrite(room, [](char *, std::size_t size) { return size; });
  const int written = LZ4_compress_default(batch.data(), m_room.data() + header_bytes,
                                           static_cast<int>(batch.size()),
                                           static_cast<int>(m_room.size() - header_bytes));
  const auto size = static_cast<std::size_t>(written) + header_bytes;
  // What saves less than a tenth is not worth its decompression.
  if (written <= 0 || size > batch.size() - batch.size() / 10) return;
  const auto batch_size = static_cast<std::uint32_t>(batch.size());
  std::memcpy(m_room.data(), magic.data(), magic.size());
  std::memcpy(m_room.data() + magic.size(), &batch_size, sizeof(batch_size));
  m_room.resize(size);
  m_room.swap(batch);
}

}  // namespace pq
