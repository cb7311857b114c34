#include "readahead/leaf_readahead.h"

#include "server/settings.h"

namespace pq {

std::size_t Leaf_readahead::bytes() {
  // A list has two keys while it is made.
  return Page_requests::bytes() + 2 * srv_page_size;
}

Result<void> Leaf_readahead::run(THD *thd, const Tree &tree, const Saved_key *from,
                                 const Saved_key *upper) {
  if (auto looked = look(thd, tree, from, upper); !looked) return looked;
  if (m_requests.is_waiting() && may_read_ahead()) m_requests.ask(thd, tree);
  return {};
}

Result<void> Leaf_readahead::look(THD *thd, const Tree &tree, const Saved_key *from,
                                  const Saved_key *upper) {
  const std::uint32_t wanted = m_pace.leaves_wanted(settings::readahead_window());
  if (wanted == 0 || !may_read_ahead()) return {};
  const auto now = std::chrono::steady_clock::now();
  if (now - m_last_look < settings::readahead_pause()) return {};
  m_last_look = now;
  const std::uint32_t allowed = m_share.resize(wanted);
  if (allowed == 0) return {};
  Leaf_list list(thd, tree, upper);
  list.begin_at(from);
  auto &listed = m_requests.listed();
  if (auto found = list.list(allowed, listed); !found) return found;
  ++counters.readahead_looks;
  const auto leaves = static_cast<std::uint32_t>(listed.size());
  m_pace.count_looked(leaves, m_requests.find_absent(tree), list.ended());
  if (m_pace.is_resting()) m_share.release();
  return {};
}

}  // namespace pq
