"""Speaks the protocol of the MySQL extension mysql_pq (docs/protocol.md): plans ranges, shares a snapshot, reads a range.

Errors of MySQL come as pymysql.Error. What the extension should not say is a ProtocolError.
"""
import datetime
import json
import struct
from typing import NamedTuple

import pymysql
from pymysql.cursors import SSCursor

PROTOCOL = 1
SESSION = (
    "SET SESSION transaction_isolation = 'REPEATABLE-READ', time_zone = '+00:00', sql_mode = '',"
    " optimizer_switch = 'hypergraph_optimizer=off', net_write_timeout = 600"
)
# Of 1 MB each, which are in memory together.
BATCHES_OF_STATEMENT = 16
UDF_ERROR = 3200
NO_SUCH_INDEX = 1176
# Why the extension leaves a range to SQL.
REFUSALS = ("bad_argument", "unsupported_key", "unsupported_scan", "memory_limit", "too_large")


class ProtocolError(Exception):
    pass


class Range(NamedTuple):
    """Rows from `lower` to before `upper`: values of the columns in `key`; None where there is no end."""

    index: str | None  # None: the table is read as one range, by whatever index
    partition: str | None
    key: list
    is_whole_key: bool  # else some columns at its end are missing
    lower: list | None
    upper: list | None
    rows: int | None  # an estimate


def connect(**options):
    """A session that reads ranges exactly. Options are those of pymysql.connect."""
    return pymysql.connect(charset="utf8mb4", init_command=SESSION, **options)


def call(connection, function, *arguments):
    """Calls a function of the extension, and returns its reply."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({', '.join(['%s'] * len(arguments))})", arguments)
        reply = json.loads(cursor.fetchone()[0])
    if reply["protocol"] != PROTOCOL:
        raise ProtocolError(f"the extension speaks protocol {reply['protocol']}, and this client {PROTOCOL}")
    return reply


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def lock_table(connection, schema, table):
    """Begins a transaction in which no DDL can change the table. Reads no row, so that no snapshot opens."""
    with connection.cursor() as cursor:
        cursor.execute("START TRANSACTION READ ONLY")
        cursor.execute(f"SELECT 1 FROM {quoted(schema)}.{quoted(table)} LIMIT 0")


def export_snapshot(connection, schema, table):
    """Makes this session the donor. Returns the token, which is a secret."""
    lock_table(connection, schema, table)
    return call(connection, "mysql_pq_snapshot_export")["token"]


def plan(connection, schema, table, index, count):
    """The ranges of all partitions, about `count` of each."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(subpartition_name, partition_name) FROM information_schema.partitions"
            " WHERE table_schema = %s AND table_name = %s",
            (schema, table),
        )
        partitions = [row[0] for row in cursor.fetchall()]
    return [found for partition in partitions for found in plan_tree(connection, schema, table, index, count, partition)]


def plan_tree(connection, schema, table, index, count, partition):
    options = json.dumps({"partition": partition}) if partition else None
    try:
        reply = call(connection, "mysql_pq_ranges", schema, table, index, count, options)
    except pymysql.Error as error:
        if error.args[0] == NO_SUCH_INDEX or is_refusal(error):
            return [Range(None, partition, [], False, None, None, None)]
        raise
    key, boundaries, rows = cut_to_sql(reply)
    is_whole_key = key == reply["columns"]
    ends = [None, *boundaries, None]
    return [
        Range(index, partition, key, is_whole_key, ends[i], ends[i + 1], rows[i] if rows else None) for i in range(len(ends) - 1)
    ]


def cut_to_sql(reply):
    """Boundaries of the leading columns that SQL compares as the index does; some are left out, and ranges read as one."""
    key = []
    for column in reply["columns"]:
        if column["encoding"] not in LITERALS or "listed_up_to" in column:
            break
        if column["prefix"] is not None:
            # Bytes sort as their prefixes do; texts do not.
            key += [column] if column["encoding"] == "binary" else []
            break
        key.append(column)
    boundaries, rows = [], reply["rows"] and reply["rows"][:1]
    for i, boundary in enumerate(reply["boundaries"]):
        cut = boundary[: len(key)]
        if cut and cut not in boundaries[-1:] and all(map(has_literal, key, cut)):
            boundaries.append(cut)
            rows = rows and [*rows, 0]
        if rows:
            rows[-1] += reply["rows"][i + 1]
    return key, boundaries, rows


