#include "scan/scan_validator.h"

#include <array>
#include <bit>
#include <optional>

#include "leaf/unchanged_leaves.h"
#include "my_rnd.h"
#include "pure/fingerprint.h"
#include "server/redo_log.h"
#include "server/settings.h"
#include "snapshot/read_view.h"
#include "tree/definition.h"

namespace pq {

namespace {

// Names this process. After a crash InnoDB gives places of the log again that were lost. Nothing if
// the server has no random bytes.
std::optional<std::uint64_t> process_number() {
  static const std::optional<std::uint64_t> number = []() -> std::optional<std::uint64_t> {
    std::array<unsigned char, sizeof(std::uint64_t)> bytes{};
    if (my_rand_buffer(bytes.data(), bytes.size()) != 0) return {};
    return std::bit_cast<std::uint64_t>(bytes);
  }();
  return number;
}

std::string find_origin(const Table_lease &lease, const std::string &request, std::uint64_t process,
                        std::uint64_t quiet_since) {
  const Tree &tree = *lease.tree();
  Fingerprint origin;
  origin.add(process);
  origin.add(quiet_since);
  origin.add(std::string_view(request));
  origin.add(std::string_view(describe_definition(lease.table(), {tree})));
  origin.add(tree.index->space);
  origin.add(tree.index->page);
  return origin.text();
}

// Whether changes of the table's pages are in the log, with their places on the pages.
bool is_logged(const dict_table_t *table) {
  return !table->is_temporary() && !dict_table_page_size(table).is_compressed() &&
         redo_log::is_enabled();
}

View_age age_of(const View_content &view) { return {view.low_limit_id, view.ids.size()}; }

}  // namespace

Result<Scan_validator> Scan_validator::begin(THD *thd, const Table_lease &lease,
                                             const std::string &request) {
  Scan_validator made;
  const auto quiet = redo_log::quiet_since();
  const auto process = process_number();
  if (!quiet || !process || !settings::validators() || !is_logged(lease.tree()->table)) return made;
  const auto view = own_content(thd);
  if (!view) return std::unexpected(view.error());
  made.m_validator.view = age_of(*view);
  made.m_origin = find_origin(lease, request, *process, *quiet);
  made.m_quiet_since = quiet;
  return made;
}

void Scan_validator::begin_piece(const std::string &after) {
  m_after = after;
  m_validator.lsn = redo_log::end();
  m_validator.pages = 0;
  m_saw_all = true;
}

// Where a piece is belongs to what a validator is of.
std::string Scan_validator::origin_of(const std::string &end) const {
  Fingerprint origin;
  origin.add(std::string_view(m_origin));
  origin.add(std::string_view(m_after));
  origin.add(std::string_view(end));
  return origin.text();
}

Result<bool> Scan_validator::confirms(THD *thd, const Table_lease &lease, const Known &known,
                                      const Page_copies &copies) const {
  const Validator &given = known.validator;
  // A view that is not older sees each row that the other saw as it stands. A number of the log
  // that lies ahead is none that a scan gave.
  if (!m_quiet_since || given.origin != origin_of(known.end) ||
      m_validator.view.is_before(given.view) || given.lsn > m_validator.lsn) {
    return false;
  }
  Unchanged_leaves leaves(thd, *lease.tree(), copies);
  const auto unchanged = leaves.check(known.start, {given.last_page, given.lsn, given.pages});
  if (!unchanged || !*unchanged) return unchanged;
  // Who changed a page without a trace disabled the log before, and was counted before that.
  return redo_log::is_enabled() && redo_log::quiet_since() == m_quiet_since;
}

void Scan_validator::note(const Leaf_scan &scan) {
  m_validator.last_page = scan.last_page();
  m_validator.pages += scan.pages_read();
  m_saw_all = m_saw_all && scan.saw_all();
}

std::string Scan_validator::text(const std::string &end) const {
  if (!m_quiet_since || !m_saw_all) return {};
  Validator validator = m_validator;
  validator.origin = origin_of(end);
  return write_validator(validator);
}

}  // namespace pq
