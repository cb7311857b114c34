#include "scan/batch_filler.h"

#include <algorithm>
#include <numeric>

#include "server/settings.h"
#include "server/statement_context.h"

namespace pq {

namespace {

// The cells of this many rows are decoded together, so that pointers to them stay in the
// processor's cache.
constexpr std::uint32_t rows_of_block = 512;

// The cells of a block have no more bytes than this, unless the block has only one row.
constexpr std::size_t bytes_of_block = 64 * 1024;

// A row has no more bytes in its record.
constexpr std::size_t most_record_bytes = 64 * 1024;

// Column_buffer takes some memory at least.
constexpr std::size_t least_column_bytes = 4096;

constexpr std::uint32_t blocks_after_one_in_vain = 15;

// After this many rows that are grouped, or of which the first ones are kept, the table is let go
// of for a moment.
constexpr std::uint32_t rows_of_hold = 64 * 1024;

// The values of a block that are not of fixed width.
std::size_t most_data_of_block(const Scan_contents &contents) {
  return (bytes_of_block + most_record_bytes) * most_growth +
         contents.most_off_page_bytes() * contents.growth();
}

// A batch may be larger than was asked for, by a block and one row. Each text of an expression is
// part of a text, or a constant.
std::size_t most_excess_bytes(const Scan_contents &contents) {
  const Scan_expressions &expressions = contents.expressions();
  const std::size_t data = most_data_of_block(contents);
  return data +
         expressions.texts() * (data + rows_of_block * expressions.program().longest_constant());
}

// The groups of a batch may have more texts than were asked for, too: those of a block for each
// function that keeps texts.
std::size_t most_excess_texts(const Scan_contents &contents, const Scan_request &request) {
  if (!request.aggregation) return 0;
  const std::size_t most_of_block =
      std::min(most_data_of_block(contents) +
                   rows_of_block * contents.expressions().program().longest_constant(),
               rows_of_block * Group_table::most_text_bytes);
  return Group_table::texts(contents.layouts(), *request.aggregation) * most_of_block;
}

// How many rows fit into the bytes that were asked for, if the data of columns does not count.
std::uint32_t rows_of_batch(const Scan_contents &contents, const Scan_request &request) {
  if (request.aggregation) return rows_of_block;
  std::size_t row_bytes = 1;
  for (const Layout layout : contents.layouts()) row_bytes += width_of(layout);
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(request.batch_bytes / row_bytes, 1, request.batch_rows));
}

}  // namespace

std::size_t Batch_filler::most_bytes(const Scan_contents &contents, const Scan_request &request) {
  const std::size_t groups_of_block =
      request.aggregation ? rows_of_block * Group_table::most_row_bytes(*request.aggregation) : 0;
  return request.batch_bytes + most_excess_bytes(contents) + most_excess_texts(contents, request) +
         groups_of_block;
}

std::size_t Batch_filler::memory(const Scan_contents &contents, const Scan_request &request) {
  const std::size_t excess = most_excess_bytes(contents);
  const std::size_t bytes = most_bytes(contents, request);
  const std::size_t cells = (contents.fields().size() + contents.order_fields().size() + 2) *
                            rows_of_block * (sizeof(void *) + sizeof(std::uint32_t));
  const bool evaluates =
      !contents.expressions().empty() || !contents.where().empty() || !contents.order().empty();
  const std::size_t evaluated =
      Scan_expressions::Values::memory(contents.expressions(), rows_of_block) +
      Scan_expressions::Values::memory(contents.where(), rows_of_block) +
      2 * Scan_expressions::Values::memory(contents.order(), rows_of_block) +
      (request.first
           ? First_rows::memory(*request.first, rows_of_block, rows_of_batch(contents, request))
           : 0) +
      (evaluates ? 3 * most_data_of_block(contents) : 0) +
      (contents.order().empty() ? 0 : 4 * most_data_of_block(contents));
  const std::size_t converted = contents.conditions().converts() ? 4 * excess : 0;
  // A column that grows is copied to twice its size. The batch is put together beside the columns,
  // in the place of the one before, and copied once more by the server.
  const std::size_t batch =
      request.aggregation
          ? 3 * excess + 3 * bytes +
                Group_table::memory(*request.aggregation, request.batch_rows + rows_of_block, bytes)
          : 6 * bytes;
  return batch + cells + evaluated + converted + excess +
         contents.columns().size() * least_column_bytes + Page_copies::bytes() +
         Leaf_scan::bytes() + Leaf_readahead::bytes();
}

