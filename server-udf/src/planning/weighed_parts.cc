#include "planning/weighed_parts.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "pure/weight_balance.h"

namespace pq {

namespace {

// Leaves that are looked at before it is known where the weight is.
constexpr std::size_t first_leaves = 1024;

// Rounds by leaves, by the leaves of these, and by rows: of the leaves that may still be read, what
// each may have, so that the next can cut what it finds.
constexpr std::array round_shares{0.5, 0.75, 1.0};

// Four parts for each range make ranges even to a quarter of a range.
constexpr double parts_per_range = 4;

// Pieces of one part in one round.
constexpr double most_pieces = 256;

constexpr std::size_t most_part_bytes = 16 * 1024 * 1024;

double pieces_of(const Weighed_part &part, double wanted) {
  return std::clamp(part.weight() / wanted, 2.0, most_pieces);
}

Division division(const Weighed_part &part, double wanted) {
  if (part.is_divided || part.weight() <= wanted) return {part.weight(), 0};
  return {part.weight(), part.is_one_leaf() ? 1 : std::min(pieces_of(part, wanted), part.pages)};
}

}  // namespace

Result<std::vector<Weighed_part>> Part_weigher::run(std::uint32_t ranges) {
  auto parts = m_cutter.cut_by_leaves(m_bounds, first_leaves);
  if (!parts) return parts;
  for (const double share : round_shares) {
    const auto divided = divide_heavy(*parts, ranges, share);
    if (!divided) return std::unexpected(divided.error());
    if (!*divided) break;
  }
  return m_cutter.ascending(*parts);
}

// Whether there were some.
Result<bool> Part_weigher::divide_heavy(Parts &parts, std::uint32_t ranges, double share) {
  double total = 0;
  for (const Weighed_part &part : parts) total += part.weight();
  const double wanted = total / (parts_per_range * ranges);
  std::vector<Division> divisions;
  for (const Weighed_part &part : parts) divisions.push_back(division(part, wanted));
  const double left =
      static_cast<double>(most_leaves) - static_cast<double>(m_cutter.leaves_read());
  const std::vector<bool> chosen = choose_heaviest(divisions, share * left);
  bool divided = false;
  Parts finer;
  std::unique_ptr<Saved_key> last;
  const Saved_key *start = m_bounds.lower;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto end_key = m_cutter.end_of(parts[i]);
    if (chosen[i] && may_go_on()) {
      auto pieces = divide(parts[i], {start, end_key ? end_key.get() : m_bounds.upper}, wanted);
      if (!pieces) return std::unexpected(pieces.error());
      std::ranges::move(*pieces, std::back_inserter(finer));
      divided = true;
    } else {
      finer.push_back(std::move(parts[i]));
    }
    last = std::move(end_key);
    start = last.get();
  }
  parts = std::move(finer);
  return divided;
}

Result<Part_weigher::Parts> Part_weigher::divide(const Weighed_part &part,
                                                 const Walk_bounds &inside, double wanted) {
  if (part.is_one_leaf()) return m_cutter.cut_by_rows(part, inside, wanted);
  auto parts = m_cutter.cut_by_leaves(inside, static_cast<std::size_t>(pieces_of(part, wanted)));
  if (parts) parts->back().end = part.end;
  return parts;
}

bool Part_weigher::may_go_on() const {
  return m_cutter.leaves_read() < most_leaves && m_cutter.part_bytes() < most_part_bytes;
}

}  // namespace pq
