// floor_select: the floor of a read from disk. It adds one prepared SELECT of one row, with SQLite's C API, to `floor`.
//
//     floor_select --make FILE COUNT         writes a file with items 1...COUNT
//     floor_select FILE < requests > replies  answers each line with the item that params.id names
//
// The table is keyed by text, because ids of items may be integers or strings.

#include <sqlite3.h>

#include "common.h"

#define INPUT_SIZE (1 << 20)
#define OUTPUT_SIZE (1 << 20)
#define ROW_MAX (64 << 10)

static char input[INPUT_SIZE], output[OUTPUT_SIZE];
static sqlite3 *database;

static void fail(const char *what) {
    fprintf(stderr, "floor_select: %s: %s\n", what, database ? sqlite3_errmsg(database) : "no database");
    exit(1);
}

static void execute(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static int make(long count) {
    execute("PRAGMA journal_mode = WAL");
    execute("CREATE TABLE item(key TEXT PRIMARY KEY NOT NULL, body BLOB NOT NULL, fetched_at TEXT NOT NULL)");
    execute("BEGIN");
    sqlite3_stmt *insert = prepare("INSERT INTO item VALUES (?1, ?2, '2024-01-01T00:00:00.000Z')");
    for (long id = 1; id <= count; id++) {
        char key[32], item[ITEM_MAX];
        int key_length = snprintf(key, sizeof key, "%ld", id);
        size_t item_length = write_item(item, id);
        sqlite3_bind_text(insert, 1, key, key_length, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 2, item, (int)item_length, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) fail("insert");
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    execute("COMMIT");
    sqlite3_close(database);
    return 0;
}

// Appends the reply to the request in [line, end) to the output. Returns the output's new length.
static size_t answer(sqlite3_stmt *select, const char *line, const char *end, size_t used) {
    const char *id = NULL, *key = NULL;
    size_t id_length = find_id(line, end, &id);
    const char *params = find_text(line, end, "\"params\":");
    size_t key_length = params ? find_id(params, end, &key) : 0;
    if (id_length == 0 || key_length == 0) fail("a request without id or params.id");
    sqlite3_bind_text(select, 1, key, (int)key_length, SQLITE_STATIC);
    if (sqlite3_step(select) != SQLITE_ROW) fail("no such row");
    int body_length = sqlite3_column_bytes(select, 0);
    if (body_length > ROW_MAX) fail("a row is too long");
    if (used + (size_t)body_length + id_length + 256 > sizeof output) {
        if (write_all(1, output, used) < 0) exit(0);
        used = 0;
    }
    int length = snprintf(
        output + used, sizeof output - used,
        "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"item\":%.*s,\"source\":\"persistence\",\"fetchedAt\":\"%s\","
        "\"stale\":false}}\n",
        (int)id_length, id, body_length, (const char *)sqlite3_column_blob(select, 0),
        (const char *)sqlite3_column_text(select, 1));
    sqlite3_reset(select);
    return used + (size_t)length;
}

static int serve(void) {
    sqlite3_stmt *select = prepare("SELECT body, fetched_at FROM item WHERE key = ?1");
    size_t have = 0;
    for (;;) {
        ssize_t got = read(0, input + have, sizeof input - have);
        if (got <= 0) break;
        have += (size_t)got;
        const char *at = input, *end = input + have, *newline;
        size_t used = 0;
        while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
            used = answer(select, at, newline, used);
            at = newline + 1;
        }
        if (used > 0 && write_all(1, output, used) < 0) break;
        have = (size_t)(end - at);
        if (have == sizeof input) fail("a line is too long");
        memmove(input, at, have);
    }
    sqlite3_finalize(select);
    sqlite3_close(database);
    return 0;
}

int main(int count, char **words) {
    int making = count == 4 && strcmp(words[1], "--make") == 0;
    if (!making && count != 2) {
        fprintf(stderr, "usage: floor_select --make FILE COUNT | floor_select FILE\n");
        return 64;
    }
    const char *path = making ? words[2] : words[1];
    int flags = SQLITE_OPEN_READWRITE | (making ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(path);
    return making ? make(strtol(words[3], NULL, 10)) : serve();
}