Batch_filler::Batch_filler(const Scan_contents &contents, const Scan_request &request)
    : m_contents(contents),
      m_bytes_wanted(request.batch_bytes),
      m_groups_wanted(request.batch_rows),
      m_form(request.form),
      m_cells(contents.fields().size(), rows_of_block),
      m_off_page(contents.most_off_page_bytes()),
      m_places(contents.columns().size()),
      m_selected(rows_of_block),
      m_expressions(contents.expressions(), rows_of_block),
      m_where(contents.where(), rows_of_block),
      m_order(contents.order(), rows_of_block),
      m_order_cells(contents.order_fields().size(), rows_of_block),
      m_order_alone(contents.order_alone(), rows_of_block),
      m_possible(rows_of_block),
      m_possible_records(rows_of_block),
      m_scratch_of_conditions(rows_of_block),
      m_batch(contents.layouts(), rows_of_batch(contents, request),
              2 * most_bytes(contents, request)) {
  std::iota(m_places.begin(), m_places.end(), 0U);
  if (request.first) {
    m_first.emplace(*request.first, contents.order().program(), rows_of_block,
                    rows_of_batch(contents, request));
  }
  if (request.aggregation) {
    m_groups.emplace(contents.layouts(), *request.aggregation, contents.floating());
  }
}

void Batch_filler::begin_batch() {
  m_rows_filled = 0;
  m_rows_of_batch = 0;
  m_rows_wanted = UINT64_MAX;
  m_batch.clear();
  if (m_first) m_first->begin_batch();
  if (m_groups) m_groups->clear();
}

void Batch_filler::begin_piece(std::uint64_t rows) {
  m_rows_wanted = rows;
  if (m_first) m_first->begin_piece();
}

std::uint32_t Batch_filler::write(const Batch_place &place, std::string &batch) const {
  if (!m_groups) {
    m_batch.write(place, batch, m_form);
    return m_batch.rows();
  }
  m_groups->result().write(place, batch, m_form);
  return m_groups->groups();
}

Result<void> Batch_filler::fill(THD *thd, const Table_lease &lease, const Range &range,
                                Scan_position &position, Scan_validator *validator) {
  const Tree &tree = *lease.tree();
  Record_layout layout(tree.index, m_contents.fields());
  layout.describe(m_cells);
  Record_layout order_layout(tree.index, m_contents.order_fields());
  order_layout.describe(m_order_cells);
  Leaf_scan scan(thd, tree, layout, range.upper, m_copies, m_readahead);
  scan.seek(range.start, range.beyond);
  m_rows_filled = 0;
  m_rows_read = 0;
  instruments::Table_io io(lease.table());
  auto filled = fill_from({thd, tree, layout, order_layout, scan}, io, position);
  if (m_first) keep_first();
  counters.scan_pages += static_cast<long long>(scan.pages_read());
  if (validator != nullptr) validator->note(scan);
  return filled;
}

Result<void> Batch_filler::fill_from(const Source &source, instruments::Table_io &io,
                                     Scan_position &position) {
  while (room() > 0 && !has_read_enough()) {
    const std::uint64_t left = m_rows_wanted - m_rows_of_batch;
    const auto records =
        source.scan.read(static_cast<std::uint32_t>(std::min<std::uint64_t>(room(), left)));
    if (!records) return std::unexpected(records.error());
    const auto taken = take(source, *records, position);
    if (!taken) return std::unexpected(taken.error());
    instruments::count_rows_examined(source.thd, *taken);
    io.add(*taken);
    if (*taken > 0) {
      auto key = source.scan.key_of((*records)[*taken - 1]);
      if (!key) return std::unexpected(key.error());
      position.pass(std::move(*key));
    }
    if (*taken < records->size()) return {};
    if (source.scan.ended()) {
      position.end(Batch_end::range_ended);
      return {};
    }
  }
  return {};
}

bool Batch_filler::is_full() const {
  if (m_groups) {
    // Without columns to group by there is one group from the beginning.
    return !m_groups->has_one_group() &&
           (m_groups->groups() >= m_groups_wanted || m_groups->size() >= m_bytes_wanted);
  }
  return m_batch.room() == 0 || (m_batch.rows() > 0 && m_batch.size() >= m_bytes_wanted);
}

