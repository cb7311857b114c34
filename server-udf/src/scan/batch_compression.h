// Makes column batches smaller for networks that are slower than LZ4.
//
// A compressed batch is
//
//   0   "MPQZ"
//   4   4 bytes: size of the batch
//   8   the batch, as a block of LZ4

#ifndef MYSQL_PQ_SCAN_BATCH_COMPRESSION_H
#define MYSQL_PQ_SCAN_BATCH_COMPRESSION_H

#include <cstddef>
#include <string>

namespace pq {

class Batch_compression final {
 public:
  // Bytes that it keeps, of batches of so many bytes at most.
  [[nodiscard]] static std::size_t memory(std::size_t batch_bytes);

  // Puts the compressed batch in the place of the batch, unless it is hardly smaller. Throws
  // bad_alloc.
  void compress(std::string &batch);

 private:
  // Changes places with the batch, so that neither is made anew.
  std::string m_room;
};

}  // namespace pq

#endif
