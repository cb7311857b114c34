"""Reads queries by ConnectorX: a JSON line in, a JSON line out, until the input ends.

In: {"sql": ..., "key": column to cut by, "partitions": ..., "digest": whether to sum up all columns too}
Out: {"rows": ..., "sums": [of numbers, of days since 1970, of the lengths of texts]} or {"error": ...}
"""
import json
import os
import sys

import connectorx
import pyarrow
import pyarrow.compute


def column_sum(column):
    if pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type):
        column = pyarrow.compute.utf8_length(column)
    elif pyarrow.types.is_date32(column.type):
        column = column.cast(pyarrow.int32())
    return float(pyarrow.compute.sum(column.cast(pyarrow.float64()), min_count=0).as_py())


def answer(request):
    table = connectorx.read_sql(
        os.environ["PQ_MYSQL_URL"],
        request["sql"],
        return_type="arrow",
        partition_on=request["key"],
        partition_num=request["partitions"],
    )
    return {"rows": table.num_rows, "sums": [column_sum(column) for column in table.columns] if request["digest"] else []}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:  # Whatever it is, the benchmark names it.
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
