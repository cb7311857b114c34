#include "server/redo_log.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "server/innodb_compat.h"
#include "sql/aggregated_stats.h"
#include "sql/mysqld_thd_manager.h"

namespace pq::redo_log {

namespace {

constexpr std::uint64_t none = UINT64_MAX;

// The number of statements that had begun when none of them was on its way.
std::atomic<std::uint64_t> quiet_number{none};

// Statements ALTER INSTANCE that have begun since the server started. Each is counted before it
// waits for anything, and before it is executed.
std::uint64_t statements() {
  constexpr std::size_t one = sizeof(std::atomic_uint64_t);
  return global_aggregated_stats.get_single_total(offsetof(aggregated_stats_buffer, com_stat) +
                                                  SQLCOM_ALTER_INSTANCE * one);
}

// Longer texts are not looked at.
constexpr std::size_t most_text_bytes = 4 * 1024 * 1024;

bool may_alter_instance(std::string_view text) {
  if (text.size() > most_text_bytes) return true;
  constexpr std::string_view word = "instance";
  const auto same = [](char in_text, char in_word) {
    return std::tolower(static_cast<unsigned char>(in_text)) == in_word;
  };
  return !std::ranges::search(text, word, same).empty();
}

// Looks at the sessions as SHOW PROCESSLIST does. A session has the text of its statement from
// before it is counted until it has ended.
class Text_search final : public Do_THD_Impl {
 public:
  void operator()(THD *thd) override {
    mysql_mutex_lock(&thd->LOCK_thd_query);
    const LEX_CSTRING &query = thd->query();
    if (query.str != nullptr) m_found = m_found || may_alter_instance({query.str, query.length});
    mysql_mutex_unlock(&thd->LOCK_thd_query);
  }

  [[nodiscard]] bool found() const { return m_found; }

 private:
  bool m_found = false;
};

}  // namespace

std::uint64_t end() { return log_get_lsn(*log_sys); }

bool is_enabled() { return mtr_t::s_logging.is_enabled(); }

std::optional<std::uint64_t> quiet_since() {
  const std::uint64_t quiet = quiet_number.load();
  return quiet != none && quiet == statements() ? std::optional(quiet) : std::nullopt;
}

// A statement that begins meanwhile changes the number.
void look() {
  const std::uint64_t number = statements();
  if (number == quiet_number.load()) return;
  Text_search search;
  Global_THD_manager::get_instance()->do_for_all_thd_copy(&search);
  if (!search.found()) quiet_number.store(number);
}

}  // namespace pq::redo_log
