// The room `scan` of this test names no room, tests the server's version, and leaves its folder.
#include "../tree/upward.h"
#include "batch.h"
#if MYSQL_VERSION_ID < 1
#endif
