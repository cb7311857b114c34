#include "scan/native_scan.h"

#include <algorithm>
#include <numeric>

#include "pure/reply.h"
#include "server/instruments.h"
#include "server/settings.h"
#include "server/statement_context.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_registry.h"
#include "tree/bounds.h"

namespace pq {

namespace {

// Rows whose cells are decoded together: so that pointers to them stay in the processor's cache.
constexpr std::uint32_t rows_of_block = 512;

// And of whose cells no more than this, unless it is one row.
constexpr std::size_t bytes_of_block = 64 * 1024;

// Of ENUM and SET columns, in one row.
constexpr std::size_t most_member_bytes = 64 * 1024;

// Of a row, but for what is off-page.
constexpr std::size_t most_record_bytes = 64 * 1024;

// Off-page, of a row: each value is read without a look at KILL.
constexpr std::size_t most_off_page_bytes_of_row = 4 * 1024 * 1024;

// Column_buffer takes some memory at least.
constexpr std::size_t least_column_bytes = 4096;

Result<void> check_scannable(const Table_lease &lease) {
  const Tree *tree = lease.tree();
  if (tree == nullptr) {
    return fail(Code::bad_argument, "the table is partitioned: options.partition must name one");
  }
  if (!tree->index->is_clustered()) {
    return fail(Code::unsupported_scan, "the index is not the clustered one");
  }
  if (srv_force_recovery >= SRV_FORCE_NO_UNDO_LOG_SCAN) {
    return fail(Code::unsupported_scan,
                "innodb_force_recovery keeps old row versions out of reach");
  }
  return check_supported(lease.parts());
}

Result<void> check_covered(THD *thd, const Target &target) {
  const auto covered = covers(thd, target);
  if (!covered) return std::unexpected(covered.error());
  if (*covered) return {};
  return fail(Code::unusable_table, "the table was altered after the moment of the snapshot");
}

std::unique_ptr<Saved_key> make_saved(const dict_index_t *index, const Stored_key &key) {
  auto saved = std::make_unique<Saved_key>(index, key.size());
  saved->save(std::vector<Field_value>(key.begin(), key.end()));
  return saved;
}

}  // namespace

Result<bool> Native_scan::next(THD *thd, std::string &batch) {
  if (m_place.end != Batch_end::more) {
    release(0);
    return false;
  }
  if (!m_begun) {
    // A view that its definer may read locks tables of which its user must learn nothing.
    if (auto allowed = check_access(thd, m_request.target); !allowed) {
      return std::unexpected(allowed.error());
    }
  }
  if (auto locked = check_locked(thd, m_request.target); !locked) {
    return std::unexpected(locked.error());
  }
  if (auto verified = snapshots::check_batch(thd, m_request.token); !verified) {
    return std::unexpected(verified.error());
  }
  if (!m_begun) {
    if (auto covered = check_covered(thd, m_request.target); !covered) {
      return std::unexpected(covered.error());
    }
  }
  const auto lease = Table_lease::take(thd, m_request.target);
  if (!lease) return std::unexpected(lease.error());
  auto ready = m_begun ? check_same(**lease) : begin(thd, **lease);
  if (ready) ready = read_rows(thd, **lease);
  if (!ready) return std::unexpected(ready.error());
  auto cursor_text = cursor(**lease);
  if (!cursor_text) return std::unexpected(cursor_text.error());
  m_place.cursor = std::move(*cursor_text);
  if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
  m_batch->write(m_place, batch);
  if (auto fits = check_size(thd, batch.size()); !fits) return std::unexpected(fits.error());
  ++m_place.number;
  m_place.rows_before += m_batch->rows();
  counters.scan_rows += m_batch->rows();
  counters.scan_bytes += static_cast<long long>(batch.size());
  if (m_place.end != Batch_end::more) release(batch.capacity());
  return true;
}

// The statement may go on for long, with scans of other ranges: what is kept of this one still counts.
void Native_scan::release(std::size_t bytes_of_batch) {
  m_columns.clear();
  m_conditions.reset();
  m_batch.reset();
  m_cells.reset();
  m_off_page.reset();
  m_scratch_of_conditions.reset();
  m_copies.reset();
  m_readahead.reset();
  m_memory.keep(bytes_of_batch + m_argument_bytes);
}

Result<void> Native_scan::check(THD *thd, const Table_lease &lease) {
  if (auto prepared = prepare(thd, lease); !prepared) return prepared;
  if (m_off_page_bytes_of_types == 0) return {};
  if (dict_table_page_size(lease.tree()->table).is_compressed()) {
    return fail(Code::unsupported_scan,
                "the table is compressed, and values of the columns may be stored off-page");
  }
  if (m_off_page_bytes_of_types <= m_most_off_page_bytes) return {};
  return fail(Code::unsupported_scan,
              "values of the columns may have " + std::to_string(m_off_page_bytes_of_types) +
                  " bytes in one row, and a scan reads " + std::to_string(m_most_off_page_bytes) +
                  " of what is stored off-page");
}

// Of one row, at most.
std::uint64_t Native_scan::off_page_bytes_of_types(const Stored_columns &columns) const {
  std::uint64_t bytes = 0;
  for (const Record_layout::Column &one : m_fields) {
    if (!DATA_BIG_COL(columns.lease().tree()->index->get_col(one.field))) continue;
    const Field *field = columns.field_of(one.field);
    bytes += field == nullptr ? UINT32_MAX : field->max_data_length();
  }
  return bytes;
}

// What a scan needs of the table, whatever its range and snapshot.
Result<void> Native_scan::prepare(THD *thd, const Table_lease &lease) {
  if (auto scannable = check_scannable(lease); !scannable) return scannable;
  if (auto found = find_columns(lease); !found) return found;
  return reserve(thd);
}

Result<void> Native_scan::begin(THD *thd, const Table_lease &lease) {
  if (auto prepared = prepare(thd, lease); !prepared) return prepared;
  m_table_id = lease.tree()->table->id;
  m_index_id = lease.tree()->index->id;
  m_copies.emplace();
  m_readahead.emplace();
  m_cells.emplace(m_fields.size(), rows_of_block);
  m_off_page.emplace(m_most_off_page_bytes);
  m_selected.resize(rows_of_block);
  m_scratch_of_conditions.emplace(rows_of_block);
  std::vector<Layout> layouts;
  for (const Scan_column &column : m_columns) layouts.push_back(column.layout);
  m_batch.emplace(layouts, static_cast<std::uint32_t>(rows_of_batch()),
                  2 * (m_request.batch_bytes + most_excess_bytes()));
  m_begun = true;
  return {};
}

// Privileges may have been taken back since.
Result<void> Native_scan::check_same(const Table_lease &lease) const {
  const Tree *tree = lease.tree();
  if (tree == nullptr || tree->table->id != m_table_id || tree->index->id != m_index_id) {
    return fail(Code::unusable_table, "the table is not the one that the scan began with");
  }
  for (const Scan_column &column : m_columns) {
    if (auto allowed = lease.check_column(column.name.c_str()); !allowed) return allowed;
  }
  for (const std::string &name : m_conditions->columns()) {
    if (auto allowed = lease.check_column(name.c_str()); !allowed) return allowed;
  }
  return {};
}

Result<void> Native_scan::find_columns(const Table_lease &lease) {
  Stored_columns found(lease);
  for (const Wanted_type &wanted : m_request.types) {
    if (auto same = check_type(found, wanted); !same) return same;
  }
  for (const Wanted_column &wanted : m_request.columns) {
    auto column = find_scan_column(found, wanted);
    if (!column) return std::unexpected(column.error());
    if (std::ranges::find(m_fields, column->field, &Record_layout::Column::field) !=
        m_fields.end()) {
      return fail(Code::bad_argument, "column '" + column->name + "' is wanted twice");
    }
    m_fields.push_back({column->field, stored_size(column->type)});
    if (column->is_converted) m_growth = most_growth;
    m_member_bytes += column->members.longest();
    m_columns.push_back(std::move(*column));
  }
  if (m_member_bytes > most_member_bytes) {
    return fail(Code::unsupported_scan,
                "members of the ENUM and SET columns are too long together");
  }
  auto conditions = Scan_conditions::make(found, m_request.conditions, m_fields);
  if (!conditions) return std::unexpected(conditions.error());
  m_conditions = std::move(*conditions);
  if (m_conditions->converts()) m_growth = most_growth;
  // Filters are made from copies.
  m_value_bytes = found.member_memory() + 2 * m_conditions->memory();
  m_off_page_bytes_of_types = off_page_bytes_of_types(found);
  m_most_off_page_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(
      {m_off_page_bytes_of_types, m_request.batch_bytes / m_growth, most_off_page_bytes_of_row}));
  m_places.resize(m_columns.size());
  std::iota(m_places.begin(), m_places.end(), 0U);
  return {};
}

