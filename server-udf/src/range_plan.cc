#include "range_plan.h"

#include <algorithm>

#include "bounds.h"
#include "definition.h"
#include "native_scan.h"
#include "pure/balance.h"
#include "pure/size_estimate.h"
#include "subtree_walk.h"
#include "table_lease.h"

namespace pq {

namespace {

// Subtrees wanted per range: the fill of a page varies by a factor of about two, so that ranges of 16
// subtrees even it out.
constexpr std::uint64_t separators_per_range = 16;

// Kept per range; halving the sample leaves at least half of them.
constexpr std::uint64_t samples_per_range = 32;
constexpr std::uint64_t most_samples = 128 * 1024;
constexpr std::uint64_t most_sampled_fields = 512 * 1024;
constexpr std::uint64_t most_room_bytes = 8 * 1024 * 1024;

std::size_t sample_size(std::uint32_t count, std::size_t fields) {
  return std::min({samples_per_range * count, most_samples,
                   most_sampled_fields / std::max<std::size_t>(fields, 1)});
}

// Makes the walk and turns what it sampled into a reply.
class Range_planner final {
 public:
  Range_planner(THD *thd, const Range_request &request, const Table_lease &lease)
      : m_thd(thd), m_request(request), m_lease(lease) {}

  Result<Range_reply> plan();

 private:
  Result<void> make_bounds();
  Result<Walk_summary> walk(Key_sample &sample);
  Result<Range_reply> describe(const Key_sample &sample, const Walk_summary &summary);
  std::vector<std::size_t> starts_of_runs(const Key_sample &sample) const;
  Result<void> add_boundaries(Range_reply &reply, const Key_sample &sample,
                              const std::vector<std::size_t> &cuts);
  Result<Boundary> decode(const Key_sample &sample, std::size_t cut);
  Size_estimates estimate(const Separators &separators, const std::vector<std::size_t> &cuts,
                          const Walk_summary &summary);
  Tree_statistics read_statistics();

  THD *m_thd;
  const Range_request &m_request;
  const Table_lease &m_lease;
  std::unique_ptr<Saved_key> m_lower;
  std::unique_ptr<Saved_key> m_upper;
};

Result<Range_reply> Range_planner::plan() {
  if (m_lease.tree() == nullptr) {
    return fail(Code::bad_argument, "options.partition must be given: the table is partitioned");
  }
  if (auto known = check_supported(m_lease.parts()); !known) return std::unexpected(known.error());
  if (auto made = make_bounds(); !made) return std::unexpected(made.error());
  if (m_request.scan != nullptr) {
    const auto readable = Native_scan(*m_request.scan).check(m_thd, m_lease);
    if (!readable) return std::unexpected(readable.error());
  }
  std::uint64_t key_bytes = 0;
  for (const Key_part &part : m_lease.parts()) key_bytes += part.column.max_bytes;
  if (ends_with_row_id(*m_lease.tree())) key_bytes += DATA_ROW_ID_LEN;
  const std::size_t keys = sample_size(m_request.count, m_lease.parts().size());
  Key_sample sample(keys, std::clamp<std::uint64_t>(keys * key_bytes, 1, most_room_bytes),
                    m_lease.parts().size());
  const auto summary = walk(sample);
  if (!summary) return std::unexpected(summary.error());
  return describe(sample, *summary);
}

Result<void> Range_planner::make_bounds() {
  auto lower = make_bound(*m_lease.tree(), m_lease.parts(), m_request.lower);
  if (!lower) return std::unexpected(lower.error());
  auto upper = make_bound(*m_lease.tree(), m_lease.parts(), m_request.upper);
  if (!upper) return std::unexpected(upper.error());
  m_lower = std::move(*lower);
  m_upper = std::move(*upper);
  return {};
}

Result<Walk_summary> Range_planner::walk(Key_sample &sample) {
  Subtree_walk walk(m_thd, *m_lease.tree(), {m_lower.get(), m_upper.get()}, sample);
  return walk.run({separators_per_range * m_request.count, m_request.count, m_request.leaf});
}

Result<Range_reply> Range_planner::describe(const Key_sample &sample, const Walk_summary &summary) {
  Range_reply reply;
  reply.target = m_request.target;
  reply.clustered = m_lease.tree()->index->is_clustered();
  reply.definition = describe_definition(m_lease.table(), m_lease.trees());
  for (const Key_part &part : m_lease.parts()) reply.columns.push_back(part.column);
  reply.count_requested = m_request.count_requested;
  reply.count_clamped = m_request.count_clamped();
  reply.level = summary.level;
  reply.pages_read = summary.pages_read;
  const Separators separators{sample.size(), sample.stride(), sample.offered() + 1};
  auto cuts = choose_cuts(separators, m_request.count);
  if (ends_with_row_id(*m_lease.tree())) cuts = move_to_places(starts_of_runs(sample), cuts);
  if (auto added = add_boundaries(reply, sample, cuts); !added) {
    return std::unexpected(added.error());
  }
  if (m_lease.may_read_whole_table()) reply.sizes = estimate(separators, cuts, summary);
  return reply;
}

// Of separators that are alike but for the row id, the first: a boundary there has nearly no rows with
// its key before it. Not of those that the sample begins with, since their rows begin before it.
std::vector<std::size_t> Range_planner::starts_of_runs(const Key_sample &sample) const {
  const std::size_t fields = m_lease.parts().size();
  Saved_key first(m_lease.tree()->index, fields);
  Saved_key second(m_lease.tree()->index, fields);
  Saved_key *key = &first;
  Saved_key *last = &second;
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < sample.size(); ++at) {
    std::vector<Field_value> values;
    for (std::size_t i = 0; i < fields; ++i) values.push_back(sample.field(at, i));
    key->save(values);
    if (at > 0 && !dtuple_coll_eq(key->tuple(), last->tuple())) starts.push_back(at);
    std::swap(key, last);
  }
  return starts;
}

Result<void> Range_planner::add_boundaries(Range_reply &reply, const Key_sample &sample,
                                           const std::vector<std::size_t> &cuts) {
  for (const std::size_t cut : cuts) {
    auto boundary = decode(sample, cut);
    if (!boundary) return std::unexpected(boundary.error());
    reply.boundaries.push_back(std::move(*boundary));
  }
  return {};
}

Result<Boundary> Range_planner::decode(const Key_sample &sample, std::size_t cut) {
  Boundary boundary;
  for (std::size_t i = 0; i < m_lease.parts().size(); ++i) {
    const Field_value stored = sample.field(cut, i);
    if (!stored) {
      boundary.emplace_back(std::nullopt);
      continue;
    }
    auto value = decode_key(m_lease.parts()[i].column, *stored);
    if (!value) return std::unexpected(value.error());
    boundary.emplace_back(std::move(*value));
  }
  return boundary;
}

Size_estimates Range_planner::estimate(const Separators &separators,
                                       const std::vector<std::size_t> &cuts,
                                       const Walk_summary &summary) {
  const Walked_level level{summary.height - 1,
                           summary.root_records,
                           summary.level,
                           separators.units,
                           m_lower != nullptr || m_upper != nullptr,
                           summary.pages_on_level,
                           summary.records_on_level,
                           summary.bytes_on_level,
                           static_cast<std::uint32_t>(srv_page_size)};
  const Unit_size size = estimate_unit(read_statistics(), level);
  const auto units = units_per_range(separators, cuts);
  return {summary.height, scale(units, size.rows), scale(units, size.pages)};
}

// No latch may be held: the first use of a table's statistics reads them from their own tables.
Tree_statistics Range_planner::read_statistics() {
  const Tree &tree = *m_lease.tree();
  dict_stats_init(tree.table);
  const Statistics_latch latch(tree.table);
  if (tree.table->stat_initialized == 0) return {};
  return {tree.table->stat_n_rows, tree.index->stats.n_leaf_pages};
}

}  // namespace

Result<Range_reply> plan_ranges(THD *thd, const Range_request &request) {
  const auto lease = Table_lease::take(thd, request.target);
  if (!lease) return std::unexpected(lease.error());
  return Range_planner(thd, request, **lease).plan();
}

Result<std::vector<std::optional<std::string>>> read_partitions(THD *thd, const Target &target) {
  const auto lease = Table_lease::take(thd, target);
  if (!lease) return std::unexpected(lease.error());
  std::vector<std::optional<std::string>> names;
  for (std::string &name : list_partitions((*lease)->table())) names.emplace_back(std::move(name));
  if (names.empty()) names.emplace_back(std::nullopt);
  return names;
}

Result<std::string> read_definition(THD *thd, const Target &target) {
  const auto lease = Table_lease::take(thd, target);
  if (!lease) return std::unexpected(lease.error());
  return describe_definition((*lease)->table(), (*lease)->trees());
}

}  // namespace pq
