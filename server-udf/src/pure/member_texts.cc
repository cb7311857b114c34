#include "pure/member_texts.h"

#include <algorithm>
#include <limits>

namespace pq {

namespace {

constexpr std::size_t bits_of_set = 64;

}  // namespace

Member_texts Member_texts::of_enum(std::vector<std::string> members) {
  return {std::move(members), false};
}

Member_texts Member_texts::of_set(std::vector<std::string> members) {
  members.resize(std::min(members.size(), bits_of_set));
  return {std::move(members), true};
}

std::uint64_t Member_texts::last_number() const {
  const std::size_t count = m_members == nullptr ? 0 : m_members->size();
  if (!m_is_set) return count;
  return count == bits_of_set ? std::numeric_limits<std::uint64_t>::max()
                              : (std::uint64_t{1} << count) - 1;
}

std::size_t Member_texts::longest() const {
  if (empty()) return 0;
  std::size_t most = 0;
  for (const std::string &member : *m_members) {
    most = m_is_set ? most + member.size() + 1 : std::max(most, member.size());
  }
  return most;
}

std::size_t Member_texts::memory() const {
  if (empty()) return 0;
  std::size_t bytes = m_members->capacity() * sizeof(std::string);
  for (const std::string &member : *m_members) bytes += member.capacity() + 1;
  return bytes;
}

std::string_view Member_texts::text(std::uint64_t number, std::string &scratch) const {
  if (empty()) return "";
  if (!m_is_set) {
    if (number == 0 || number > m_members->size()) return "";
    return (*m_members)[number - 1];
  }
  scratch.clear();
  for (const std::string &member : *m_members) {
    if ((number & 1) != 0) {
      // MySQL writes no comma behind an empty member in front.
      if (!scratch.empty()) scratch += ',';
      scratch += member;
    }
    number >>= 1;
  }
  return scratch;
}

}  // namespace pq
