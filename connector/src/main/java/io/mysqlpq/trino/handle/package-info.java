/** Trino's table handles: copies with one part changed. It knows nothing of MySQL. */
package io.mysqlpq.trino.handle;