// Rows of which the columns alone would not pass the bytes asked for.
std::size_t Native_scan::rows_of_batch() const {
  std::size_t row_bytes = 1;
  for (const Scan_column &column : m_columns) row_bytes += width_of(column.layout);
  return std::clamp<std::size_t>(m_request.batch_bytes / row_bytes, 1, m_request.batch_rows);
}

Result<void> Native_scan::check_size(THD *thd, std::size_t size) const {
  if (size <= thd->variables.max_allowed_packet) return {};
  return fail(Code::too_large, "a batch may have " + std::to_string(size) +
                                   " bytes: ask for fewer, or raise max_allowed_packet = " +
                                   std::to_string(thd->variables.max_allowed_packet));
}

// By so much a batch may be larger than was asked for: a block, and one row.
std::size_t Native_scan::most_excess_bytes() const {
  return (bytes_of_block + most_record_bytes) * most_growth + m_most_off_page_bytes * m_growth;
}

Result<void> Native_scan::reserve(THD *thd) {
  const std::size_t most_bytes = m_request.batch_bytes + most_excess_bytes();
  if (auto fits = check_size(thd, most_bytes); !fits) return fits;
  const std::size_t cells =
      m_fields.size() * rows_of_block * (sizeof(void *) + sizeof(std::uint32_t));
  // A column that grows is copied to twice its size; the batch is put together beside the columns, in the place of the
  // one before, and copied once more by the server.
  const std::size_t converted = m_conditions->converts() ? 4 * most_excess_bytes() : 0;
  return m_memory.reserve(6 * most_bytes + cells + converted + most_excess_bytes() +
                          m_columns.size() * least_column_bytes + Page_copies::bytes() +
                          Leaf_scan::bytes() + Leaf_readahead::bytes() + m_value_bytes +
                          m_argument_bytes);
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
  if (m_last) *after = make_saved(tree.index, *m_last);
  const Record_layout layout(tree.index, m_fields);
  Leaf_scan scan(thd, tree, layout, upper->get(), *m_copies, *m_readahead);
  scan.seek(*after ? after->get() : lower->get(), *after != nullptr);
  m_batch->clear();
  instruments::Table_io io(lease.table());
  auto filled = fill(thd, tree, scan, layout, io);
  counters.scan_pages += static_cast<long long>(scan.pages_read());
  return filled;
}

