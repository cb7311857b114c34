#include "scan/native_scan.h"

#include "pure/reply.h"
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

// A known piece that grew a little stays one. The last one may grow for ever.
std::uint64_t rows_of_piece(const Validation &validation, const Known_piece *known) {
  if (validation.piece_rows == 0) return UINT64_MAX;
  const bool may_grow = known != nullptr && !known->end.empty();
  return std::uint64_t{validation.piece_rows} * (may_grow ? 2 : 1);
}

}  // namespace

Result<bool> Native_scan::next(THD *thd, std::string &batch) {
  if (m_position.has_ended()) {
    release(0);
    return false;
  }
  if (auto read = read_batch(thd); !read) return std::unexpected(read.error());
  m_position.count_batch(write(batch));
  if (m_compression) m_compression->compress(batch);
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
  m_position.begin_batch();
  if (m_filler) m_filler->begin_batch();
  if (m_request.validation && m_request.validation->by_pieces) m_in_piece = false;
  // Rows that are grouped, or of which the first ones are kept, are many for one batch. Between two
  // holds of the table it keeps nothing, as between two batches.
  do {
    if (auto read = read_once(thd); !read) return read;
  } while (wants_more());
  end_batch();
  return {};
}

bool Native_scan::wants_more() const {
  return (m_request.aggregation || m_request.first) && !m_position.has_batch_ended() &&
         !m_filler->is_full() && !m_filler->has_read_enough();
}

void Native_scan::end_batch() {
  const Batch_place &place = m_position.place();
  const bool rows_ended = place.end != Batch_end::stopped && place.end != Batch_end::unchanged;
  const bool piece_ended = place.end == Batch_end::range_ended ||
                           (m_request.validation && m_request.validation->by_pieces && rows_ended);
  if (m_validator && piece_ended) m_position.set_validator(m_validator->text(place.cursor));
}

Result<void> Native_scan::read_once(THD *thd) {
  if (auto allowed = check_session(thd); !allowed) return allowed;
  const auto lease = Table_lease::take(thd, m_request.target);
  if (!lease) return std::unexpected(lease.error());
  auto ready = m_position.has_begun() ? check_same(**lease) : begin(thd, **lease);
  if (ready) ready = read_rows(thd, **lease);
  if (ready) ready = m_position.set_cursor(**lease);
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
  m_compression.reset();
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
  return m_memory.reserve(
      Batch_filler::memory(*m_contents, m_request) + m_contents->value_bytes() +
      (m_request.form == Batch_form::compressed ? Batch_compression::memory(batch_bytes) : 0) +
      m_argument_bytes);
}

Result<void> Native_scan::begin(THD *thd, const Table_lease &lease) {
  if (auto prepared = prepare(thd, lease); !prepared) return prepared;
  m_filler.emplace(*m_contents, m_request);
  if (m_request.form == Batch_form::compressed) m_compression.emplace();
  m_position.begin(*lease.tree());
  m_position.go_to(m_request.after);
  // Pieces and validators tell where leaves end and how many there are.
  if (!lease.may_read_whole_table()) m_request.validation.reset();
  if (!m_request.validation) return {};
  if (auto ordered = check_pieces(lease); !ordered) return ordered;
  auto validator = Scan_validator::begin(thd, lease, m_request.digest);
  if (!validator) return std::unexpected(validator.error());
  m_validator = std::move(*validator);
  return {};
}

// Privileges may have been taken back since.
Result<void> Native_scan::check_same(const Table_lease &lease) const {
  if (auto same = m_position.check_same(lease); !same) return same;
  return m_contents->check_access(lease);
}

Result<void> Native_scan::read_rows(THD *thd, const Table_lease &lease) {
  if (m_validator && !m_in_piece) {
    if (auto begun = begin_piece(thd, lease); !begun) return begun;
    if (m_position.has_ended()) return {};
  }
  const Tree &tree = *lease.tree();
  const auto lower = make_bound(tree, lease.parts(), m_request.lower);
  if (!lower) return std::unexpected(lower.error());
  const auto start = m_position.start(lease);
  if (!start) return std::unexpected(start.error());
  const Known_piece *piece = known_piece();
  const bool to_end = piece == nullptr || piece->end.empty();
  const auto upper = make_bound(tree, lease.parts(), to_end ? m_request.upper : piece->end);
  if (!upper) return std::unexpected(upper.error());
  const bool beyond = *start != nullptr;
  auto filled = m_filler->fill(
      thd, lease, {beyond ? start->get() : lower->get(), beyond, {upper->get(), !to_end}},
      m_position, m_validator ? &*m_validator : nullptr);
  return filled && !to_end ? end_piece(lease, **upper) : filled;
}