// How many rows more fill() may read.
std::uint32_t Batch_filler::room() const {
  if (is_full()) return 0;
  const std::uint32_t of_hold = rows_of_hold - std::min(rows_of_hold, m_rows_read);
  if (m_groups) return of_hold;
  return m_first ? std::min(of_hold, m_batch.room()) : m_batch.room();
}

// Returns how many records were read: fewer than there are if the batch is full or one cannot be
// read.
Result<std::size_t> Batch_filler::take(const Source &source, std::span<const rec_t *const> records,
                                       Scan_position &position) {
  std::size_t taken = 0;
  while (taken < records.size() && room() > 0 && !position.has_ended()) {
    // Many conditions may take long on what one hold of latches brought.
    if (auto running = check_interrupted(source.thd); !running) {
      return std::unexpected(running.error());
    }
    const std::size_t most = std::min(rows_of_block, room());
    const auto block = records.subspan(taken, std::min(most, records.size() - taken));
    const auto taken_of_block = m_first && m_first->is_full() && looks_first()
                                    ? take_first(source, block, position)
                                    : take_records(source, block, position);
    if (!taken_of_block) return std::unexpected(taken_of_block.error());
    taken += *taken_of_block;
    m_rows_read += *taken_of_block;
    m_rows_of_batch += *taken_of_block;
  }
  return taken;
}

// Returns how many of the records were read.
Result<std::uint32_t> Batch_filler::take_records(const Source &source,
                                                 std::span<const rec_t *const> records,
                                                 Scan_position &position) {
  const auto located = locate(source, records);
  if (!located) return located;
  return take_block(source, *located, position);
}

// If most rows of a block may be among the first ones, so may those of the following blocks, and a
// first look at them costs more than it spares.
bool Batch_filler::looks_first() {
  if (m_blocks_in_vain == 0) return true;
  --m_blocks_in_vain;
  return false;
}

// The same, but looks at most records only as far as it takes to know that they come too late.
Result<std::uint32_t> Batch_filler::take_first(const Source &source,
                                               std::span<const rec_t *const> records,
                                               Scan_position &position) {
  const std::uint32_t possible = find_possible(source, records);
  if (possible == 0) return static_cast<std::uint32_t>(records.size());
  if (possible > records.size() / 2) m_blocks_in_vain = blocks_after_one_in_vain;
  for (std::uint32_t i = 0; i < possible; ++i) m_possible_records[i] = records[m_possible[i]];
  const auto taken = take_records(source, std::span(m_possible_records).first(possible), position);
  if (!taken) return taken;
  return *taken == possible ? static_cast<std::uint32_t>(records.size()) : m_possible[*taken];
}

// Finds the records that may be among the first ones: all where that cannot be told.
std::uint32_t Batch_filler::find_possible(const Source &source,
                                          std::span<const rec_t *const> records) {
  const std::span all(m_possible.data(), records.size());
  std::iota(all.begin(), all.end(), 0U);
  m_order_cells.clear_off_page();
  std::size_t bytes = 0;
  for (std::uint32_t row = 0; row < records.size(); ++row) {
    const rec_t *rec = records[row];
    const std::size_t in_record =
        source.order_layout.locate(rec, source.scan.limit_of(rec), row, m_order_cells);
    if (in_record == Record_layout::damaged) return static_cast<std::uint32_t>(records.size());
    bytes += in_record * m_contents.growth() + m_contents.member_bytes();
    if (bytes > bytes_of_block * most_growth) return static_cast<std::uint32_t>(records.size());
  }
  if (!m_order_cells.off_page().empty() || !m_order_alone.evaluate(m_order_cells, all)) {
    return static_cast<std::uint32_t>(records.size());
  }
  return m_first->keep_possible(m_order_alone.values(), all);
}

