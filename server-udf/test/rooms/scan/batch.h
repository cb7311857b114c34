// The room `scan` has one main header, and this is the second.
