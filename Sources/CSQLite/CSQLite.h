#ifndef LARDER_CSQLITE_H
#define LARDER_CSQLITE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer. Swift does not import such a cast. */
static inline sqlite3_destructor_type larder_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* An empty text. */
static inline const char *larder_empty_text(void) { return ""; }

/* Returns the first occurrence of `part` in `text`; NULL if there is none. The time is linear. The C library declares
   memmem only for some feature macros. */
static inline const void *larder_find(const void *text, size_t length, const void *part, size_t size) {
    extern void *memmem(const void *, size_t, const void *, size_t);
    return memmem(text, length, part, size);
}

/* Turns an option of a connection on or off. Returns SQLITE_ERROR for an option that this SQLite does not know. This
   wrapper exists because sqlite3_db_config is variadic. */
static inline int larder_sqlite_set(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, NULL);
}

/* A virtual table and its cursor, each with a reference to a Swift object. SQLite reads only the first member. */
typedef struct {
    sqlite3_vtab base;
    void *object;
} larder_table;
typedef struct {
    sqlite3_vtab_cursor base;
    void *object;
} larder_cursor;

/* Stores the set of columns that a statement reads in the plan of a virtual table. This wrapper exists because
   sqlite3_mprintf is variadic. */
static inline void larder_plan_columns(sqlite3_index_info *info) {
    info->idxStr = sqlite3_mprintf("%llx", info->colUsed);
    info->needToFreeIdxStr = 1;
}

/* Returns the set of columns that `larder_plan_columns` stored. Without one, returns the set of all columns. */
static inline uint64_t larder_planned_columns(const char *plan) {
    return plan == NULL ? UINT64_MAX : strtoull(plan, NULL, 16);
}

/* Sets the error message of a virtual table. */
static inline void larder_table_error(sqlite3_vtab *table, const char *message) {
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", message);
}

/* The size in bytes of the first region of the wal-index (https://sqlite.org/walformat.html). */
#define LARDER_WAL_INDEX_SIZE 32768

/* Returns the first region of the wal-index of a connection to a file in WAL mode. Returns NULL if there is no region.
   SQLite's own VFS maps the region for reading, and the region stays mapped while the connection is open. */
static inline const void *larder_wal_index(sqlite3 *database) {
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return NULL;
    if (file == NULL || file->pMethods == NULL || file->pMethods->iVersion < 2) return NULL;
    if (file->pMethods->xShmMap == NULL) return NULL;
    void volatile *region = NULL;
    if (file->pMethods->xShmMap(file, 0, LARDER_WAL_INDEX_SIZE, 0, &region) != SQLITE_OK) return NULL;
    return (const void *)region;
}

/* Returns a number that differs for each state of the wal-index's header. The number covers all 48 bytes except the
   version, because any process may write the version at any time. A read during a write returns a number that belongs
   to no state. */
static inline uint64_t larder_wal_state(const void *index) {
    const uint64_t *words = (const uint64_t *)index;
    uint64_t state = 0;
    for (int i = 1; i < 6; i++) {
        state = (state ^ __atomic_load_n(&words[i], __ATOMIC_ACQUIRE)) * 0x9E3779B97F4A7C15u;
        state ^= state >> 32;
    }
    return state;
}

/* Returns the size of the database after the last commit, in pages. */
static inline uint32_t larder_wal_pages(const void *index) {
    return __atomic_load_n((const uint32_t *)index + 5, __ATOMIC_RELAXED);
}

/* Returns the number of frames in the write-ahead log. */
static inline uint32_t larder_wal_frames(const void *index) {
    return __atomic_load_n((const uint32_t *)index + 4, __ATOMIC_RELAXED);
}

#endif