Result<void> Native_scan::fill(THD *thd, const Tree &tree, Leaf_scan &scan,
                               const Record_layout &layout, instruments::Table_io &io) {
  while (!is_full()) {
    const auto records = scan.read(m_batch->room());
    if (!records) return std::unexpected(records.error());
    const auto taken = take(thd, tree, scan, layout, *records);
    if (!taken) return std::unexpected(taken.error());
    instruments::count_rows_examined(thd, *taken);
    io.add(*taken);
    if (*taken > 0) {
      auto key = scan.key_of((*records)[*taken - 1]);
      if (!key) return std::unexpected(key.error());
      m_last = std::move(*key);
    }
    if (*taken < records->size()) return {};
    if (scan.ended()) {
      m_place.end = Batch_end::range_ended;
      return {};
    }
  }
  return {};
}

bool Native_scan::is_full() const {
  return m_batch->room() == 0 || (m_batch->rows() > 0 && m_batch->size() >= m_request.batch_bytes);
}

// Returns how many records were read: fewer than there are if the batch is full or one cannot be read.
Result<std::size_t> Native_scan::take(THD *thd, const Tree &tree, const Leaf_scan &scan,
                                      const Record_layout &layout,
                                      std::span<const rec_t *const> records) {
  std::size_t taken = 0;
  while (taken < records.size() && !is_full() && m_place.end == Batch_end::more) {
    // Many conditions may take long on what one hold of latches brought.
    if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
    const std::size_t most = std::min(rows_of_block, m_batch->room());
    const auto located =
        locate(scan, layout, records.subspan(taken, std::min(most, records.size() - taken)));
    if (!located) return std::unexpected(located.error());
    const auto taken_of_block = take_block(thd, tree, *located);
    if (!taken_of_block) return std::unexpected(taken_of_block.error());
    taken += *taken_of_block;
  }
  return taken;
}