// Returns how many rows of the block were read: fewer than there are if one cannot be.
Result<std::uint32_t> Batch_filler::take_block(const Source &source, std::uint32_t rows,
                                               Scan_position &position) {
  m_off_page.prepare(m_cells, rows);
  const auto read = [&](std::span<const std::size_t> columns,
                        std::span<const std::uint32_t> wanted) -> Result<void> {
    const auto whole = m_off_page.read(source.thd, source.tree, m_cells, columns, wanted);
    if (!whole) return std::unexpected(whole.error());
    if (*whole < rows) {
      position.end(Batch_end::stopped);
      rows = *whole;
    }
    return {};
  };
  const auto first = [&rows](std::span<std::uint32_t> numbers) {
    return numbers.first(
        static_cast<std::size_t>(std::ranges::lower_bound(numbers, rows) - numbers.begin()));
  };
  const Scan_conditions &conditions = m_contents.conditions();
  const std::span all(m_selected.data(), rows);
  std::iota(all.begin(), all.end(), 0U);
  if (auto done = read(conditions.places(), all); !done) return std::unexpected(done.error());
  const auto selected = first(all);
  auto kept = selected.first(conditions.apply(m_cells, selected, m_scratch_of_conditions));
  if (!m_contents.where().empty()) {
    if (auto done = read(m_contents.where().places(), kept); !done) {
      return std::unexpected(done.error());
    }
    kept = first(kept);
    if (!m_where.evaluate(m_cells, kept)) return stop_before_block(position);
    kept = kept.first(m_where.keep_true(kept));
  }
  if (m_first) {
    if (auto done = read(m_contents.order().places(), kept); !done) {
      return std::unexpected(done.error());
    }
    kept = first(kept);
    if (!m_order.evaluate(m_cells, kept)) return stop_before_block(position);
    kept = kept.first(m_first->keep(m_order.values(), kept));
  }
  if (auto done = read(m_places, kept); !done) return std::unexpected(done.error());
  if (auto done = read(m_contents.expressions().places(), kept); !done) {
    return std::unexpected(done.error());
  }
  kept = first(kept);
  if (!m_expressions.evaluate(m_cells, kept)) return stop_before_block(position);
  return append(kept) ? rows : stop_before_block(position);
}

// No row of it can be read in this way.
std::uint32_t Batch_filler::stop_before_block(Scan_position &position) {
  position.end(Batch_end::stopped);
  return 0;
}

Result<std::uint32_t> Batch_filler::locate(const Source &source,
                                           std::span<const rec_t *const> records) {
  std::uint32_t rows = 0;
  std::size_t bytes = 0;
  m_cells.clear_off_page();
  for (const rec_t *rec : records) {
    const std::size_t in_record =
        source.layout.locate(rec, source.scan.limit_of(rec), rows, m_cells);
    if (in_record == Record_layout::damaged) {
      return fail(Code::unusable_table, "a record of the index is damaged");
    }
    const std::size_t row_bytes = in_record + Off_page_values::bytes_of_row(m_cells, rows);
    // A NULL takes its place in a column, too.
    bytes +=
        std::max(row_bytes * m_contents.growth(), m_batch.row_bytes()) + m_contents.member_bytes();
    if (rows > 0 && bytes > bytes_of_block * most_growth) return rows;
    ++rows;
  }
  return rows;
}

// False if a text is too long for a group. Nothing is appended then.
bool Batch_filler::append(std::span<const std::uint32_t> selected) {
  const auto rows = static_cast<std::uint32_t>(selected.size());
  const std::vector<Scan_column> &columns = m_contents.columns();
  if (!m_contents.conditions().empty() || !m_contents.where().empty() || m_first) {
    m_cells.keep(columns.size(), selected);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    fill_column(columns[i], m_cells.cells(i, rows), m_batch.rows(), m_batch.columns()[i],
                m_scratch);
  }
  m_expressions.append_to(std::span(m_batch.columns()).subspan(columns.size()), m_batch.rows());
  m_batch.end_rows(rows);
  if (m_groups && !m_groups->takes(m_batch)) {
    m_batch.clear();
    return false;
  }
  m_rows_filled += rows;
  if (m_first) {
    m_first->add_to_batch(rows);
    // It leaves half of the rows out at least, unless texts are cut.
    if (is_full() && m_batch.rows() / 2 >= m_first->wanted()) keep_first();
  }
  if (!m_groups) return true;
  m_groups->add(m_batch);
  m_batch.clear();
  return true;
}

void Batch_filler::keep_first() { m_batch.keep(m_first->keep_of_batch()); }

}  // namespace pq
