package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.mysqlpq.trino.metrics.JmxExport;
import io.mysqlpq.trino.operations.OperationHandle.Counter;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.function.table.ConnectorTableFunction;

import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.util.Objects.requireNonNull;

/** Declares {@code counters()}: the numbers of this catalog's MBeans on the coordinator, which is where functions are analyzed. */
final class CountersFunction
        implements Provider<ConnectorTableFunction>
{
    static final List<ResultColumn> COLUMNS = ImmutableList.of(
            ResultColumn.text("type"),
            ResultColumn.text("attribute"),
            new ResultColumn("value", DOUBLE),
            ResultColumn.text("server"));

    private static final String DOMAINS = "io.mysqlpq.trino.*:*";

    private final MBeanServer beans;
    private final String catalog;

    @Inject
    CountersFunction(MBeanServer beans, CatalogName catalog)
    {
        this.beans = requireNonNull(beans, "beans is null");
        this.catalog = catalog.toString();
    }

    @Override
    public ConnectorTableFunction get()
    {
        return new OperationFunction("counters", ImmutableList.of(), COLUMNS, (_, _, _) -> new OperationHandle.Counters(counters()));
    }

    private List<Counter> counters()
    {
        try {
            ImmutableList.Builder<Counter> counters = ImmutableList.builder();
            for (ObjectName name : beans.queryNames(new ObjectName(DOMAINS), null)) {
                if (isOfCatalog(name)) {
                    append(name, counters);
                }
            }
            return counters.build();
        }
        catch (JMException | JMRuntimeException e) {
            throw new TrinoException(GENERIC_INTERNAL_ERROR, "Failed to read the counters of catalog %s: %s".formatted(catalog, e), e);
        }
    }

    // A name with unusual characters is quoted.
    private boolean isOfCatalog(ObjectName name)
    {
        String value = name.getKeyProperty("name");
        return value != null && (value.equals(catalog) || value.equals(ObjectName.quote(catalog)) || unquoted(value).startsWith(catalog + JmxExport.SERVER));
    }

    // Only counters of a replica have it.
    private static Optional<String> server(ObjectName name)
    {
        return Optional.ofNullable(name.getKeyProperty("server")).map(CountersFunction::unquoted);
    }

    private static String unquoted(String value)
    {
        return value.startsWith("\"") ? ObjectName.unquote(value) : value;
    }

    private void append(ObjectName name, ImmutableList.Builder<Counter> counters)
            throws JMException
    {
        for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
            if (beans.getAttribute(name, attribute.getName()) instanceof Number value) {
                counters.add(new Counter(name.getKeyProperty("type"), attribute.getName(), value.doubleValue(), server(name)));
            }
        }
    }
}
