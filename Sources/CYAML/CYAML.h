#ifndef LARDER_CYAML_H
#define LARDER_CYAML_H

#include <stddef.h>
#include <stdlib.h>
#include <yaml.h>

/* Creates a parser of a text in memory. The text must outlive the parser. Returns NULL if there is not enough memory.
   */
static inline yaml_parser_t *larder_yaml_open(const unsigned char *text, size_t count) {
    yaml_parser_t *parser = (yaml_parser_t *)malloc(sizeof(yaml_parser_t));
    if (!parser) return NULL;
    if (!yaml_parser_initialize(parser)) {
        free(parser);
        return NULL;
    }
    yaml_parser_set_input_string(parser, text, count);
    return parser;
}

static inline void larder_yaml_close(yaml_parser_t *parser) {
    yaml_parser_delete(parser);
    free(parser);
}

#endif
