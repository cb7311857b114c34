// The room `tree` of this test includes what is above it.
#include "scan/row.h"
