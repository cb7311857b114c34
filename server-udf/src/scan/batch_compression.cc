#include "scan/batch_compression.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

namespace pq {

namespace {

constexpr std::string_view magic = "MPQZ";
constexpr std::size_t header_bytes = 8;
// A network sends so few bytes in one packet or two.
constexpr std::size_t fewest_bytes = 2048;
// The next level takes a fifth longer and saves nothing.
constexpr int level = 1;

std::size_t room_for(std::size_t batch_bytes) {
  return header_bytes + ZSTD_compressBound(batch_bytes);
}

}  // namespace

Batch_compression::Batch_compression()
    : m_workspace(std::make_unique_for_overwrite<char[]>(ZSTD_estimateCCtxSize(level))),
      m_context(ZSTD_initStaticCCtx(m_workspace.get(), ZSTD_estimateCCtxSize(level))) {
  if (m_context == nullptr) throw std::bad_alloc();
}

std::size_t Batch_compression::memory(std::size_t batch_bytes) {
  return room_for(batch_bytes) + ZSTD_estimateCCtxSize(level);
}

void Batch_compression::compress(std::string &batch) {
  if (batch.size() < fewest_bytes || batch.size() > UINT32_MAX) return;
  const std::size_t room = room_for(batch.size());
  if (m_room.capacity() < room) {
    // To grow a string takes twice the memory, and for a while both.
    std::string().swap(m_room);
    m_room.reserve(room);
  }
  m_room.resize_and_overwrite(room, [](char *, std::size_t size) { return size; });
  const std::size_t written =
      ZSTD_compressCCtx(m_context, m_room.data() + header_bytes, m_room.size() - header_bytes,
                        batch.data(), batch.size(), level);
  // Cannot be: there is as much room, and as large a workspace, as Zstandard asks for.
  if (ZSTD_isError(written) != 0) throw std::bad_alloc();
  const std::size_t size = written + header_bytes;
  // What saves less than a tenth is not worth its decompression.
  if (size > batch.size() - batch.size() / 10) return;
  const auto batch_size = static_cast<std::uint32_t>(batch.size());
  std::memcpy(m_room.data(), magic.data(), magic.size());
  std::memcpy(m_room.data() + magic.size(), &batch_size, sizeof(batch_size));
  m_room.resize(size);
  m_room.swap(batch);
}

}  // namespace pq
