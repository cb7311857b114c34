#include "weighed_parts.h"

#include <algorithm>
#include <iterator>

namespace pq {

namespace {

// Leaves that are looked at before it is known where the weight is.
constexpr std::size_t first_leaves = 1024;

// By subtrees, by the subtrees of these, and by rows.
constexpr int most_rounds = 3;

// So many parts make ranges even to a quarter of a range.
constexpr double parts_per_range = 4;

// Of one part, in one round.
constexpr double most_pieces = 256;

constexpr std::size_t most_key_bytes = 8 * 1024 * 1024;

}  // namespace

Part_weigher::Part_weigher(THD *thd, const Tree &tree, const Walk_bounds &bounds,
                           const std::vector<Record_layout::Column> &columns)
    : m_thd(thd),
      m_tree(tree),
      m_bounds(bounds),
      m_key_fields(dict_index_get_n_unique_in_tree(tree.index)),
      m_leaves(thd, tree, columns),
      m_place(tree.index, m_key_fields) {}

Result<std::vector<Weighed_part>> Part_weigher::run(const Key_sample &sample, double pages_per_unit,
                                                    std::uint32_t ranges) {
  Parts parts = parts_of(sample, pages_per_unit, first_leaves);
  if (auto weighed = weigh(parts, m_bounds.lower); !weighed) {
    return std::unexpected(weighed.error());
  }
  for (int round = 0; round < most_rounds; ++round) {
    const auto divided = divide_heavy(parts, ranges);
    if (!divided) return std::unexpected(divided.error());
    if (!*divided) break;
  }
  return parts;
}

// Whether there were some.
Result<bool> Part_weigher::divide_heavy(Parts &parts, std::uint32_t ranges) {
  double total = 0;
  for (const Weighed_part &part : parts) total += part.bytes;
  const double bytes_wanted = total / (parts_per_range * ranges);
  bool divided = false;
  Parts finer;
  std::unique_ptr<Saved_key> last;
  const Saved_key *start = m_bounds.lower;
  for (const Weighed_part &part : parts) {
    if (part.bytes > bytes_wanted && !part.is_divided && may_go_on()) {
      auto pieces = divide(part, start, bytes_wanted);
      if (!pieces) return std::unexpected(pieces.error());
      std::ranges::move(*pieces, std::back_inserter(finer));
      divided = true;
    } else {
      finer.push_back(part);
    }
    last = end_of(part);
    start = last.get();
  }
  parts = std::move(finer);
  return divided;
}

Result<Part_weigher::Parts> Part_weigher::divide(const Weighed_part &part, const Saved_key *start,
                                                 double bytes_wanted) {
  const bool is_leaf = part.pages < 1.5;
  return is_leaf ? divide_by_rows(part, start, bytes_wanted)
                 : divide_by_subtrees(part, start, bytes_wanted);
}

Result<Part_weigher::Parts> Part_weigher::divide_by_subtrees(const Weighed_part &part,
                                                             const Saved_key *start,
                                                             double bytes_wanted) {
  const auto pieces =
      static_cast<std::size_t>(std::clamp(part.bytes / bytes_wanted, 2.0, most_pieces));
  const auto end_key = end_of(part);
  const Saved_key *upper = end_key ? end_key.get() : m_bounds.upper;
  Key_sample sample(2 * pieces, std::max<std::size_t>(2 * pieces * 64, srv_page_size),
                    m_key_fields);
  Subtree_walk walk(m_thd, m_tree, {start, upper}, sample);
  const auto summary = walk.run({.separators_wanted = pieces, .ranges_wanted = 0, .leaf = false});
  if (!summary) return std::unexpected(summary.error());
  if (sample.size() == 0) {
    // Only rows can tell more.
    Parts same{part};
    same.front().pages = 1;
    return same;
  }
  const double units = static_cast<double>(sample.offered() + 1);
  Parts parts = parts_of(sample, summary->level == 1 ? 1.0 : part.pages / units, pieces);
  parts.back().end = part.end;
  if (auto weighed = weigh(parts, start); !weighed) return std::unexpected(weighed.error());
  return parts;
}

Result<Part_weigher::Parts> Part_weigher::divide_by_rows(const Weighed_part &part,
                                                         const Saved_key *start,
                                                         double bytes_wanted) {
  const auto rows = m_leaves.read(start);
  if (!rows) return std::unexpected(rows.error());
  const auto end_key = end_of(part);
  const Saved_key *upper = end_key ? end_key.get() : m_bounds.upper;
  Parts parts;
  Weighed_part piece;
  for (const Leaf_row &row : *rows) {
    Stored_key key;
    const auto inside = is_inside(row, start, upper, key);
    if (!inside) return std::unexpected(inside.error());
    if (!*inside) continue;
    if (piece.rows > 0 && piece.bytes + row.bytes / 2 > bytes_wanted) {
      end(piece, std::move(key));
      parts.push_back(std::move(piece));
      piece = {};
    }
    piece.rows += 1;
    piece.bytes += row.bytes;
    piece.pages += 1 / static_cast<double>(rows->size());
    piece.is_divided = true;
  }
  if (parts.empty()) piece = part;
  piece.end = part.end;
  piece.is_divided = true;
  parts.push_back(std::move(piece));
  return parts;
}

// Not weighed yet; the last has no end.
Part_weigher::Parts Part_weigher::parts_of(const Key_sample &sample, double pages_per_unit,
                                           std::size_t most_parts) {
  const std::size_t step = std::max<std::size_t>((sample.size() + most_parts - 1) / most_parts, 1);
  Parts parts;
  std::uint64_t passed = 0;
  const auto add = [&](std::uint64_t units) -> Weighed_part & {
    parts.push_back({.end = {}, .pages = pages_per_unit * static_cast<double>(units - passed)});
    passed = units;
    return parts.back();
  };
  for (std::size_t kept = step - 1; kept < sample.size(); kept += step) {
    end(add(sample.ordinal(kept)), sample.key(kept));
  }
  add(sample.offered() + 1);
  return parts;
}

Result<void> Part_weigher::weigh(Parts &parts, const Saved_key *start) {
  std::unique_ptr<Saved_key> last;
  for (Weighed_part &part : parts) {
    auto end_key = end_of(part);
    const Saved_key *upper = end_key ? end_key.get() : m_bounds.upper;
    const auto rows = m_leaves.read(start);
    if (!rows) return std::unexpected(rows.error());
    // Of other leaves all rows are between two separators, unless the tree changes just now.
    const bool is_at_bound = (start != nullptr && start == m_bounds.lower) ||
                             (upper != nullptr && upper == m_bounds.upper);
    for (const Leaf_row &row : *rows) {
      if (is_at_bound) {
        Stored_key key;
        const auto inside = is_inside(row, start, upper, key);
        if (!inside) return std::unexpected(inside.error());
        if (!*inside) continue;
      }
      part.rows += part.pages;
      part.bytes += part.pages * row.bytes;
    }
    last = std::move(end_key);
    start = last.get();
  }
  return {};
}

Result<bool> Part_weigher::is_inside(const Leaf_row &row, const Saved_key *start,
                                     const Saved_key *upper, Stored_key &key) {
  auto read = m_leaves.key_of(row);
  if (!read) return std::unexpected(read.error());
  key = std::move(*read);
  m_place.save(std::vector<Field_value>(key.begin(), key.end()));
  return (start == nullptr || !m_place.precedes(*start, m_tree.index)) &&
         (upper == nullptr || m_place.precedes(*upper, m_tree.index));
}

bool Part_weigher::may_go_on() const {
  return m_leaves.pages_read() < most_leaves && m_key_bytes < most_key_bytes;
}

void Part_weigher::end(Weighed_part &part, Stored_key key) {
  for (const auto &field : key) m_key_bytes += field ? field->size() : 0;
  part.end = std::move(key);
}

// Null if the part has none.
std::unique_ptr<Saved_key> Part_weigher::end_of(const Weighed_part &part) const {
  if (!part.end) return nullptr;
  auto key = std::make_unique<Saved_key>(m_tree.index, m_key_fields);
  key->save(std::vector<Field_value>(part.end->begin(), part.end->end()));
  return key;
}

}  // namespace pq
