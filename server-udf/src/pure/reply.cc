#include "pure/reply.h"

#include <limits>

#include "pure/bounded_text.h"
#include "pure/hex.h"
#include "pure/version.h"

namespace pq {

namespace {

void write_json_character(Bounded_text &out, char c) {
  switch (c) {
    case '"':
      out << "\\\"";
      break;
    case '\\':
      out << "\\\\";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        out << "\\u00" << to_hex(std::string_view(&c, 1));
      } else {
        out << std::string_view(&c, 1);
      }
  }
}

void write_optional_string(Bounded_text &out, const std::optional<std::string> &text) {
  if (text) {
    write_json_string(out, *text);
  } else {
    out << "null";
  }
}

// Writes [a, b, c] with one call for each item.
template <class Items, class Write>
void write_array(Bounded_text &out, const Items &items, Write write_item) {
  out << "[";
  std::string_view separator;
  for (const auto &item : items) {
    if (out.overflowed()) return;
    out << separator;
    write_item(item);
    separator = ", ";
  }
  out << "]";
}

std::string_view json_of(Readahead_stop stop) {
  switch (stop) {
    case Readahead_stop::range_ended:
      return "null";
    case Readahead_stop::pages:
      return R"("pages")";
    case Readahead_stop::pool_share:
      return R"("pool_share")";
    case Readahead_stop::off:
      return R"("off")";
  }
  return "null";
}

void write_column(Bounded_text &out, const Key_column &column) {
  out << R"({"name": )";
  write_json_string(out, column.name);
  out << R"(, "type": )";
  write_json_string(out, column.type);
  out << R"(, "encoding": ")" << encoding_of(column.kind).value_or("none") << R"(")"
      << R"(, "unsigned": )" << column.is_unsigned << R"(, "nullable": )" << column.nullable
      << R"(, "descending": )" << column.descending << R"(, "charset": )";
  write_optional_string(out, column.charset);
  out << R"(, "collation": )";
  write_optional_string(out, column.collation);
  out << R"(, "prefix": )";
  if (column.prefix) {
    out << *column.prefix;
  } else {
    out << "null";
  }
  if (column.is_listed) out << R"(, "listed_up_to": ")" << column.greatest << R"(")";
  out << "}";
}

void write_target(Bounded_text &out, const Range_reply &reply) {
  out << R"({"protocol": )" << protocol_version << R"(, "schema": )";
  write_json_string(out, reply.target.schema);
  out << R"(, "table": )";
  write_json_string(out, reply.target.table);
  out << R"(, "partition": )";
  write_optional_string(out, reply.target.partition);
  out << R"(, "index": )";
  write_json_string(out, reply.target.index);
  out << R"(, "clustered": )" << reply.clustered << R"(, "definition": )";
  write_json_string(out, reply.definition);
}

void write_numbers(Bounded_text &out, const std::vector<std::uint64_t> &numbers) {
  write_array(out, numbers, [&](std::uint64_t number) { out << number; });
}

void write_sizes(Bounded_text &out, const std::optional<Size_estimates> &sizes) {
  if (!sizes) {
    out << R"(, "height": null, "rows": null, "pages": null})";
    return;
  }
  out << R"(, "height": )" << sizes->height << R"(, "rows": )";
  write_numbers(out, sizes->rows);
  out << R"(, "pages": )";
  write_numbers(out, sizes->pages);
  if (!sizes->bytes.empty()) {
    out << R"(, "bytes": )";
    write_numbers(out, sizes->bytes);
    out << R"(, "off_page_bytes": )";
    write_numbers(out, sizes->off_page_bytes);
  }
  out << "}";
}

Result<std::string> finish(Bounded_text &&out) {
  if (out.overflowed()) {
    return fail(Code::too_large, "the reply would exceed max_allowed_packet (" +
                                     std::to_string(out.max_bytes()) + " bytes)");
  }
  return std::move(out).take();
}

}  // namespace

void write_json_string(Bounded_text &out, std::string_view text) {
  out << "\"";
  for (const char c : text) write_json_character(out, c);
  out << "\"";
}

Result<std::string> write_range_reply(const Range_reply &reply, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  write_target(out, reply);
  out << R"(, "columns": )";
  write_array(out, reply.columns, [&](const Key_column &column) { write_column(out, column); });
  out << R"(, "count_requested": )" << reply.count_requested << R"(, "count_clamped": )"
      << reply.count_clamped << R"(, "level": )" << reply.level << R"(, "pages_read": )"
      << reply.pages_read << R"(, "boundaries": )";
  write_array(out, reply.boundaries, [&](const Boundary &boundary) {
    write_array(out, boundary, [&](const auto &value) { write_optional_string(out, value); });
  });
  write_sizes(out, reply.sizes);
  return finish(std::move(out));
}

Result<std::string> write_version_reply(const Version_reply &reply, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"extension": )";
  write_json_string(out, reply.extension);
  out << R"(, "protocol": )" << protocol_version << R"(, "server_version": )";
  write_json_string(out, reply.server_version);
  out << R"(, "enabled": )" << reply.enabled << R"(, "max_ranges": )" << reply.max_ranges
      << R"(, "functions": )";
  const auto write_name = [&](const std::string &name) { write_json_string(out, name); };
  write_array(out, reply.functions, write_name);
  out << R"(, "features": )";
  write_array(out, reply.features, write_name);
  out << "}";
  return finish(std::move(out));
}

Result<std::string> write_definition_reply(const std::string &definition, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "definition": )";
  write_json_string(out, definition);
  out << "}";
  return finish(std::move(out));
}

Result<std::string> write_token_reply(const std::string &token, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "token": )";
  write_json_string(out, token);
  out << "}";
  return finish(std::move(out));
}

// MySQL puts a line break behind each comma of a set.
Result<std::string> write_position_reply(std::string_view gtid_executed, std::size_t max_bytes) {
  std::string set(gtid_executed);
  std::erase(set, '\n');
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "gtid_executed": )";
  write_json_string(out, set);
  out << "}";
  return finish(std::move(out));
}

std::string write_cursor(const Boundary &key) {
  Bounded_text out(std::numeric_limits<std::size_t>::max());
  write_array(out, key, [&](const auto &value) { write_optional_string(out, value); });
  return std::move(out).take();
}

Result<std::string> write_age_reply(std::int64_t age_ms, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "age_ms": )" << age_ms << "}";
  return finish(std::move(out));
}

Result<std::string> write_readahead_reply(const Readahead_reply &reply, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "pages_asked": )" << reply.pages_asked
      << R"(, "pages_resident": )" << reply.pages_resident << R"(, "stopped": )"
      << json_of(reply.stop) << "}";
  return finish(std::move(out));
}

Result<std::string> write_coverage_reply(bool covers, std::size_t max_bytes) {
  Bounded_text out(max_bytes);
  out << R"({"protocol": )" << protocol_version << R"(, "covers": )" << (covers ? "true" : "false")
      << "}";
  return finish(std::move(out));
}

}  // namespace pq
