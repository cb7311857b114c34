"""Configures Superset for mysql_pq's dashboards. What differs between machines comes from the environment."""

import os

# Signs sessions and encrypts the passwords of databases: random, and the same for as long as the data is kept.
SECRET_KEY = os.environ["SUPERSET_SECRET_KEY"]

# By default an SQLite file in SUPERSET_HOME.
if "SUPERSET_METADATA_URI" in os.environ:
    SQLALCHEMY_DATABASE_URI = os.environ["SUPERSET_METADATA_URI"]

# What SQL Lab asks for when nobody says how many rows.
DEFAULT_SQLLAB_LIMIT = 1000

# Every answer comes from MySQL: no data is cached here.
DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}

WTF_CSRF_TIME_LIMIT = None
