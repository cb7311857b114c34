// Makes column batches smaller for networks that are slower than Zstandard.
//
// A compressed batch is
//
//   0   "MPQZ"
//   4   4 bytes: size of the batch
//   8   the batch, as a frame of Zstandard

#ifndef MYSQL_PQ_SCAN_BATCH_COMPRESSION_H
#define MYSQL_PQ_SCAN_BATCH_COMPRESSION_H

#include <cstddef>
#include <memory>
#include <string>

struct ZSTD_CCtx_s;

namespace pq {

class Batch_compression final {
 public:
  // Throws bad_alloc.
  Batch_compression();

  // Bytes that it keeps, of batches of so many bytes at most.
  [[nodiscard]] static std::size_t memory(std::size_t batch_bytes);

  // Puts the compressed batch in the place of the batch, unless it is hardly smaller. Throws
  // bad_alloc.
  void compress(std::string &batch);

 private:
  // Zstandard allocates nothing else.
  std::unique_ptr<char[]> m_workspace;
  ZSTD_CCtx_s *m_context;  // in the workspace
  // Changes places with the batch, so that neither is made anew.
  std::string m_room;
};

}  // namespace pq

#endif
