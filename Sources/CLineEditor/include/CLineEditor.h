#ifndef LARDER_CLINEEDITOR_H
#define LARDER_CLINEEDITOR_H

/* Reads lines from the terminal with libedit (https://www.thrysoee.dk/editline). Larder opens the library at the first
   prompt instead of linking it, so that other commands do not need it. Only one thread may use these functions. */

/* The suggestions for a word, which the function of `larder_editor_read` fills. */
struct larder_suggestions;

/* Adds a suggestion. The first one replaces the word; the others are shown. */
void larder_suggest(struct larder_suggestions *suggestions, const char *text);

/* Fills the suggestions for the word that ends after the first `cursor` characters of `line`. */
typedef void (*larder_suggest_function)(
    void *context, const char *line, int cursor, const char *word, struct larder_suggestions *suggestions);

/* Opens libedit. Returns 0 if the library or one of its functions is missing. Later calls return the first result. */
int larder_editor_open(void);

/* Adds a line to the lines that the arrow keys recall. */
void larder_editor_remember(const char *line);

enum larder_line { LARDER_LINE_READ, LARDER_LINE_INTERRUPTED, LARDER_LINE_END };

/* Reads a line after showing a prompt.

   wake: a descriptor. If it becomes readable, the function reads one byte from it and returns LARDER_LINE_INTERRUPTED.
   suggest: called with `context` when the user presses the tab key.
   line: set to the line without its line break if the result is LARDER_LINE_READ. The caller frees it. */
enum larder_line larder_editor_read(
    const char *prompt, int wake, larder_suggest_function suggest, void *context, char **line);

#endif
