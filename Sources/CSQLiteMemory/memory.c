#include "CSQLiteMemory.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable_size malloc_size
#else
#include <malloc.h>
#define usable_size malloc_usable_size
#endif

static _Thread_local larder_memory_account *current;

/* Returns whether the account of this thread has no room for `more` bytes. */
static int refuses(larder_memory_account *account, int64_t more) {
    if (larder_memory_is_stopped(account)) return 1;
    if (account->used + more <= account->limit) return 0;
    account->refused = 1;
    return 1;
}

static void *allocate(int size) {
    larder_memory_account *account = current;
    if (account == NULL) return malloc((size_t)size);
    if (refuses(account, size)) return NULL;
    void *memory = malloc((size_t)size);
    if (memory != NULL) account->used += (int64_t)usable_size(memory);
    return memory;
}

static void release(void *memory) {
    larder_memory_account *account = current;
    if (account != NULL) account->used -= (int64_t)usable_size(memory);
    free(memory);
}

static void *resize(void *memory, int size) {
    larder_memory_account *account = current;
    if (account == NULL) return realloc(memory, (size_t)size);
    int64_t before = (int64_t)usable_size(memory);
    if (size > before && refuses(account, size - before)) return NULL;
    void *resized = realloc(memory, (size_t)size);
    if (resized != NULL) account->used += (int64_t)usable_size(resized) - before;
    return resized;
}

static int size_of(void *memory) { return memory == NULL ? 0 : (int)usable_size(memory); }

static int rounded(int size) { return (size + 7) & ~7; }

static int begin(void *unused) {
    (void)unused;
    return SQLITE_OK;
}

static void end(void *unused) { (void)unused; }

void larder_sqlite_configure_memory(void) {
    static const sqlite3_mem_methods methods = {allocate, release, resize, size_of, rounded, begin, end, NULL};
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void larder_memory_stop(larder_memory_account *account) { __atomic_store_n(&account->stopped, 1, __ATOMIC_RELAXED); }

int larder_memory_is_stopped(larder_memory_account *account) {
    return __atomic_load_n(&account->stopped, __ATOMIC_RELAXED);
}

void larder_sqlite_account(larder_memory_account *account) { current = account; }
