#ifndef LARDER_CCATALOGS_H
#define LARDER_CCATALOGS_H

#include <stddef.h>
#include <stdint.h>

/* A shipped catalog: its name, and its text of `size` bytes. The name and the text are constants of the program. */
typedef struct {
    const char *name;
    const uint8_t *text;
    size_t size;
} larder_catalog;

/* The number of shipped catalogs. */
size_t larder_catalog_count(void);

/* Returns the catalog at an index below larder_catalog_count(). The catalogs are sorted by name. */
larder_catalog larder_catalog_at(size_t index);

/* Returns the catalog that the server uses by default. */
larder_catalog larder_catalog_built_in(void);

#endif
