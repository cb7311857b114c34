-- TPC-H in MySQL: column names and types as Trino's tpch connector gives them with
-- tpch.column-naming=STANDARD and tpch.double-type-mapping=DECIMAL; primary keys of the
-- specification, secondary indexes on foreign keys and dates.

CREATE TABLE region (
  r_regionkey bigint NOT NULL,
  r_name varchar(25) NOT NULL,
  r_comment varchar(152) NOT NULL,
  PRIMARY KEY (r_regionkey)
);

CREATE TABLE nation (
  n_nationkey bigint NOT NULL,
  n_name varchar(25) NOT NULL,
  n_regionkey bigint NOT NULL,
  n_comment varchar(152) NOT NULL,
  PRIMARY KEY (n_nationkey),
  KEY nation_regionkey (n_regionkey)
);

CREATE TABLE supplier (
  s_suppkey bigint NOT NULL,
  s_name varchar(25) NOT NULL,
  s_address varchar(40) NOT NULL,
  s_nationkey bigint NOT NULL,
  s_phone varchar(15) NOT NULL,
  s_acctbal decimal(12,2) NOT NULL,
  s_comment varchar(101) NOT NULL,
  PRIMARY KEY (s_suppkey),
  KEY supplier_nationkey (s_nationkey)
);

CREATE TABLE customer (
  c_custkey bigint NOT NULL,
  c_name varchar(25) NOT NULL,
  c_address varchar(40) NOT NULL,
  c_nationkey bigint NOT NULL,
  c_phone varchar(15) NOT NULL,
  c_acctbal decimal(12,2) NOT NULL,
  c_mktsegment varchar(10) NOT NULL,
  c_comment varchar(117) NOT NULL,
  PRIMARY KEY (c_custkey),
  KEY customer_nationkey (c_nationkey)
);

CREATE TABLE part (
  p_partkey bigint NOT NULL,
  p_name varchar(55) NOT NULL,
  p_mfgr varchar(25) NOT NULL,
  p_brand varchar(10) NOT NULL,
  p_type varchar(25) NOT NULL,
  p_size int NOT NULL,
  p_container varchar(10) NOT NULL,
  p_retailprice decimal(12,2) NOT NULL,
  p_comment varchar(23) NOT NULL,
  PRIMARY KEY (p_partkey)
);

CREATE TABLE partsupp (
  ps_partkey bigint NOT NULL,
  ps_suppkey bigint NOT NULL,
  ps_availqty int NOT NULL,
  ps_supplycost decimal(12,2) NOT NULL,
  ps_comment varchar(199) NOT NULL,
  PRIMARY KEY (ps_partkey, ps_suppkey),
  KEY partsupp_suppkey (ps_suppkey)
);

CREATE TABLE orders (
  o_orderkey bigint NOT NULL,
  o_custkey bigint NOT NULL,
  o_orderstatus varchar(1) NOT NULL,
  o_totalprice decimal(12,2) NOT NULL,
  o_orderdate date NOT NULL,
  o_orderpriority varchar(15) NOT NULL,
  o_clerk varchar(15) NOT NULL,
  o_shippriority int NOT NULL,
  o_comment varchar(79) NOT NULL,
  PRIMARY KEY (o_orderkey),
  KEY orders_custkey (o_custkey),
  KEY orders_orderdate (o_orderdate)
);

CREATE TABLE lineitem (
  l_orderkey bigint NOT NULL,
  l_partkey bigint NOT NULL,
  l_suppkey bigint NOT NULL,
  l_linenumber int NOT NULL,
  l_quantity decimal(12,2) NOT NULL,
  l_extendedprice decimal(12,2) NOT NULL,
  l_discount decimal(12,2) NOT NULL,
  l_tax decimal(12,2) NOT NULL,
  l_returnflag varchar(1) NOT NULL,
  l_linestatus varchar(1) NOT NULL,
  l_shipdate date NOT NULL,
  l_commitdate date NOT NULL,
  l_receiptdate date NOT NULL,
  l_shipinstruct varchar(25) NOT NULL,
  l_shipmode varchar(10) NOT NULL,
  l_comment varchar(44) NOT NULL,
  PRIMARY KEY (l_orderkey, l_linenumber),
  KEY lineitem_partkey_suppkey (l_partkey, l_suppkey),
  KEY lineitem_suppkey (l_suppkey),
  KEY lineitem_shipdate (l_shipdate),
  KEY lineitem_receiptdate (l_receiptdate)
);
