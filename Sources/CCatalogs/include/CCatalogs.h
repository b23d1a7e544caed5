#ifndef LARDER_CCATALOGS_H
#define LARDER_CCATALOGS_H

#include <stddef.h>
#include <stdint.h>

/* A catalog that ships: its name, and its text of `size` bytes. Both are constants of the program. */
typedef struct {
    const char *name;
    const uint8_t *text;
    size_t size;
} larder_catalog;

/* How many catalogs there are. */
size_t larder_catalog_count(void);

/* The catalog at an index below the count. They are sorted by name. */
larder_catalog larder_catalog_at(size_t index);

/* The catalog that is served if no other is named. */
larder_catalog larder_catalog_built_in(void);

#endif
