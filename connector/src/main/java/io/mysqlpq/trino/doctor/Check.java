package io.mysqlpq.trino.doctor;

import java.sql.SQLException;
import java.util.List;

/** Examines one aspect of a server. */
interface Check
{
    /** Names the finding that is reported if the server does not answer. */
    String name();

    List<Finding> examine(ExaminedServer server)
            throws SQLException;
}
