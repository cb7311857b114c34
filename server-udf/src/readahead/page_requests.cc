#include "readahead/page_requests.h"

#include <algorithm>

#include "server/settings.h"
#include "tree/leaf_list.h"

namespace pq {

namespace {

// Above 100,000 purge takes index X-latches while reads are pending (btr0cur.cc). This limit stays
// far below that.
constexpr std::uint64_t most_history = 50'000;

// Sessions that are about to add to the pending reads.
std::atomic<ulint> asking{0};

// One more pending read, unless there would be too many.
class Flight_permit final {
 public:
  Flight_permit()
      : m_granted(asking.fetch_add(1) + buf_get_n_pending_read_ios() <
                  settings::readahead_in_flight()) {}
  ~Flight_permit() { asking.fetch_sub(1); }
  Flight_permit(const Flight_permit &) = delete;
  Flight_permit &operator=(const Flight_permit &) = delete;

  [[nodiscard]] bool is_granted() const { return m_granted; }

 private:
  bool m_granted;
};

// A damaged node pointer may name any page.
page_no_t pages_of_file(const Tree &tree) {
  fil_space_t *space = fil_space_acquire_silent(tree.index->space);
  if (space == nullptr) return 0;
  const page_no_t size = space->size;
  fil_space_release(space);
  return size;
}

}  // namespace

bool may_read_ahead() {
  return settings::readahead_window() > 0 && settings::readahead_in_flight() > 0 &&
         trx_sys->rseg_history_len.load() <= most_history;
}

Page_requests::Page_requests() { m_pages.reserve(Leaf_list::most_leaves); }

std::size_t Page_requests::bytes() { return Leaf_list::most_leaves * sizeof(page_no_t); }

std::vector<page_no_t> &Page_requests::listed() {
  m_pages.clear();
  m_next = 0;
  return m_pages;
}

std::uint32_t Page_requests::find_absent(const Tree &tree) {
  const page_no_t end = pages_of_file(tree);
  const std::size_t listed = m_pages.size();
  std::erase_if(m_pages, [&](page_no_t number) {
    return number >= end || buf_page_peek(page_id_t(tree.index->space, number));
  });
  std::ranges::sort(m_pages);
  const std::size_t resident = listed - m_pages.size();
  m_resident += resident;
  counters.readahead_resident += static_cast<long long>(resident);
  return static_cast<std::uint32_t>(m_pages.size());
}

void Page_requests::ask(const THD *thd, const Tree &tree) {
  const page_size_t size = dict_table_page_size(tree.table);
  const std::uint64_t before = m_asked;
  while (is_waiting() && !thd->is_killed()) {
    const Flight_permit permit;
    if (!permit.is_granted()) break;
    const page_id_t page(tree.index->space, m_pages[m_next++]);
    // buf_read_page_background takes a free block before it looks whether the page is resident.
    if (!buf_page_peek(page) && buf_read_page_background(page, size, false)) ++m_asked;
  }
  if (m_asked == before) return;
  os_aio_simulated_wake_handler_threads();
  counters.readahead_pages += static_cast<long long>(m_asked - before);
}

}  // namespace pq
