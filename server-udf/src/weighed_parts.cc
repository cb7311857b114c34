#include "weighed_parts.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "pure/balance.h"

namespace pq {

namespace {

// Leaves that are looked at before it is known where the weight is.
constexpr std::size_t first_leaves = 1024;

// By leaves, by the leaves of these, and by rows.
constexpr int most_rounds = 3;

// So many parts make ranges even to a quarter of a range.
constexpr double parts_per_range = 4;

// Of one part, in one round.
constexpr double most_pieces = 256;

constexpr std::size_t most_part_bytes = 16 * 1024 * 1024;
constexpr std::size_t most_sample_bytes = 4 * 1024 * 1024;

// One leaf, but for what is rounded.
bool is_one_leaf(const Weighed_part &part) { return part.pages < 1.5; }

void add(Weighed_part &part, const Leaf_row &row, double times) {
  part.rows += times;
  part.bytes += times * row.bytes;
  part.off_page += times * row.off_page;
  part.values += row.values;
}

void even_out_off_page(std::vector<Weighed_part> &parts) {
  std::vector<Looked_at> seen;
  for (const Weighed_part &part : parts) seen.push_back({part.pages, part.values, part.off_page});
  even_out(seen);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].off_page = seen[i].bytes;
}

}  // namespace

Part_weigher::Part_weigher(THD *thd, const Tree &tree, const Walk_bounds &bounds,
                           const std::vector<Record_layout::Column> &columns)
    : m_thd(thd),
      m_tree(tree),
      m_bounds(bounds),
      m_key_fields(dict_index_get_n_unique_in_tree(tree.index)),
      m_leaves(thd, tree, columns),
      m_place(tree.index, m_key_fields) {}

Result<std::vector<Weighed_part>> Part_weigher::run(std::uint32_t ranges) {
  auto parts = find_parts(m_bounds.lower, m_bounds.upper, first_leaves);
  for (int round = 0; parts && round < most_rounds; ++round) {
    const auto divided = divide_heavy(*parts, ranges);
    if (!divided) return std::unexpected(divided.error());
    if (!*divided) break;
  }
  return parts;
}

// By the node pointers to leaves, so that it is known how many leaves each part has.
Result<Part_weigher::Parts> Part_weigher::find_parts(const Saved_key *start, const Saved_key *upper,
                                                     std::size_t most_parts) {
  Key_sample sample(2 * most_parts, most_sample_bytes, m_key_fields);
  Subtree_walk walk(m_thd, m_tree, {start, upper}, sample);
  const auto summary = walk.run({.separators_wanted = std::numeric_limits<std::uint64_t>::max(),
                                 .ranges_wanted = 0,
                                 .leaf = false});
  if (!summary) return std::unexpected(summary.error());
  Parts parts = parts_of(sample, most_parts);
  if (auto weighed = weigh(parts, start, upper); !weighed) {
    return std::unexpected(weighed.error());
  }
  if (!std::ranges::all_of(parts, is_one_leaf)) even_out_off_page(parts);
  return parts;
}

// Whether there were some.
Result<bool> Part_weigher::divide_heavy(Parts &parts, std::uint32_t ranges) {
  double total = 0;
  for (const Weighed_part &part : parts) total += part.weight();
  const double wanted = total / (parts_per_range * ranges);
  bool divided = false;
  Parts finer;
  std::unique_ptr<Saved_key> last;
  const Saved_key *start = m_bounds.lower;
  for (Weighed_part &part : parts) {
    auto end_key = end_of(part);
    if (part.weight() > wanted && !part.is_divided && may_go_on()) {
      auto pieces = divide(part, start, wanted);
      if (!pieces) return std::unexpected(pieces.error());
      std::ranges::move(*pieces, std::back_inserter(finer));
      divided = true;
    } else {
      finer.push_back(std::move(part));
    }
    last = std::move(end_key);
    start = last.get();
  }
  parts = std::move(finer);
  return divided;
}

Result<Part_weigher::Parts> Part_weigher::divide(const Weighed_part &part, const Saved_key *start,
                                                 double wanted) {
  if (is_one_leaf(part)) return divide_by_rows(part, start, wanted);
  const auto end_key = end_of(part);
  const auto pieces =
      static_cast<std::size_t>(std::clamp(part.weight() / wanted, 2.0, most_pieces));
  auto parts = find_parts(start, end_key ? end_key.get() : m_bounds.upper, pieces);
  if (parts) parts->back().end = part.end;
  return parts;
}

Result<Part_weigher::Parts> Part_weigher::divide_by_rows(const Weighed_part &part,
                                                         const Saved_key *start, double wanted) {
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
    if (piece.rows > 0 && piece.weight() + (row.bytes + row.off_page) / 2 > wanted) {
      end(piece, std::move(key));
      parts.push_back(std::move(piece));
      piece = {};
    }
    add(piece, row, 1);
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

// Not weighed yet; the last has no end.
Part_weigher::Parts Part_weigher::parts_of(const Key_sample &sample, std::size_t most_parts) {
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

Result<void> Part_weigher::weigh(Parts &parts, const Saved_key *start, const Saved_key *upper) {
  std::unique_ptr<Saved_key> last;
  for (Weighed_part &part : parts) {
    auto end_key = end_of(part);
    const bool is_last = end_key == nullptr;
    const auto rows = m_leaves.read(start);
    if (!rows) return std::unexpected(rows.error());
    // Of other leaves all rows are between two separators, unless the tree changes just now.
    const bool is_at_bound = is_one_leaf(part) && ((start != nullptr && start == m_bounds.lower) ||
                                                   (is_last && upper == m_bounds.upper));
    for (const Leaf_row &row : *rows) {
      if (is_at_bound) {
        Stored_key key;
        const auto inside = is_inside(row, start, upper, key);
        if (!inside) return std::unexpected(inside.error());
        if (!*inside) continue;
      }
      add(part, row, part.pages);
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
  return m_leaves.pages_read() < most_leaves && m_part_bytes < most_part_bytes;
}

void Part_weigher::end(Weighed_part &part, Stored_key key) {
  m_part_bytes += sizeof(part) + key.size() * sizeof(key.front());
  for (const auto &field : key) m_part_bytes += field ? field->size() : 0;
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
