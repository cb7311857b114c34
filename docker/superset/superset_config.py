"""Configures Superset for mysql_pq's dashboards. What differs between machines comes from the environment."""

import os

# Signs sessions and encrypts the passwords of databases: random, and the same for as long as the data is kept.
SECRET_KEY = os.environ["SUPERSET_SECRET_KEY"]

# By default an SQLite file in SUPERSET_HOME.
if "SUPERSET_METADATA_URI" in os.environ:
    SQLALCHEMY_DATABASE_URI = os.environ["SUPERSET_METADATA_URI"]

# What SQL Lab asks for when nobody says how many rows.
DEFAULT_SQLLAB_LIMIT = 1000

# For so many seconds a chart's data is shown again instead of asked for again. By default every answer comes from MySQL.
CACHED_SECONDS = int(os.environ.get("SUPERSET_CACHED_SECONDS", "0"))
DATA_CACHE_CONFIG = (
    {"CACHE_TYPE": "FileSystemCache", "CACHE_DIR": os.path.join(os.environ["SUPERSET_HOME"], "cache"), "CACHE_DEFAULT_TIMEOUT": CACHED_SECONDS}
    if CACHED_SECONDS > 0
    else {"CACHE_TYPE": "NullCache"}
)

WTF_CSRF_TIME_LIMIT = None
