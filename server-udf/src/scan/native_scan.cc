#include "scan/native_scan.h"

#include "server/settings.h"
#include "server/statement_context.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_registry.h"
#include "tree/bounds.h"

namespace pq {

namespace {

Result<void> check_scannable(const Table_lease &lease) {
  const Tree *tree = lease.tree();
  if (tree == nullptr) {
    return fail(Code::bad_argument, "the table is partitioned: options.partition must name one");
  }
  if (!tree->index->is_clustered()) {
    return fail(Code::unsupported_scan, "the index is not the clustered index");
  }
  if (srv_force_recovery >= SRV_FORCE_NO_UNDO_LOG_SCAN) {
    return fail(Code::unsupported_scan,
                "innodb_force_recovery is set, so old row versions cannot be read");
  }
  return check_supported(lease.parts());
}

Result<void> check_covered(THD *thd, const Target &target) {
  const auto covered = covers(thd, target);
  if (!covered) return std::unexpected(covered.error());
  if (*covered) return {};
  return fail(Code::unusable_table, "the table was altered after the snapshot was opened");
}

Result<void> check_size(THD *thd, std::size_t size) {
  if (size <= thd->variables.max_allowed_packet) return {};
  return fail(Code::too_large,
              "a batch can have " + std::to_string(size) +
                  " bytes: ask for smaller batches, or raise max_allowed_packet = " +
                  std::to_string(thd->variables.max_allowed_packet));
}

std::unique_ptr<Saved_key> make_saved(const dict_index_t *index, const Stored_key &key) {
  auto saved = std::make_unique<Saved_key>(index, key.size());
  saved->save(std::vector<Field_value>(key.begin(), key.end()));
  return saved;
}

}  // namespace

Result<bool> Native_scan::next(THD *thd, std::string &batch) {
  if (m_position.has_ended()) {
    release(0);
    return false;
  }
  if (auto read = read_batch(thd); !read) return std::unexpected(read.error());
  m_position.count_batch(write(batch));
  if (auto fits = check_size(thd, batch.size()); !fits) return std::unexpected(fits.error());
  counters.scan_bytes += static_cast<long long>(batch.size());
  if (m_position.has_ended()) release(batch.capacity());
  return true;
}

// Returns how many rows or groups the batch has.
std::uint32_t Native_scan::write(std::string &batch) const {
  const Batch_place &place = m_position.place();
  if (place.end != Batch_end::unchanged) return m_filler->write(place, batch);
  Column_batch({}, 0).write(place, batch);
  return 0;
}

Result<void> Native_scan::read_batch(THD *thd) {
  if (m_filler) m_filler->begin_batch();
  // Rows that are grouped, or of which the first ones are kept, are many for one batch. Between two
  // holds of the table it keeps nothing, as between two batches.
  do {
    if (auto read = read_once(thd); !read) return read;
  } while ((m_request.aggregation || m_request.first) && !m_position.has_ended() &&
           !m_filler->is_full());
  return {};
}

Result<void> Native_scan::read_once(THD *thd) {
  if (auto allowed = check_session(thd); !allowed) return allowed;
  const auto lease = Table_lease::take(thd, m_request.target);
  if (!lease) return std::unexpected(lease.error());
  auto ready = m_position.has_begun() ? check_same(**lease) : begin(thd, **lease);
  if (ready) ready = read_rows(thd, **lease);
  if (ready) ready = m_position.set_cursor(**lease, m_request.after);
  if (ready) ready = check_interrupted(thd);
  if (ready) counters.scan_rows += m_filler->rows_filled();
  return ready;
}

// What has to hold before the table is opened.
Result<void> Native_scan::check_session(THD *thd) const {
  if (!m_position.has_begun()) {
    // A view that its definer may read locks tables of which its user must learn nothing.
    if (auto allowed = check_access(thd, m_request.target); !allowed) return allowed;
  }
  if (auto locked = check_locked(thd, m_request.target); !locked) return locked;
  if (auto verified = snapshots::check_batch(thd, m_request.token); !verified) {
    return std::unexpected(verified.error());
  }
  if (m_position.has_begun()) return {};
  return check_covered(thd, m_request.target);
}

// The statement may go on for long, with scans of other ranges. What is kept of this one still
// counts.
void Native_scan::release(std::size_t bytes_of_batch) {
  m_filler.reset();
  m_contents.reset();
  m_memory.keep(bytes_of_batch + m_argument_bytes);
}

Result<void> Native_scan::check(THD *thd, const Table_lease &lease) {
  if (auto prepared = prepare(thd, lease); !prepared) return prepared;
  const std::uint64_t bytes_of_types = m_contents->off_page_bytes_of_types();
  if (bytes_of_types == 0) return {};
  if (dict_table_page_size(lease.tree()->table).is_compressed()) {
    return fail(Code::unsupported_scan,
                "the table is compressed, and values of the columns may be stored off-page");
  }
  if (bytes_of_types <= m_contents->most_off_page_bytes()) return {};
  return fail(Code::unsupported_scan, "values of the columns can have " +
                                          std::to_string(bytes_of_types) +
                                          " bytes in one row, but a scan reads " +
                                          std::to_string(m_contents->most_off_page_bytes()) +
                                          " of what is stored off-page");
}

// What a scan needs of the table, whatever its range and snapshot.
Result<void> Native_scan::prepare(THD *thd, const Table_lease &lease) {
  if (auto scannable = check_scannable(lease); !scannable) return scannable;
  auto contents = Scan_contents::find(lease, m_request);
  if (!contents) return std::unexpected(contents.error());
  m_contents.emplace(std::move(*contents));
  const std::size_t batch_bytes = Batch_filler::most_bytes(*m_contents, m_request);
  if (auto fits = check_size(thd, batch_bytes); !fits) return fits;
  if (m_request.aggregation) {
    auto grouped = m_contents->check_aggregation(*m_request.aggregation);
    if (!grouped) return grouped;
  }
  return m_memory.reserve(Batch_filler::memory(*m_contents, m_request) + m_contents->value_bytes() +
                          m_argument_bytes);
}

Result<void> Native_scan::begin(THD *thd, const Table_lease &lease) {
  if (auto prepared = prepare(thd, lease); !prepared) return prepared;
  m_filler.emplace(*m_contents, m_request);
  if (m_request.wants_validator) {
    auto validator = Scan_validator::begin(thd, lease, m_request.digest);
    if (!validator) return std::unexpected(validator.error());
    m_validator = std::move(*validator);
  }
  m_position.begin(*lease.tree());
  return {};
}

// Privileges may have been taken back since.
Result<void> Native_scan::check_same(const Table_lease &lease) const {
  if (auto same = m_position.check_same(lease); !same) return same;
  return m_contents->check_access(lease);
}

Result<void> Native_scan::read_rows(THD *thd, const Table_lease &lease) {
  const Tree &tree = *lease.tree();
  auto lower = make_bound(tree, lease.parts(), m_request.lower);
  if (!lower) return std::unexpected(lower.error());
  const auto upper = make_bound(tree, lease.parts(), m_request.upper);
  if (!upper) return std::unexpected(upper.error());
  auto after = make_bound(tree, lease.parts(), m_request.after);
  if (!after) return std::unexpected(after.error());
  if (*after && (*after)->fields() != dict_index_get_n_unique_in_tree(tree.index)) {
    return fail(Code::bad_argument, "options.after must hold all columns of the key");
  }
  if (const auto &last = m_position.last()) *after = make_saved(tree.index, *last);
  const Saved_key *start = *after ? after->get() : lower->get();
  const auto unchanged = is_unchanged(thd, lease, start);
  if (!unchanged) return std::unexpected(unchanged.error());
  if (*unchanged) {
    m_position.end(Batch_end::unchanged);
    return {};
  }
  auto filled = m_filler->fill(thd, lease, {start, *after != nullptr, upper->get()}, m_position,
                               m_validator ? &*m_validator : nullptr);
  if (filled && m_validator && m_position.place().end == Batch_end::range_ended) {
    m_position.set_validator(m_validator->text());
  }
  return filled;
}

// Asked once, before the first row is read.
Result<bool> Native_scan::is_unchanged(THD *thd, const Table_lease &lease, const Saved_key *start) {
  const auto known = std::exchange(m_request.known, std::nullopt);
  if (!known) return false;
  const auto confirmed = m_validator->confirms(thd, lease, start, *known, m_filler->copies());
  if (!confirmed) return confirmed;
  ++(*confirmed ? counters.scans_unchanged : counters.scans_changed);
  return confirmed;
}

}  // namespace pq
