#ifndef LARDER_CSQLITEMEMORY_H
#define LARDER_CSQLITEMEMORY_H

#include <stdint.h>

/* The memory that SQLite has allocated on one thread since `larder_sqlite_account`. */
typedef struct {
    /* The number of bytes in use. Negative if the thread has freed more memory than it has allocated since. */
    int64_t used;
    /* The largest allowed value of `used`. An allocation beyond it fails, and SQLite returns SQLITE_NOMEM. */
    int64_t limit;
    /* 1 if an allocation has failed because of the limit. */
    int refused;
    /* 1 after `larder_memory_stop`. Each further allocation fails. */
    int stopped;
} larder_memory_account;

/* Makes each further allocation of an account fail, so that SQLite ends its statement. Any thread may call this. */
void larder_memory_stop(larder_memory_account *account);

/* Returns whether `larder_memory_stop` was called. Any thread may call this. */
int larder_memory_is_stopped(larder_memory_account *account);

/* Turns off SQLite's memory statistics, which take a lock at each allocation, and makes SQLite allocate its memory with
   malloc and the accounts below. The caller must use this function before any other function of SQLite. */
void larder_sqlite_configure_memory(void);

/* Counts SQLite's memory on the current thread in an account. NULL ends the counting. Other threads are not counted. */
void larder_sqlite_account(larder_memory_account *account);

#endif
