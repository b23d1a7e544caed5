#ifndef LARDER_CSQLITE_H
#define LARDER_CSQLITE_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline sqlite3_destructor_type larder_sqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif
