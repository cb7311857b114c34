package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;

/** Declares what a session may wish for the types of its columns. */
public class TypeSessionProperties
        implements SessionPropertiesProvider
{
    public static final String EXTENDED_TYPES = "extended_types";
    public static final String INVALID_DATE_HANDLING = "invalid_date_handling";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public TypeSessionProperties(TypeConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        EXTENDED_TYPES,
                        "Map SET, YEAR, BIT(n), GEOMETRY and VECTOR to Trino types that fit them; Trino's MySQL connector maps them differently",
                        config.isExtendedTypes(),
                        false),
                enumProperty(
                        INVALID_DATE_HANDLING,
                        "How to read invalid dates such as 0000-00-00: ERROR fails the query, NULL reads NULL",
                        InvalidDateHandling.class,
                        config.getInvalidDateHandling(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static TypeOptions typeOptions(ConnectorSession session)
    {
        return new TypeOptions(
                session.getProperty(EXTENDED_TYPES, Boolean.class),
                session.getProperty(INVALID_DATE_HANDLING, InvalidDateHandling.class));
    }
}
