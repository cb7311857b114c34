#include "pure/seen_values.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace pq {

namespace {

// A page that saw this many values counts by itself, because several parts make a range.
constexpr double enough_alone = 5;

// The first page of a part with more pages than this says little of the others.
constexpr double least_pages_in_doubt = 1.5;

// Neighbours that saw fewer values share what they saw, until they saw this many together.
constexpr double enough_together = 100;

// A run of parts without values is judged by this many parts with values on each side of it.
constexpr std::size_t judges = 10;

// At least two parts that judge must have seen this many values together; fewer tell nothing.
constexpr double enough_to_judge = 5;

// A run without values is no chance if it is this many times longer than the way from one part with
// values to the next.
constexpr double longest_by_chance = 8;

// Gives each part its share of the bytes, group by group.
void share(std::span<Looked_at> parts) {
  std::size_t begin = 0;
  while (begin < parts.size()) {
    double pages = 0;
    double values = 0;
    double bytes = 0;
    std::size_t end = begin;
    do {
      pages += parts[end].pages;
      values += parts[end].values;
      bytes += parts[end].bytes;
      ++end;
    } while (values < enough_together && end < parts.size() && parts[begin].values < enough_alone &&
             parts[end].values < enough_alone);
    for (; begin < end; ++begin) {
      parts[begin].bytes = pages > 0 ? bytes * parts[begin].pages / pages : 0;
    }
  }
}

// How many parts lie from one with values to the next, on average; 0 if there are too few to tell.
double spacing(const std::vector<Looked_at> &parts, std::span<const std::size_t> seen) {
  double values = 0;
  for (const std::size_t i : seen) values += parts[i].values;
  if (seen.size() < 2 || values < enough_to_judge) return 0;
  return static_cast<double>(seen.back() - seen.front() + 1) / static_cast<double>(seen.size());
}

bool is_no_chance(const std::vector<Looked_at> &parts, double run,
                  std::span<const std::size_t> before, std::span<const std::size_t> after) {
  const double greater = std::max(spacing(parts, before.last(std::min(judges, before.size()))),
                                  spacing(parts, after.first(std::min(judges, after.size()))));
  return greater > 0 && run > longest_by_chance * greater;
}

// The begins and ends of the runs without values that are no chance, in order. One place may stand
// in it twice.
std::vector<std::size_t> ends_of_runs(const std::vector<Looked_at> &parts) {
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].values > 0) seen.push_back(i);
  }
  const std::span<const std::size_t> all(seen);
  std::vector<std::size_t> ends;
  for (std::size_t next = 0; next <= seen.size(); ++next) {
    const std::size_t begin = next == 0 ? 0 : seen[next - 1] + 1;
    const std::size_t end = next == seen.size() ? parts.size() : seen[next];
    if (is_no_chance(parts, static_cast<double>(end - begin), all.first(next), all.subspan(next))) {
      ends.insert(ends.end(), {begin, end});
    }
  }
  return ends;
}

}  // namespace

void doubt_beginnings(std::vector<Looked_at> &parts) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const Looked_at &next = parts[i + 1];
    if (parts[i].pages < least_pages_in_doubt || parts[i].values > 0 || next.values < enough_alone)
      continue;
    parts[i].values = next.values;
    parts[i].bytes = parts[i].pages * next.bytes / next.pages / 2;
  }
}

void even_out(std::vector<Looked_at> &parts) {
  const std::span<Looked_at> all(parts);
  std::size_t begin = 0;
  for (const std::size_t end : ends_of_runs(parts)) {
    share(all.subspan(begin, end - begin));
    begin = end;
  }
  share(all.subspan(begin));
}

}  // namespace pq
