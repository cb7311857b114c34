# The rooms of src/, and which others each may include. What comes into a room and what goes out stands in its main header.
#
#   pure <- server <- tree <- leaf, table <- snapshot, readahead <- scan <- planning <- edge
#
# The edge sees none of the rooms between it and the server that reach into tables: requests go to four rooms only.

set(PQ_ROOMS pure server tree leaf table snapshot readahead scan planning edge)

set(PQ_ROOMS_BELOW_pure)
set(PQ_ROOMS_BELOW_server pure)
set(PQ_ROOMS_BELOW_tree pure server)
set(PQ_ROOMS_BELOW_leaf pure server tree)
set(PQ_ROOMS_BELOW_table pure server tree)
set(PQ_ROOMS_BELOW_snapshot pure server tree table)
set(PQ_ROOMS_BELOW_readahead pure server tree table)
set(PQ_ROOMS_BELOW_scan pure server tree leaf table snapshot readahead)
set(PQ_ROOMS_BELOW_planning pure server tree leaf table scan)
set(PQ_ROOMS_BELOW_edge pure server snapshot readahead scan planning)
