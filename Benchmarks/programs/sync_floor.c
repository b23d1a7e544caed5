// sync_floor: the floor of a sync. It reads all pages of a list with one libcurl easy handle, and stores the items of
// each page in an SQLite file in one transaction. SQLite itself splits the pages into items.
//
//     sync_floor URL FILE
//
// Gets URL&page=1, URL&page=2, ... up to the first page without items, and prints one JSON line:
// {"items":N,"pages":N,"seconds":...}

#include <curl/curl.h>
#include <sqlite3.h>

#include "common.h"

struct body {
    char bytes[1 << 18];
    size_t length;
};

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (length > sizeof body->bytes - body->length) return 0;
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
    return length;
}

static void check(sqlite3 *file, int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    fprintf(stderr, "sync_floor: %s\n", sqlite3_errmsg(file));
    exit(1);
}

static sqlite3 *open_file(const char *path) {
    sqlite3 *file = NULL;
    check(file, sqlite3_open(path, &file));
    // Larder's cache file has the same settings.
    check(file, sqlite3_exec(file,
                             "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                             "CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT",
                             NULL, NULL, NULL));
    return file;
}

// Stores the items of a page. Returns their number.
static int store(sqlite3 *file, sqlite3_stmt *upsert, const struct body *body) {
    check(file, sqlite3_exec(file, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    sqlite3_bind_text(upsert, 1, body->bytes, (int)body->length, SQLITE_STATIC);
    int count = 0, code;
    while ((code = sqlite3_step(upsert)) == SQLITE_ROW) count++;
    check(file, code);
    check(file, sqlite3_reset(upsert));
    check(file, sqlite3_exec(file, "COMMIT", NULL, NULL, NULL));
    return count;
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: sync_floor URL FILE\n");
        return 64;
    }
    static struct body body;
    double start = now_us();
    sqlite3 *file = open_file(words[2]);
    sqlite3_stmt *upsert = NULL;
    check(file, sqlite3_prepare_v2(
                    file,
                    "INSERT INTO items SELECT value ->> 'id', value FROM json_each(?, '$.results') WHERE true"
                    " ON CONFLICT DO UPDATE SET json = excluded.json WHERE json <> excluded.json RETURNING 1",
                    -1, &upsert, NULL));
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *handle = curl_easy_init();
    if (!handle) return 1;
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 10L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    long items = 0, page = 1;
    for (;; page++) {
        char url[512];
        snprintf(url, sizeof url, "%s&page=%ld", words[1], page);
        body.length = 0;
        curl_easy_setopt(handle, CURLOPT_URL, url);
        CURLcode code = curl_easy_perform(handle);
        if (code != CURLE_OK) {
            fprintf(stderr, "sync_floor: %s: %s\n", url, curl_easy_strerror(code));
            return 1;
        }
        if (body.length < 64) break;  // A page without items.
        items += store(file, upsert, &body);
    }
    sqlite3_finalize(upsert);
    sqlite3_close(file);
    curl_easy_cleanup(handle);
    printf("{\"items\":%ld,\"pages\":%ld,\"seconds\":%.4f}\n", items, page - 1, (now_us() - start) / 1e6);
    return 0;
}
