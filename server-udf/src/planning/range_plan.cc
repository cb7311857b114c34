#include "planning/range_plan.h"

#include <algorithm>
#include <numeric>

#include "planning/visible_keys.h"
#include "planning/weighed_parts.h"
#include "pure/balance.h"
#include "pure/size_estimate.h"
#include "pure/weight_balance.h"
#include "scan/native_scan.h"
#include "scan/scan_columns.h"
#include "server/settings.h"
#include "table/table_lease.h"
#include "tree/bounds.h"
#include "tree/definition.h"
#include "tree/subtree_walk.h"

namespace pq {

namespace {

// Subtrees wanted per range: the fill of a page varies by a factor of about two, so that ranges of
// 16 subtrees even it out.
constexpr std::uint64_t separators_per_range = 16;

// Kept per range; halving the sample leaves at least half of them.
constexpr std::uint64_t samples_per_range = 32;
constexpr std::uint64_t most_samples = 128 * 1024;
constexpr std::uint64_t most_sampled_fields = 512 * 1024;
constexpr std::uint64_t most_room_bytes = 8 * 1024 * 1024;

// A tree of more leaves than this has some thousand pages of node pointers. Its values off-page are
// not weighed.
constexpr double most_weighed_leaves = 2'000'000;

std::size_t sample_size(std::uint32_t count, std::size_t fields) {
  return std::min({samples_per_range * count, most_samples,
                   most_sampled_fields / std::max<std::size_t>(fields, 1)});
}

// Values off-page that take a smaller share than this of the index may all lie in one place, and
// hardly matter.
constexpr double least_off_page = 1.0 / 16;

// Makes the walk and turns what it sampled into a reply.
class Range_planner final {
 public:
  Range_planner(THD *thd, const Range_request &request, const Table_lease &lease)
      : m_thd(thd), m_request(request), m_lease(lease) {}

  Result<Range_reply> plan();

 private:
  Result<void> make_bounds();
  Result<Walk_summary> walk(Key_sample &sample);
  Result<void> find_off_page_columns();
  Result<Range_reply> begin_reply(const Walk_summary &summary) const;
  Result<void> cut(Range_reply &reply, const Key_sample &sample, const Walk_summary &summary) const;
  Result<void> cut_evenly(Range_reply &reply, const Key_sample &sample, const Walk_summary &summary,
                          const Unit_size &unit) const;
  Result<bool> cut_by_weight(Range_reply &reply, const Walk_summary &summary) const;
  template <class Key_of>
  Result<std::vector<std::size_t>> publish(Range_reply &reply, const std::vector<std::size_t> &cuts,
                                           const Key_of &key_of) const;
  std::vector<std::size_t> starts_of_runs(const Key_sample &sample) const;
  std::unique_ptr<Saved_key> save(const Stored_key &key) const;
  Result<Boundary> decode(const Stored_key &key) const;
  Walked_level walked_level(const Key_sample &sample, const Walk_summary &summary) const;
  Tree_statistics read_statistics() const;

