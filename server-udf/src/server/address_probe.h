// Looks at memory that may not be there.

#ifndef MYSQL_PQ_SERVER_ADDRESS_PROBE_H
#define MYSQL_PQ_SERVER_ADDRESS_PROBE_H

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pq {

// Has the kernel copy one byte of each page into a pipe. Where the address is wrong, it answers
// with an error; following the pointer would end the server.
class Address_probe final {
 public:
  Address_probe() {
    if (pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0) m_pipe[0] = m_pipe[1] = -1;
  }
  ~Address_probe() {
    for (const int end : m_pipe) {
      if (end >= 0) close(end);
    }
  }
  Address_probe(const Address_probe &) = delete;
  Address_probe &operator=(const Address_probe &) = delete;

  // False if the process has no more file descriptors, or may not use a pipe. Then nothing is
  // readable.
  [[nodiscard]] bool works() const { return m_pipe[1] >= 0 && is_readable(this, sizeof *this); }

  [[nodiscard]] bool is_readable(const void *address, std::size_t bytes) const {
    const char *begin = static_cast<const char *>(address);
    const auto in_page = reinterpret_cast<std::uintptr_t>(begin) % least_page_bytes;
    if (!has_byte(begin)) return false;
    for (std::size_t next = least_page_bytes - in_page; next < bytes; next += least_page_bytes) {
      if (!has_byte(begin + next)) return false;
    }
    return true;
  }

  template <class T>
  [[nodiscard]] bool is_object(const T *object) const {
    return object != nullptr && is_readable(object, sizeof *object);
  }

  [[nodiscard]] bool is_text(const char *text, std::string_view expected) const {
    return is_readable(text, expected.size() + 1) && text[expected.size()] == '\0' &&
           std::string_view(text, expected.size()) == expected;
  }

  // Empty if there is no text of less than 512 bytes.
  [[nodiscard]] std::string_view text_at(const char *text) const {
    for (std::size_t size = 0; size < 512 && is_readable(text + size, 1); ++size) {
      if (text[size] == '\0') return {text, size};
    }
    return {};
  }

 private:
  static constexpr std::size_t least_page_bytes = 4096;

  [[nodiscard]] bool has_byte(const char *address) const {
    char copy;
    return write(m_pipe[1], address, 1) == 1 && read(m_pipe[0], &copy, 1) == 1;
  }

  int m_pipe[2];
};

// Whether a variable of the server's has the size that this library takes it for, by the server's
// own table of symbols. Does not look at the variable.
template <class T>
bool has_size_of_symbol(const T &variable) {
  Dl_info library{};
  void *entry = nullptr;
  if (dladdr1(&variable, &library, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return false;
  return static_cast<const ElfW(Sym) *>(entry)->st_size == sizeof(T);
}

}  // namespace pq

#endif
