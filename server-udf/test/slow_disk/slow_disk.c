// Preloaded into mysqld, makes its reads take as long as on a disk at the end of a network: each a
// time that it cannot undercut, and all together no more than so many a second.
//
//   PQ_DISK_DELAY_US   what a read takes at least
//   PQ_DISK_IOPS       how many reads a second there are at most; 0: any number

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

// As in libaio.h, as far as it is read here.
struct iocb {
  void *data;
  uint32_t key;
  uint32_t flags;
  uint16_t opcode;
};
enum { opcode_pread = 0 };
struct io_event {
  void *data;
  struct iocb *request;
  int64_t results[2];
};

// Smaller reads are not of pages.
enum { least_bytes = 4096, slots = 1 << 16 };

static ssize_t (*real_pread)(int, void *, size_t, off_t);
static int (*real_submit)(void *, long, struct iocb **);
static int (*real_getevents)(void *, long, long, struct io_event *, struct timespec *);
static int64_t delay_ns;
static int64_t interval_ns;
static _Atomic int64_t next_start_ns;
// When requests in flight are ready. Those that share a slot share a time.
static _Atomic int64_t ready_ns[slots];

__attribute__((constructor)) static void load(void) {
  const char *delay = getenv("PQ_DISK_DELAY_US");
  const char *iops = getenv("PQ_DISK_IOPS");
  delay_ns = (delay == NULL ? 0 : atoll(delay)) * 1000;
  const int64_t per_second = iops == NULL ? 0 : atoll(iops);
  interval_ns = per_second > 0 ? 1000000000 / per_second : 0;
  real_pread = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread64");
  real_submit = (int (*)(void *, long, struct iocb **))dlsym(RTLD_NEXT, "io_submit");
  real_getevents = (int (*)(void *, long, long, struct io_event *, struct timespec *))dlsym(
      RTLD_NEXT, "io_getevents");
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t time_ns) {
  const struct timespec until = {time_ns / 1000000000, time_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
  }
}

// When a read that begins now will be ready.
static int64_t take_turn(void) {
  const int64_t now = now_ns();
  int64_t start = atomic_load(&next_start_ns);
  int64_t own;
  do {
    own = start > now ? start : now;
  } while (!atomic_compare_exchange_weak(&next_start_ns, &start, own + interval_ns));
  return own + delay_ns;
}

static _Atomic int64_t *slot_of(const struct iocb *request) {
  const uintptr_t address = (uintptr_t)request;
  return &ready_ns[(address >> 3 ^ address >> 19) % slots];
}

ssize_t pread64(int file, void *buffer, size_t bytes, off_t offset) {
  if (bytes < least_bytes) return real_pread(file, buffer, bytes, offset);
  const int64_t ready = take_turn();
  const ssize_t result = real_pread(file, buffer, bytes, offset);
  sleep_until(ready);
  return result;
}

int io_submit(void *context, long count, struct iocb **requests) {
  for (long i = 0; i < count; ++i) {
    if (requests[i]->opcode == opcode_pread) atomic_store(slot_of(requests[i]), take_turn());
  }
  return real_submit(context, count, requests);
}

int io_getevents(void *context, long least, long most, struct io_event *events,
                 struct timespec *timeout) {
  const int count = real_getevents(context, least, most, events, timeout);
  int64_t ready = 0;
  for (int i = 0; i < count; ++i) {
    if (events[i].request->opcode != opcode_pread) continue;
    const int64_t one = atomic_load(slot_of(events[i].request));
    if (one > ready) ready = one;
  }
  if (ready > 0) sleep_until(ready);
  return count;
}