// Returns how many rows of the block were read: fewer than there are if one cannot be.
Result<std::uint32_t> Native_scan::take_block(THD *thd, const Tree &tree, std::uint32_t rows) {
  m_off_page->prepare(*m_cells, rows);
  const auto read = [&](std::span<const std::size_t> columns,
                        std::span<const std::uint32_t> wanted) -> Result<void> {
    const auto whole = m_off_page->read(thd, tree, *m_cells, columns, wanted);
    if (!whole) return std::unexpected(whole.error());
    if (*whole < rows) {
      m_place.end = Batch_end::stopped;
      rows = *whole;
    }
    return {};
  };
  const auto first = [&rows](std::span<std::uint32_t> numbers) {
    return numbers.first(
        static_cast<std::size_t>(std::ranges::lower_bound(numbers, rows) - numbers.begin()));
  };
  const std::span all(m_selected.data(), rows);
  std::iota(all.begin(), all.end(), 0U);
  if (auto done = read(m_conditions->places(), all); !done) return std::unexpected(done.error());
  const auto selected = first(all);
  const auto kept =
      selected.first(m_conditions->apply(*m_cells, selected, *m_scratch_of_conditions));
  if (auto done = read(m_places, kept); !done) return std::unexpected(done.error());
  append(first(kept));
  return rows;
}

Result<std::uint32_t> Native_scan::locate(const Leaf_scan &scan, const Record_layout &layout,
                                          std::span<const rec_t *const> records) {
  std::uint32_t rows = 0;
  std::size_t bytes = 0;
  m_cells->clear_off_page();
  for (const rec_t *rec : records) {
    const auto in_record = layout.locate(rec, scan.limit_of(rec), rows, *m_cells);
    if (!in_record) return fail(Code::unusable_table, "a record of the index is damaged");
    const std::size_t row_bytes = *in_record + Off_page_values::bytes_of_row(*m_cells, rows);
    // Also a NULL takes its place in a column.
    bytes += std::max(row_bytes * m_growth, m_batch->row_bytes()) + m_member_bytes;
    if (rows > 0 && bytes > bytes_of_block * most_growth) return rows;
    ++rows;
  }
  return rows;
}

void Native_scan::append(std::span<const std::uint32_t> selected) {
  const auto rows = static_cast<std::uint32_t>(selected.size());
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    if (!m_conditions->empty()) m_cells->keep(i, selected);
    fill_column(m_columns[i], {m_cells->data(i), m_cells->sizes(i), rows}, m_batch->rows(),
                m_batch->columns()[i], m_scratch);
  }
  m_batch->end_rows(rows);
}

// Where the rows after those read begin; empty if that is where the scan began, or where it ended.
Result<std::string> Native_scan::cursor(const Table_lease &lease) const {
  if (m_place.end == Batch_end::range_ended) return std::string();
  if (!m_last) return m_request.after.empty() ? std::string() : write_cursor(m_request.after);
  Boundary values;
  for (std::size_t i = 0; i < m_last->size(); ++i) {
    const auto &stored = (*m_last)[i];
    values.emplace_back();
    if (!stored) continue;
    auto decoded = decode_key(lease.parts()[i].column, *stored);
    if (!decoded) return std::unexpected(decoded.error());
    values.back() = std::move(*decoded);
  }
  return write_cursor(values);
}

}  // namespace pq