// Goes on to the next piece if this one has been read.
Result<void> Native_scan::end_piece(const Table_lease &lease, const Saved_key &end) {
  const Batch_end reached = m_position.place().end;
  if (reached == Batch_end::more && m_position.has_read()) {
    // The batch may have become full with the last row of the piece.
    const auto last = m_position.start(lease);
    if (!last) return std::unexpected(last.error());
    if ((*last)->precedes(end, lease.tree()->index)) return {};
  } else if (reached != Batch_end::range_ended) {
    return {};
  }
  m_position.end(Batch_end::piece_ended);
  m_position.go_to(known_piece()->end);
  ++m_pieces_passed;
  return {};
}

// The piece of the caller that the next row may belong to. Null if there is none.
const Known_piece *Native_scan::known_piece() const {
  if (!m_request.validation || m_pieces_passed == m_request.validation->known.size()) {
    return nullptr;
  }
  return &m_request.validation->known[m_pieces_passed];
}

// Each key has to be behind the one before, and all within the range.
Result<void> Native_scan::check_pieces(const Table_lease &lease) const {
  const auto bad = [] {
    return fail(Code::bad_argument,
                "validator.after and validator.pieces must hold keys of the range in the order of "
                "the index");
  };
  const dict_index_t *index = lease.tree()->index;
  const auto lower = make_bound(*lease.tree(), lease.parts(), m_request.lower);
  if (!lower) return std::unexpected(lower.error());
  const auto upper = make_bound(*lease.tree(), lease.parts(), m_request.upper);
  if (!upper) return std::unexpected(upper.error());
  const auto is_within = [&](const std::unique_ptr<Saved_key> &key) {
    return !key || ((!*lower || !key->precedes(**lower, index)) &&
                    (!*upper || key->precedes(**upper, index)));
  };
  auto before = m_position.start(lease);
  if (!before) return std::unexpected(before.error());
  if (!is_within(*before)) return bad();
  for (const Known_piece &piece : m_request.validation->known) {
    auto end = make_key_of_row(*lease.tree(), lease.parts(), piece.end, "validator.pieces");
    if (!end) return std::unexpected(end.error());
    if (!*end) break;
    if (*before && !(*before)->precedes(**end, index)) return bad();
    *before = std::move(*end);
    if (!is_within(*before)) return bad();
  }
  return {};
}

// Passes over pieces that have not changed. Afterwards the next row begins a piece, unless the scan
// has ended.
Result<void> Native_scan::begin_piece(THD *thd, const Table_lease &lease) {
  m_in_piece = true;
  for (;;) {
    if (auto set = m_position.set_cursor(lease); !set) return set;
    m_validator->begin_piece(m_position.place().cursor);
    const Known_piece *piece = known_piece();
    const auto unchanged = is_unchanged(thd, lease);
    if (!unchanged) return std::unexpected(unchanged.error());
    if (!*unchanged) {
      m_filler->begin_piece(rows_of_piece(*m_request.validation, piece));
      return {};
    }
    m_position.count_unchanged();
    ++m_pieces_passed;
    if (piece->end.empty()) {
      m_position.end(Batch_end::unchanged);
      return {};
    }
    m_position.go_to(piece->end);
  }
}

// What the next piece is known to have been is asked once.
Result<bool> Native_scan::is_unchanged(THD *thd, const Table_lease &lease) {
  if (known_piece() == nullptr) return false;
  Known_piece &piece = m_request.validation->known[m_pieces_passed];
  const auto validator = std::exchange(piece.validator, std::nullopt);
  if (!validator) return false;
  const auto lower = make_bound(*lease.tree(), lease.parts(), m_request.lower);
  if (!lower) return std::unexpected(lower.error());
  const auto start = m_position.start(lease);
  if (!start) return std::unexpected(start.error());
  const auto confirmed =
      m_validator->confirms(thd, lease,
                            {*validator, (*start ? *start : *lower).get(),
                             piece.end.empty() ? std::string() : write_cursor(piece.end)},
                            m_filler->copies());
  if (!confirmed) return confirmed;
  ++(*confirmed ? counters.scans_unchanged : counters.scans_changed);
  return confirmed;
}

}  // namespace pq
