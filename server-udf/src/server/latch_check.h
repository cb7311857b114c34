// Checks, in a build without NDEBUG, what comments say of latches. Nothing of it is in a release.

#ifndef MYSQL_PQ_SERVER_LATCH_CHECK_H
#define MYSQL_PQ_SERVER_LATCH_CHECK_H

#include <cassert>

namespace pq {

// Holders of InnoDB's latches that live in this thread: mini-transactions and guards of its
// mutexes.
class Latches final {
 public:
#ifdef NDEBUG
  static void take() noexcept {}
  static void release() noexcept {}
  static void assert_none() noexcept {}
#else
  static void take() noexcept { ++held(); }
  static void release() noexcept {
    assert(held() > 0);
    --held();
  }
  // Where a function waits, reports an error, allocates without bound, or takes a latch that is
  // ordered before those of pages.
  static void assert_none() noexcept { assert(held() == 0); }

 private:
  static int &held() noexcept {
    thread_local int count = 0;
    return count;
  }
#endif
};

}  // namespace pq

#endif