LITERALS = {
    "integer": "{}",
    "decimal": "{}",
    "double": "{}",
    "date": "DATE'{}'",
    "time": "TIME'{}'",
    "datetime": "TIMESTAMP'{}'",
    "binary": "X'{}'",
    "text": "CONVERT(X'{}' USING {charset}) COLLATE {collation}",
}


def has_literal(column, value):
    """False for dates that no calendar has."""
    try:
        if value is not None and column["encoding"] in ("date", "datetime"):
            datetime.date.fromisoformat(value[:10])
        return True
    except ValueError:
        return False


def where(key, lower, upper, after=None):
    """The condition of a range in SQL, or of what is left of it after a row's key. Its values are the extension's digits and hex."""
    conditions = []
    if after:
        if not all(map(has_literal, key, after)):
            raise ProtocolError(f"SQL cannot go on behind the key {after}")
        conditions.append(beyond(key, after, 0, False))
    elif lower:
        conditions.append(beyond(key, lower, 0, True))
    if upper:
        conditions.append(before(key, upper, 0))
    return " AND ".join(f"({condition})" for condition in conditions) or "TRUE"


def beyond(key, values, i, inclusive):
    column, value = key[i], values[i]
    later, equal, _ = comparisons(column, value)
    if i < len(values) - 1:
        equal = f"({equal} AND ({beyond(key, values, i + 1, inclusive)}))"
    return f"{later} OR {equal}" if inclusive or i < len(values) - 1 else later


def before(key, values, i):
    _, equal, earlier = comparisons(key[i], values[i])
    if i == len(values) - 1:
        return earlier
    return f"{earlier} OR ({equal} AND ({before(key, values, i + 1)}))"


def comparisons(column, value):
    """Conditions that the column's value comes after this one in the index, is this one, and comes before it."""
    name = quoted(column["name"])
    if value is None:
        greater, equal, less = f"{name} IS NOT NULL", f"{name} IS NULL", "FALSE"
    else:
        literal = LITERALS[column["encoding"]].format(value, **column)
        greater, equal, less = f"{name} > {literal}", f"{name} = {literal}", f"{name} < {literal}"
        if column["nullable"]:
            less += f" OR {name} IS NULL"
    return (f"({less})", equal, f"({greater})") if column["descending"] else (f"({greater})", equal, f"({less})")


def read_by_sql(connection, schema, table, part, columns, after=None):
    """Yields rows of a range, as tuples."""
    source = f"{quoted(schema)}.{quoted(table)}"
    if part.partition:
        source += f" PARTITION ({quoted(part.partition)})"
    force = f"FORCE INDEX ({quoted(part.index)})" if part.index else ""
    condition = where(part.key, part.lower, part.upper, after)
    with connection.cursor(SSCursor) as cursor:  # one that does not hold all rows in memory
        cursor.execute(
            f"SELECT {', '.join(map(quoted, columns))} FROM {source} {force} WHERE {condition}"
        )
        yield from cursor


def read_natively(connection, schema, table, part, columns, token):
    """Yields rows of a range of the clustered index from column batches. Columns are pairs of a name and a layout.

    Rows that the extension leaves to SQL, or all of them, are read by it.
    """
    names = [name for name, _ in columns]
    # SQL has to find the last row's key again, should it have to go on there.
    if not part.is_whole_key:
        yield from read_by_sql(connection, schema, table, part, names)
        return
    cursor_key, ended = None, False
    while not ended:
        try:
            for batch in read_batches(connection, schema, table, part, columns, token, cursor_key):
                cursor_key, ended = batch.cursor or cursor_key, batch.end != Batch.MORE
                yield from zip(*batch.columns)
                if batch.end == Batch.STOPPED:
                    yield from read_by_sql(connection, schema, table, part, names, cursor_key)
        except pymysql.Error as error:
            if cursor_key is not None or not is_refusal(error):
                raise
            yield from read_by_sql(connection, schema, table, part, names)
            return


