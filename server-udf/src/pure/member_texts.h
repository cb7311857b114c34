// Tells the texts that the numbers of an ENUM or a SET stand for.

#ifndef MYSQL_PQ_PURE_MEMBER_TEXTS_H
#define MYSQL_PQ_PURE_MEMBER_TEXTS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pq {

// Copies share the texts.
class Member_texts final {
 public:
  // The column is neither an ENUM nor a SET.
  Member_texts() = default;

  // An ENUM's members from number 1 on. Number 0 stands for a text that was none of them.
  [[nodiscard]] static Member_texts of_enum(std::vector<std::string> members);

  // A SET's members from the lowest bit on, 64 at most.
  [[nodiscard]] static Member_texts of_set(std::vector<std::string> members);

  [[nodiscard]] bool empty() const { return m_members == nullptr || m_members->empty(); }
  [[nodiscard]] bool is_set() const { return m_is_set; }

  // The greatest number that stands for a text of its own.
  [[nodiscard]] std::uint64_t last_number() const;

  // Bytes of the longest text.
  [[nodiscard]] std::size_t longest() const;

  // Memory that all of it takes.
  [[nodiscard]] std::size_t memory() const;

  // A SET's text is put together in the scratch. Other numbers than a column can hold have the text
  // of 0, or of the bits that it knows.
  [[nodiscard]] std::string_view text(std::uint64_t number, std::string &scratch) const;

 private:
  Member_texts(std::vector<std::string> members, bool is_set)
      : m_members(std::make_shared<const std::vector<std::string>>(std::move(members))),
        m_is_set(is_set) {}

  std::shared_ptr<const std::vector<std::string>> m_members;
  bool m_is_set = false;
};

}  // namespace pq

#endif