  THD *m_thd;
  const Range_request &m_request;
  const Table_lease &m_lease;
  std::unique_ptr<Saved_key> m_lower;
  std::unique_ptr<Saved_key> m_upper;
  std::vector<Record_layout::Column> m_off_page;
};

Result<Range_reply> Range_planner::plan() {
  if (m_lease.tree() == nullptr) {
    return fail(Code::bad_argument, "options.partition must be given: the table is partitioned");
  }
  if (auto known = check_supported(m_lease.parts()); !known) return std::unexpected(known.error());
  if (auto made = make_bounds(); !made) return std::unexpected(made.error());
  if (auto found = find_off_page_columns(); !found) return std::unexpected(found.error());
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
  auto reply = begin_reply(*summary);
  if (!reply) return reply;
  if (auto cut = this->cut(*reply, sample, *summary); !cut) return std::unexpected(cut.error());
  return reply;
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

Result<Range_reply> Range_planner::begin_reply(const Walk_summary &summary) const {
  const auto trees = m_lease.trees();
  if (!trees) return std::unexpected(trees.error());
  Range_reply reply;
  reply.target = m_request.target;
  reply.clustered = m_lease.tree()->index->is_clustered();
  reply.definition = describe_definition(m_lease.table(), *trees);
  for (const Key_part &part : m_lease.parts()) reply.columns.push_back(part.column);
  reply.count_requested = m_request.count_requested;
  reply.count_clamped = m_request.count_clamped();
  reply.level = summary.level;
  reply.pages_read = summary.pages_read;
  return reply;
}

Result<void> Range_planner::cut(Range_reply &reply, const Key_sample &sample,
                                const Walk_summary &summary) const {
  const Tree_statistics statistics = read_statistics();
  const Walked_level level = walked_level(sample, summary);
  const bool may_weigh = !m_off_page.empty() && m_request.count > 1 &&
                         keeps_much_off_page(statistics, level) &&
                         most_leaves(level) <= most_weighed_leaves;
  if (may_weigh) {
    const auto weighed = cut_by_weight(reply, summary);
    if (!weighed) return std::unexpected(weighed.error());
    if (*weighed) return {};
  }
  return cut_evenly(reply, sample, summary, estimate_unit(statistics, level));
}

Result<void> Range_planner::cut_evenly(Range_reply &reply, const Key_sample &sample,
                                       const Walk_summary &summary, const Unit_size &unit) const {
  const Separators separators{sample.size(), sample.stride(), sample.offered() + 1};
  auto cuts = choose_cuts(separators, m_request.count);
  if (ends_with_row_id(*m_lease.tree())) cuts = move_to_places(starts_of_runs(sample), cuts);
  const auto published = publish(reply, cuts, [&](std::size_t cut) { return sample.key(cut); });
  if (!published) return std::unexpected(published.error());
  if (m_lease.may_read_whole_table()) {
    const auto units = units_per_range(separators, *published);
    reply.sizes = {summary.height, scale(units, unit.rows), scale(units, unit.pages), {}, {}};
  }
  return {};
}

// False if it turns out that the columns keep little off-page: others do.
Result<bool> Range_planner::cut_by_weight(Range_reply &reply, const Walk_summary &summary) const {
  Part_weigher weigher(m_thd, *m_lease.tree(), {m_lower.get(), m_upper.get()}, m_off_page);
  const auto parts = weigher.run(m_request.count);
  if (!parts) return std::unexpected(parts.error());
  // They would tell whether columns that the user may not read keep much off-page.
  if (m_lease.may_read_whole_table()) reply.pages_read += weigher.leaves_read();
  counters.pages_read += static_cast<long long>(weigher.leaves_read());
  const auto all = [&](double Weighed_part::*size) {
    std::vector<double> sizes;
    for (const Weighed_part &part : *parts) sizes.push_back(part.*size);
    return sizes;
  };
  const auto sum = [](const std::vector<double> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 0.0);
  };
  if (sum(all(&Weighed_part::off_page)) < least_off_page * sum(all(&Weighed_part::bytes)))
    return false;
  std::vector<double> weights;
  for (const Weighed_part &part : *parts) weights.push_back(part.weight());
  const auto published = publish(reply, choose_cuts_by_weight(weights, m_request.count),
                                 [&](std::size_t cut) { return *(*parts)[cut].end; });
  if (!published) return std::unexpected(published.error());
  const std::vector<std::size_t> &cuts = *published;
  if (m_lease.may_read_whole_table()) {
    const auto sums = [&](double Weighed_part::*size) { return sum_ranges(all(size), cuts); };
    reply.sizes = {summary.height, sums(&Weighed_part::rows), sums(&Weighed_part::pages),
                   sum_ranges(weights, cuts), sums(&Weighed_part::off_page)};
  }
  return true;
}

// Makes boundaries of the keys at the cuts. Such a key may be of no row that the user can read.
// Therefore the key of the first visible row behind it stands in its place. Returns the cuts that
// have such a row. A cut without one is left out, and the ranges beside it become one.
template <class Key_of>
Result<std::vector<std::size_t>> Range_planner::publish(Range_reply &reply,
                                                        const std::vector<std::size_t> &cuts,
                                                        const Key_of &key_of) const {
  const Tree &tree = *m_lease.tree();
  Visible_keys visible(m_thd, tree);
  std::vector<std::size_t> published;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto from = save(key_of(cuts[i]));
    const auto next = i + 1 < cuts.size() ? save(key_of(cuts[i + 1])) : nullptr;
    const auto found = visible.first(*from, next ? next.get() : m_upper.get());
    if (!found) return std::unexpected(found.error());
    if (!*found) continue;
    auto boundary = decode(**found);
    if (!boundary) return std::unexpected(boundary.error());
    reply.boundaries.push_back(std::move(*boundary));
    published.push_back(cuts[i]);
  }
  // How many there are tells how many rows are deleted.
  if (m_lease.may_read_whole_table()) reply.pages_read += visible.pages_read();
  counters.pages_read += static_cast<long long>(visible.pages_read());
  return published;
}

// Without the row id that the key of a tree may end with.
std::unique_ptr<Saved_key> Range_planner::save(const Stored_key &key) const {
  auto saved = std::make_unique<Saved_key>(m_lease.tree()->index, key.size());
  saved->save(std::vector<Field_value>(key.begin(), key.end()));
  return saved;
}

// Entries of other indexes keep nothing off-page.
Result<void> Range_planner::find_off_page_columns() {
  if (m_request.off_page.empty() || !m_lease.tree()->index->is_clustered()) return {};
  Stored_columns columns(m_lease);
  for (const std::string &name : m_request.off_page) {
    const auto column = columns.find(name);
    // What no scan reads from there has no weight either.
    if (!column && column.error().code == Code::unsupported_scan) continue;
    if (!column) return std::unexpected(column.error());
    if (std::ranges::find(m_off_page, column->index_field, &Record_layout::Column::field) ==
        m_off_page.end()) {
      m_off_page.push_back({column->index_field, 0});
    }
  }
  return {};
}

// Finds the first separator of each run that differs in the row id only. A boundary there has
// nearly no rows with its key before it. The run at the beginning of the sample is left out,
// because its rows begin before the sample.
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

Result<Boundary> Range_planner::decode(const Stored_key &key) const {
  Boundary boundary;
  for (std::size_t i = 0; i < m_lease.parts().size(); ++i) {
    boundary.emplace_back();
    if (!key[i]) continue;
    auto value = decode_key(m_lease.parts()[i].column, *key[i]);
    if (!value) return std::unexpected(value.error());
    boundary.back() = std::move(*value);
  }
  return boundary;
}

Walked_level Range_planner::walked_level(const Key_sample &sample,
                                         const Walk_summary &summary) const {
  return {summary.height - 1,
          summary.root_records,
          summary.level,
          sample.offered() + 1,
          m_lower != nullptr || m_upper != nullptr,
          summary.pages_on_level,
          summary.records_on_level,
          summary.bytes_on_level,
          static_cast<std::uint32_t>(srv_page_size)};
}

// No latch may be held: the first use of a table's statistics reads them from their own tables.
Tree_statistics Range_planner::read_statistics() const {
  const Tree &tree = *m_lease.tree();
  dict_stats_init(tree.table);
  const Statistics_guard guard(tree.table);
  if (tree.table->stat_initialized == 0) return {};
  return {tree.table->stat_n_rows, leaf_pages(tree.index)};
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
  const auto trees = (*lease)->trees();
  if (!trees) return std::unexpected(trees.error());
  return describe_definition((*lease)->table(), *trees);
}

}  // namespace pq
