#include "readahead/read_ahead.h"

#include <algorithm>
#include <thread>

#include "readahead/page_requests.h"
#include "readahead/pool_share.h"
#include "server/privileges.h"
#include "server/settings.h"
#include "server/statement_context.h"
#include "table/table_lease.h"
#include "tree/bounds.h"
#include "tree/leaf_list.h"

namespace pq {

namespace {

// That of SET GLOBAL for the settings that limit readahead.
constexpr const char *needed_privilege = "SYSTEM_VARIABLES_ADMIN";

// Waits for that time, unless the statement is interrupted.
Result<void> wait(THD *thd, std::chrono::milliseconds time) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + time;
  while (clock::now() < end) {
    if (auto running = check_interrupted(thd); !running) return running;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return check_interrupted(thd);
}

// Reads ahead in one tree.
class Range_reader final {
 public:
  Range_reader(THD *thd, const Tree &tree, std::uint32_t most_pages)
      : m_thd(thd), m_tree(tree), m_most_pages(most_pages) {}

  Result<Readahead_reply> read(const Saved_key *lower, const Saved_key *upper);

 private:
  [[nodiscard]] std::uint32_t next_window();
  Result<void> ask_all();

  THD *m_thd;
  const Tree &m_tree;
  std::uint32_t m_most_pages;
  Page_requests m_requests;
  Pool_share m_share;
  Readahead_stop m_stop = Readahead_stop::range_ended;
};

Result<Readahead_reply> Range_reader::read(const Saved_key *lower, const Saved_key *upper) {
  Leaf_list list(m_thd, m_tree, upper);
  list.begin_at(lower);
  while (const std::uint32_t leaves = next_window()) {
    if (auto listed = list.list(leaves, m_requests.listed()); !listed) {
      return std::unexpected(listed.error());
    }
    ++counters.readahead_looks;
    (void)m_requests.find_absent(m_tree);
    if (auto asked = ask_all(); !asked) return std::unexpected(asked.error());
    if (list.ended()) break;
    if (auto waited = wait(m_thd, settings::readahead_pause()); !waited) {
      return std::unexpected(waited.error());
    }
  }
  return Readahead_reply{m_requests.asked(), m_requests.resident(), m_stop};
}

// How many leaves to look at; 0 if there is a reason to stop. No page but those asked for takes a
// place in the pool.
std::uint32_t Range_reader::next_window() {
  const auto asked = static_cast<std::uint32_t>(m_requests.asked());
  if (!may_read_ahead()) {
    m_stop = Readahead_stop::off;
    return 0;
  }
  if (asked == m_most_pages) {
    m_stop = Readahead_stop::pages;
    return 0;
  }
  const std::uint32_t wanted = std::min(settings::readahead_window(), m_most_pages - asked);
  const std::uint32_t allowed = m_share.resize(asked + wanted);
  if (allowed > asked) return allowed - asked;
  m_stop = Readahead_stop::pool_share;
  return 0;
}

Result<void> Range_reader::ask_all() {
  for (;;) {
    m_requests.ask(m_thd, m_tree);
    if (!m_requests.is_waiting() || !may_read_ahead()) return check_interrupted(m_thd);
    if (auto waited = wait(m_thd, std::chrono::milliseconds(1)); !waited) return waited;
  }
}

}  // namespace

Result<Readahead_reply> read_ahead(THD *thd, const Readahead_request &request) {
  if (auto allowed = check_administrator(thd, needed_privilege); !allowed)
    return std::unexpected(allowed.error());
  const auto lease = Table_lease::take(thd, request.target);
  if (!lease) return std::unexpected(lease.error());
  // The reply tells how large the table is.
  if (auto allowed = (*lease)->check_whole_table(); !allowed) {
    return std::unexpected(allowed.error());
  }
  const Tree *tree = (*lease)->tree();
  if (tree == nullptr) {
    return fail(Code::bad_argument, "options.partition must be given: the table is partitioned");
  }
  if (auto known = check_supported((*lease)->parts()); !known) {
    return std::unexpected(known.error());
  }
  const auto lower = make_bound(*tree, (*lease)->parts(), request.lower);
  if (!lower) return std::unexpected(lower.error());
  const auto upper = make_bound(*tree, (*lease)->parts(), request.upper);
  if (!upper) return std::unexpected(upper.error());
  return Range_reader(thd, *tree, request.pages).read(lower->get(), upper->get());
}

}  // namespace pq
