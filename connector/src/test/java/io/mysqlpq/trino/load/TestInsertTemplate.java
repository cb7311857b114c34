package io.mysqlpq.trino.load;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestInsertTemplate
{
    @Test
    void testNamesThatLookLikeSql()
    {
        InsertTemplate template = InsertTemplate.parse("/*who?*/ INSERT INTO `a(`.`t VALUES (?` (`x?`, `y)`, `z``(?`) VALUES (?, CAST(? AS DATE), F(?, ')?')) /*who (?)*/").orElseThrow();
        assertThat(template.head()).isEqualTo("/*who?*/ INSERT INTO `a(`.`t VALUES (?` (`x?`, `y)`, `z``(?`) VALUES ");
        assertThat(template.mark()).isEqualTo("/*who?*/ ");
        assertThat(template.table()).isEqualTo("`a(`.`t VALUES (?`");
        assertThat(template.columns()).isEqualTo("(`x?`, `y)`, `z``(?`)");
        assertThat(template.row()).isEqualTo(List.of("(", ", CAST(", " AS DATE), F(", ", ')?'))"));
        assertThat(template.rest()).isEqualTo(" /*who (?)*/");
        assertThat(template.parameters()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE `t` SET `a` = ? WHERE `b` = ?",
            "DELETE FROM `t` WHERE `a` = ?",
            "INSERT INTO `t` (`a`) SELECT ?",
            "INSERT INTO `t` VALUES (?)",
            "INSERT INTO `t` (`a`) VALUES (?",
            "INSERT INTO `t` (`a",
            "/* who INSERT INTO `t` (`a`) VALUES (?)",
            "/* who */ /* why */ INSERT INTO `t` (`a`) VALUES (?)",
            ""})
    void testOtherStatements(String sql)
    {
        assertThat(InsertTemplate.parse(sql)).isEmpty();
    }
}
