#include "planning/part_cutter.h"

#include <algorithm>
#include <limits>

#include "pure/seen_values.h"

namespace pq {

namespace {

constexpr std::size_t most_sample_bytes = 4 * 1024 * 1024;

void even_out_off_page(std::vector<Weighed_part> &parts) {
  std::vector<Looked_at> seen;
  for (const Weighed_part &part : parts) seen.push_back({part.pages, part.values, part.off_page});
  doubt_beginnings(seen);
  even_out(seen);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].off_page = seen[i].bytes;
}

}  // namespace

void Weighed_part::add(const Leaf_row &row, double times) {
  rows += times;
  bytes += times * row.bytes;
  off_page += times * row.off_page;
  values += row.values;
}

void Weighed_part::take(const Weighed_part &other) {
  pages += other.pages;
  rows += other.rows;
  bytes += other.bytes;
  off_page += other.off_page;
  values += other.values;
}

Part_cutter::Part_cutter(THD *thd, const Tree &tree, const Walk_bounds &bounds,
                         const std::vector<Record_layout::Column> &columns)
    : m_thd(thd),
      m_tree(tree),
      m_bounds(bounds),
      m_key_fields(dict_index_get_n_unique_in_tree(tree.index)),
      m_leaves(thd, tree, columns) {}

Result<Part_cutter::Parts> Part_cutter::cut_by_leaves(const Walk_bounds &inside,
                                                      std::size_t most_parts) {
  Key_sample sample(2 * most_parts, most_sample_bytes, m_key_fields);
  Subtree_walk walk(m_thd, m_tree, inside, sample);
  const auto summary = walk.run({.separators_wanted = std::numeric_limits<std::uint64_t>::max(),
                                 .ranges_wanted = 0,
                                 .leaf = false});
  if (!summary) return std::unexpected(summary.error());
  Parts parts = parts_of(sample, most_parts);
  if (auto weighed = weigh(parts, inside); !weighed) return std::unexpected(weighed.error());
  if (!std::ranges::all_of(parts, &Weighed_part::is_one_leaf)) even_out_off_page(parts);
  return parts;
}

// Not weighed yet.
Part_cutter::Parts Part_cutter::parts_of(const Key_sample &sample, std::size_t most_parts) {
  const std::size_t step = std::max<std::size_t>((sample.size() + most_parts - 1) / most_parts, 1);
  Parts parts;
  std::uint64_t passed = 0;
  const auto add_part = [&](std::uint64_t leaves) -> Weighed_part & {
    parts.push_back({.end = {}, .pages = static_cast<double>(leaves - passed)});
    passed = leaves;
    return parts.back();
  };
  for (std::size_t kept = step - 1; kept < sample.size(); kept += step) {
    end(add_part(sample.ordinal(kept)), sample.key(kept));
  }
  add_part(sample.offered() + 1);
  return parts;
}

Result<void> Part_cutter::weigh(Parts &parts, const Walk_bounds &inside) {
  std::unique_ptr<Saved_key> last;
  const Saved_key *start = inside.lower;
  for (Weighed_part &part : parts) {
    auto end_key = end_of(part);
    const Walk_bounds ends{start, end_key ? end_key.get() : inside.upper};
    auto weighed = part.is_one_leaf() ? weigh_leaf(part, ends) : weigh_leaves(part, ends);
    if (!weighed) return weighed;
    last = std::move(end_key);
    start = last.get();
  }
  return {};
}

Result<void> Part_cutter::weigh_leaf(Weighed_part &part, const Walk_bounds &inside) {
  const auto rows = m_leaves.read(inside.lower);
  if (!rows) return std::unexpected(rows.error());
  // All rows of other leaves are between two separators, unless the tree changes just now.
  const bool is_at_bound = (inside.lower != nullptr && inside.lower == m_bounds.lower) ||
                           (inside.upper != nullptr && inside.upper == m_bounds.upper);
  for (const Leaf_row &row : *rows) {
    if (is_at_bound) {
      const auto key = m_leaves.key_inside(row, inside);
      if (!key) return std::unexpected(key.error());
      if (!*key) continue;
    }
    part.add(row, part.pages);
  }
  return {};
}

// Weighs by the first leaf. The last part is weighed by its last leaf, too, because the newest rows
// of a growing table are there.
Result<void> Part_cutter::weigh_leaves(Weighed_part &part, const Walk_bounds &inside) {
  const bool is_at_end = inside.upper == m_bounds.upper;
  const double times = is_at_end ? part.pages / 2 : part.pages;
  const auto first = m_leaves.read(inside.lower);
  if (!first) return std::unexpected(first.error());
  for (const Leaf_row &row : *first) part.add(row, times);
  if (!is_at_end) return {};
  const auto last = m_leaves.read_last(inside.upper);
  if (!last) return std::unexpected(last.error());
  for (const Leaf_row &row : *last) part.add(row, times);
  return {};
}

Result<Part_cutter::Parts> Part_cutter::cut_by_rows(const Weighed_part &part,
                                                    const Walk_bounds &inside, double wanted) {
  const auto rows = m_leaves.read(inside.lower);
  if (!rows) return std::unexpected(rows.error());
  Parts parts;
  Weighed_part piece;
  for (const Leaf_row &row : *rows) {
    auto key = m_leaves.key_inside(row, inside);
    if (!key) return std::unexpected(key.error());
    if (!*key) continue;
    if (piece.rows > 0 && piece.weight() + (row.bytes + row.off_page) / 2 > wanted) {
      end(piece, std::move(**key));
      parts.push_back(std::move(piece));
      piece = {};
    }
    piece.add(row, 1);
    piece.pages += 1 / static_cast<double>(rows->size());
    piece.is_divided = true;
  }
  // The tree may have changed meanwhile.
  if (parts.empty() && piece.rows == 0) piece = part;
  piece.end = part.end;
  piece.is_divided = true;
  parts.push_back(std::move(piece));
  return parts;
}

Part_cutter::Parts Part_cutter::ascending(const Parts &parts) const {
  Parts kept;
  Weighed_part before;  // what is one with the next
  std::unique_ptr<Saved_key> last;
  for (const Weighed_part &part : parts) {
    auto end_key = end_of(part);
    if (end_key && last && !last->precedes(*end_key, m_tree.index)) {
      before.take(part);
      continue;
    }
    kept.push_back(part);
    kept.back().take(before);
    before = {};
    last = std::move(end_key);
  }
  return kept;
}

void Part_cutter::end(Weighed_part &part, Stored_key key) {
  m_part_bytes += sizeof(part) + key.size() * sizeof(key.front());
  for (const auto &field : key) m_part_bytes += field ? field->size() : 0;
  part.end = std::move(key);
}

std::unique_ptr<Saved_key> Part_cutter::end_of(const Weighed_part &part) const {
  if (!part.end) return nullptr;
  auto key = std::make_unique<Saved_key>(m_tree.index, m_key_fields);
  key->save(std::vector<Field_value>(part.end->begin(), part.end->end()));
  return key;
}

}  // namespace pq
