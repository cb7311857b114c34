#include "pure/size_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pq {

namespace {

// InnoDB fills pages to 15/16 in key order and to about a half in random order.
constexpr double assumed_fill = 0.7;

// Beside the leaves that there may be. Statistics may be a tenth too old.
constexpr double much = 1.1;

double ratio(double a, double b) { return a / std::max(b, 1.0); }

double as_double(std::uint64_t number) { return static_cast<double>(number); }

// Records on a page of the walked level that is so full; the root alone says little of it.
double fanout(const Walked_level &walked, double fill) {
  const double record_bytes =
      std::max(ratio(as_double(walked.bytes), as_double(walked.records)), 1.0);
  return std::max(fill * walked.page_bytes / record_bytes, 2.0);
}

// Node pointers of a level in the whole tree.
double pointers_on(std::uint32_t level, const Walked_level &walked) {
  if (level == walked.level && !walked.bounded) return as_double(walked.units);
  return as_double(walked.root_records) *
         std::pow(fanout(walked, assumed_fill), walked.root_level - level);
}

double leaf_pages(const Tree_statistics &statistics, const Walked_level &walked) {
  const double by_tree = pointers_on(1, walked);
  if (walked.level == 1 && !walked.bounded) return by_tree;
  return std::clamp(as_double(statistics.leaf_pages), by_tree / 2, by_tree * 2);
}

}  // namespace

double most_leaves(const Walked_level &walked) {
  if (walked.root_level == 0) return 1;
  // Rows tell nothing of the pages above them.
  if (walked.level == 0 && walked.root_level > 1) return std::numeric_limits<double>::infinity();
  const bool is_known = walked.level >= 1 && !walked.bounded;
  const double pointers = as_double(is_known ? walked.units : walked.root_records);
  const std::uint32_t level = is_known ? walked.level : walked.root_level;
  return pointers * std::pow(fanout(walked, 1.0), level - 1);
}

bool keeps_much_off_page(const Tree_statistics &statistics, const Walked_level &walked) {
  return as_double(statistics.leaf_pages) > much * most_leaves(walked);
}

Unit_size estimate_unit(const Tree_statistics &statistics, const Walked_level &walked) {
  if (walked.level == 0) {
    // A root that is a leaf, its rows not read: one unit, the page.
    if (walked.records == 0) return {1.0, as_double(statistics.rows)};
    return {ratio(as_double(walked.pages), as_double(walked.records)), 1.0};
  }
  const double all_pages = leaf_pages(statistics, walked);
  const double pages =
      walked.level == 1 ? 1.0 : ratio(all_pages, pointers_on(walked.level, walked));
  return {pages, pages * ratio(as_double(statistics.rows), all_pages)};
}

}  // namespace pq