def sum_natively(connection, schema, table, part, column, token):
    """Returns the rows of a range, and the sum of a column of integers, which the server computes.

    Rows that the extension leaves are read by SQL.
    """
    count, total, cursor_key, ended = 0, 0, None, not part.is_whole_key
    more = {"expressions": [[["column", column], "int128"]], "aggregate": {"groups": [], "functions": [["count"], ["sum", 0]]}}
    try:
        while not ended:
            for batch in read_batches(connection, schema, table, part, [], token, cursor_key, more):
                cursor_key, ended = batch.cursor or cursor_key, batch.end != Batch.MORE
                # One group, and of a sum of 128 bits two parts.
                (rows,), (upper,), (lower,) = batch.columns
                count, total = count + rows, total + (0 if upper is None else (upper << 64) + lower)
                if batch.end == Batch.RANGE_ENDED:
                    return count, total
    except pymysql.Error as error:
        if not is_refusal(error):
            raise
    for (value,) in read_by_sql(connection, schema, table, part, [column], cursor_key):
        count, total = count + 1, total + (value or 0)
    return count, total


def is_refusal(error):
    code, message = (*error.args, "", "")[:2]
    return code == UDF_ERROR and str(message).startswith(tuple(f"mysql_pq: {refusal}:" for refusal in REFUSALS))


def read_batches(connection, schema, table, part, columns, token, after, more=None):
    """Yields the batches of one statement, which may end before the range does."""
    options = {"columns": columns, "partition": part.partition, "lower": part.lower, "upper": part.upper, **(more or {})}
    if after:
        options.update(after=after, lower=None)
    given = json.dumps({name: value for name, value in options.items() if value is not None})
    number, rows = 0, 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT mysql_pq_scan(%s, %s, %s, %s, %s) FROM JSON_TABLE(%s, '$[*]' COLUMNS (batch FOR ORDINALITY)) batches",
            (schema, table, part.index, token, given, json.dumps([0] * BATCHES_OF_STATEMENT)),
        )
        replies = [reply for (reply,) in cursor]
    for reply in replies:
        if reply is None:
            raise ProtocolError("NULL in the place of a batch, before the range's end")
        batch = Batch(reply)
        if (batch.number, batch.rows_before) != (number, rows):
            raise ProtocolError(f"batch {number} is missing")
        yield batch
        if batch.end != Batch.MORE:
            return
        number, rows = number + 1, rows + batch.rows


class Batch:
    """Rows as columns: lists of int, or of bytes, with None for NULL."""

    MORE, RANGE_ENDED, STOPPED = range(3)
    WIDTHS = {1: 1, 2: 2, 3: 4, 4: 8, 5: 16}
    BYTES = 6

    def __init__(self, sent):
        self.sent = sent
        magic, version, count, self.rows, self.end, size, self.number, cursor, self.rows_before, cursor_size = struct.unpack_from(
            "<4sHHIIQIIQI", sent
        )
        if (magic, version, size) != (b"MPQB", 1, len(sent)):
            raise ProtocolError("not a batch")
        self.cursor = json.loads(self.buffer(cursor, cursor_size)) if cursor else None
        self.columns = [self.column(*struct.unpack_from("<6I", sent, 48 + 24 * i)) for i in range(count)]

    def buffer(self, start, size):
        if start + size > len(self.sent):
            raise ProtocolError("a buffer ends beyond the batch")
        return self.sent[start : start + size]

    def column(self, layout, _, validity, values, data, data_size):
        if layout == self.BYTES:
            ends = struct.unpack(f"<{self.rows + 1}I", self.buffer(values, 4 * (self.rows + 1)))
            text = self.buffer(data, data_size)
            found = [text[ends[i] : ends[i + 1]] for i in range(self.rows)]
        else:
            width = self.WIDTHS[layout]
            numbers = self.buffer(values, width * self.rows)
            found = [int.from_bytes(numbers[i : i + width], "little", signed=True) for i in range(0, len(numbers), width)]
        if validity == 0:
            return found
        bits = self.buffer(validity, (self.rows + 7) // 8)
        return [value if bits[i // 8] >> i % 8 & 1 else None for i, value in enumerate(found)]
