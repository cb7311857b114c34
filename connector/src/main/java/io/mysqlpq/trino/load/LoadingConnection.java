package io.mysqlpq.trino.load;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.ForwardingConnection;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.lang.Math.clamp;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/** A connection to which a query writes rows. It sends many rows of an INSERT at once ({@link RowSender}). */
public final class LoadingConnection
        extends ForwardingConnection
{
    // MySQL makes objects of all values in an INSERT before it stores a row. More of them than its caches hold make a row cost half as much again.
    private static final int INSERT_BYTES = 1 << 17;
    private static final long BUFFER_BYTES = 1 << 24;

    // A text that is given to a DATE needs no cast.
    private static final Pattern PLAIN_ROW = Pattern.compile("\\((\\?|CAST\\(\\? AS DATE\\))(, ?(\\?|CAST\\(\\? AS DATE\\)))*\\)");
    private static final Set<Class<? extends Type>> PLAIN_TYPES = ImmutableSet.of(
            BooleanType.class,
            TinyintType.class,
            SmallintType.class,
            IntegerType.class,
            BigintType.class,
            DecimalType.class,
            RealType.class,
            DoubleType.class,
            CharType.class,
            VarcharType.class,
            DateType.class,
            TimestampType.class,
            TimestampWithTimeZoneType.class,
            TimeType.class);
    // MySQL reads 0 and '0' as two years, and '1' as eight bits.
    private static final Set<String> PLAIN_COLUMNS = ImmutableSet.of(
            "TINYINT",
            "SMALLINT",
            "MEDIUMINT",
            "INT",
            "BIGINT",
            "DECIMAL",
            "FLOAT",
            "DOUBLE",
            "CHAR",
            "VARCHAR",
            "TINYTEXT",
            "TEXT",
            "MEDIUMTEXT",
            "LONGTEXT",
            "DATE",
            "TIME",
            "DATETIME",
            "TIMESTAMP");

    private final Connection connection;
    private final JdbcOutputTableHandle rows;
    private final boolean loadDataEnabled;

    public LoadingConnection(ConnectorSession session, Connection connection, JdbcOutputTableHandle rows)
    {
        this.loadDataEnabled = LoadSessionProperties.isLoadDataEnabled(session);
        this.connection = requireNonNull(connection, "connection is null");
        this.rows = requireNonNull(rows, "rows is null");
    }

    @Override
    protected Connection delegate()
    {
        return connection;
    }

    @Override
    public PreparedStatement prepareStatement(String sql)
            throws SQLException
    {
        Optional<InsertTemplate> template = InsertTemplate.parse(sql);
        if (template.isEmpty()) {
            return super.prepareStatement(sql);
        }
        try (Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery("SELECT @@GLOBAL.local_infile, @@SESSION.max_allowed_packet, @@SESSION.sql_mode")) {
            server.next();
            boolean backslashEscapes = !Splitter.on(',').splitToList(server.getString(3)).contains("NO_BACKSLASH_ESCAPES");
            boolean loading = loadDataEnabled && server.getBoolean(1) && isPlain(template.get()) && canTakeBack();
            int insertBytes = clamp(server.getLong(2) / 2, 1, INSERT_BYTES);
            return RowStatement.create(new RowSender(connection, template.get(), new RowText(backslashEscapes), insertBytes, instants(), loading), template.get().parameters(), BUFFER_BYTES);
        }
    }

    // LOAD DATA makes the same value of a text as INSERT makes of a number or a text.
    private boolean isPlain(InsertTemplate template)
    {
        return PLAIN_ROW.matcher(String.join("?", template.row())).matches() &&
                rows.getColumnTypes().stream().allMatch(type -> PLAIN_TYPES.stream().anyMatch(plain -> plain.isInstance(type))) &&
                rows.getJdbcColumnTypes().stream().flatMap(types -> types.stream()).map(JdbcTypeHandle::jdbcTypeName).allMatch(name -> name.isPresent() && PLAIN_COLUMNS.contains(firstWord(name.get())));
    }

    // The number of the writer, if there is one, comes last.
    private BitSet instants()
    {
        BitSet instants = new BitSet();
        for (int column = 0; column < rows.getColumnTypes().size(); column++) {
            instants.set(column, rows.getColumnTypes().get(column) instanceof TimestampWithTimeZoneType);
        }
        return instants;
    }

    // Such as INT of "INT UNSIGNED", and TEXT of "TEXT COLLATE utf8mb4_bin".
    private static String firstWord(String type)
    {
        int end = type.indexOf(' ');
        return (end < 0 ? type : type.substring(0, end)).toUpperCase(ENGLISH);
    }

    // Rows that LOAD DATA warned of are inserted again. An engine without transactions would have them twice, and so would what a trigger writes to one.
    private boolean canTakeBack()
            throws SQLException
    {
        RemoteTableName table = rows.getRemoteTableName();
        // base-jdbc has it as one or the other.
        String database = Stream.of(table.getCatalogName(), table.getSchemaName()).flatMap(Optional::stream).filter(part -> !part.isEmpty()).findFirst().orElseThrow();
        String name = rows.getTemporaryTableName().orElse(table.getTableName());
        try (PreparedStatement statement = connection.prepareStatement(
                """
                SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ? AND engine = 'InnoDB'
                AND NOT EXISTS (SELECT 1 FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ?)""")) {
            statement.setString(1, database);
            statement.setString(2, name);
            statement.setString(3, database);
            statement.setString(4, name);
            try (ResultSet found = statement.executeQuery()) {
                return found.next();
            }
        }
    }
}
