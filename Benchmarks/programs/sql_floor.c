// sql_floor: the floor of a query. It runs each line of stdin as an SQL statement over an SQLite file, and writes its
// rows to stdout as one line: a JSON array with an array of values for each row.
//
//     sql_floor FILE < statements > rows
//
// Each line is compiled, run and freed, as `cache/query` does with its statement.

#include <sqlite3.h>

#include "common.h"

static struct {
    char *bytes;
    size_t length, capacity;
} output;

// Returns the place for `length` more bytes of the output.
static char *room(size_t length) {
    if (output.length + length > output.capacity) {
        output.capacity = 2 * (output.length + length);
        output.bytes = realloc(output.bytes, output.capacity);
        if (!output.bytes) exit(1);
    }
    return output.bytes + output.length;
}

static void put(char byte) {
    *room(1) = byte;
    output.length++;
}

static void put_string(const char *text, size_t length) {
    char *out = room(6 * length + 2);
    *out++ = '"';
    for (size_t index = 0; index < length; index++) {
        unsigned char byte = (unsigned char)text[index];
        if (byte < 0x20) {
            out += sprintf(out, "\\u%04x", byte);
            continue;
        }
        if (byte == '"' || byte == '\\') *out++ = '\\';
        *out++ = (char)byte;
    }
    *out++ = '"';
    output.length = (size_t)(out - output.bytes);
}

static void put_value(sqlite3_stmt *statement, int column) {
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        put_string(text, (size_t)sqlite3_column_bytes(statement, column));
    } else if (type == SQLITE_INTEGER) {
        output.length += (size_t)sprintf(room(32), "%lld", sqlite3_column_int64(statement, column));
    } else if (type == SQLITE_FLOAT) {
        output.length += (size_t)sprintf(room(32), "%.17g", sqlite3_column_double(statement, column));
    } else {
        memcpy(room(4), "null", 4);
        output.length += 4;
    }
}

static void check(sqlite3 *file, int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    fprintf(stderr, "sql_floor: %s\n", sqlite3_errmsg(file));
    exit(1);
}

// Runs a statement, and appends its rows to the output.
static void answer(sqlite3 *file, const char *sql) {
    sqlite3_stmt *statement = NULL;
    check(file, sqlite3_prepare_v2(file, sql, -1, &statement, NULL));
    int columns = sqlite3_column_count(statement), code, rows = 0;
    put('[');
    for (; (code = sqlite3_step(statement)) == SQLITE_ROW; rows++) {
        if (rows > 0) put(',');
        put('[');
        for (int column = 0; column < columns; column++) {
            if (column > 0) put(',');
            put_value(statement, column);
        }
        put(']');
    }
    check(file, code);
    check(file, sqlite3_finalize(statement));
    put(']');
    put('\n');
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: sql_floor FILE\n");
        return 64;
    }
    static char line[1 << 16];
    sqlite3 *file = NULL;
    check(file, sqlite3_open_v2(words[1], &file, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL));
    while (fgets(line, sizeof line, stdin)) {
        output.length = 0;
        answer(file, line);
        if (write_all(1, output.bytes, output.length) < 0) return 1;
    }
    sqlite3_close(file);
    return 0;
}
