"""One ClickHouse server, made of the library of chdb: its command line with a query that never ends, beside which it listens.
Usage: server.py LIBRARY CONFIG FIFO; it runs until it gets a signal."""

import ctypes
import os
import sys

library, config, fifo = sys.argv[1:4]
if not os.path.exists(fifo):
    os.mkfifo(fifo)
statements = [
    "SYSTEM START LISTEN TCP",
    "SYSTEM START LISTEN HTTP",
    f"SELECT count() FROM file('{fifo}', 'LineAsString', 'line String')",
]
# All servers share two cores, and statements are small. More threads for each would only cost.
words = ["clickhouse", "--config-file", config, "--max_threads=1", "--query", "; ".join(statements)]
arguments = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
ctypes.CDLL(library).chdb_query_cmdline(len(words), arguments)
