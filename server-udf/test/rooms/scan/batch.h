// The room `scan` has one main header, and this is the second.
#if PQ_SERIES(9, 7)
#endif
