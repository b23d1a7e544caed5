#include "CLineEditor.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part of libedit's readline interface that Larder uses. The headers of libedit are not needed for the build. */
static struct {
    char *(*readline)(const char *);
    int (*add_history)(const char *);
    void (*resize)(void); /* NULL in old versions */
    void (*prepare_terminal)(int);
    int (**before_prompt)(void);
    int (**getc)(FILE *);
    char **(**complete)(const char *, int, int);
    int *complete_is_over;
    int *append_character;
    int *query_items;
    const char **word_breaks;
    char **line;
} edit;

static int wake_descriptor;
static enum larder_line ending;
static larder_suggest_function suggest_function;
static void *suggest_context;

/* An array of strings as libedit expects it: the text that replaces the word, then the texts that are shown. */
struct larder_suggestions {
    char **texts;
    size_t count, capacity;
};

void larder_suggest(struct larder_suggestions *suggestions, const char *text) {
    /* libedit reads up to the third element of every array. */
    if (suggestions->count + 3 > suggestions->capacity) {
        size_t capacity = suggestions->capacity * 2 + 8;
        char **texts = (char **)realloc(suggestions->texts, capacity * sizeof(char *));
        if (!texts) return;
        memset(texts + suggestions->capacity, 0, (capacity - suggestions->capacity) * sizeof(char *));
        suggestions->texts = texts;
        suggestions->capacity = capacity;
    }
    char *copy = strdup(text);
    if (copy) suggestions->texts[suggestions->count++] = copy;
}

static char **complete(const char *word, int start, int end) {
    (void)start;
    /* Without suggestions, libedit would suggest the names of files. */
    *edit.complete_is_over = 1;
    struct larder_suggestions suggestions = {NULL, 0, 0};
    suggest_function(suggest_context, *edit.line ? *edit.line : "", end, word, &suggestions);
    return suggestions.texts;
}

/* A byte of the input that follows an incomplete character; -1 for none. */
static int next_byte = -1;

static int read_byte(void) {
    if (next_byte >= 0) {
        int byte = next_byte;
        next_byte = -1;
        return byte;
    }
    struct pollfd ready[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake_descriptor, .events = POLLIN}};
    for (;;) {
        unsigned char byte;
        if (poll(ready, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        if (ready[1].revents) {
            if (read(wake_descriptor, &byte, 1) == 1) ending = LARDER_LINE_INTERRUPTED;
            return -1;
        }
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count == 1) return byte;
        if (count == 0 || (errno != EINTR && errno != EAGAIN)) return -1;
    }
}

static int has_more_input(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return next_byte >= 0 || (poll(&input, 1, 0) > 0 && (input.revents & POLLIN));
}

/* Returns the next character of the input, which is UTF-8, and U+FFFD for invalid bytes. Returns -1 at the end of the
   input and after an interruption. */
static int next_character(FILE *stream) {
    (void)stream;
    int first = read_byte();
    /* A pasted tab is white space. Only a tab that is typed completes a word: it is the end of the input. */
    if (first == '\t' && has_more_input()) return ' ';
    if (first < 0x80) return first;
    int count = first >= 0xF8 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    if (count == 0) return 0xFFFD;
    static const int smallest[] = {0, 0x80, 0x800, 0x10000};
    int least = smallest[count];
    int character = first & (0x3F >> count);
    while (count-- > 0) {
        int byte = read_byte();
        if (byte < 0) return -1;
        if ((byte & 0xC0) != 0x80) {
            next_byte = byte;
            return 0xFFFD;
        }
        character = (character << 6) | (byte & 0x3F);
    }
    int is_surrogate = character >= 0xD800 && character <= 0xDFFF;
    return character < least || character > 0x10FFFF || is_surrogate ? 0xFFFD : character;
}

/* Turns off line mode before libedit shows the prompt. libedit itself does this only afterwards, so keys such as Ctrl-D
   that are typed in between would be lost. */
static int prepare(void) {
    edit.prepare_terminal(1);
    return 0;
}

static int load(void) {
#ifdef __APPLE__
    void *library = dlopen("/usr/lib/libedit.3.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) return 0;
#define LARDER_FIND(member, name)                    \
    *(void **)(&edit.member) = dlsym(library, name); \
    if (!edit.member) return 0
    LARDER_FIND(readline, "readline");
    LARDER_FIND(add_history, "add_history");
    LARDER_FIND(prepare_terminal, "rl_prep_terminal");
    LARDER_FIND(before_prompt, "rl_pre_input_hook");
    LARDER_FIND(getc, "rl_getc_function");
    LARDER_FIND(complete, "rl_attempted_completion_function");
    LARDER_FIND(complete_is_over, "rl_attempted_completion_over");
    LARDER_FIND(append_character, "rl_completion_append_character");
    LARDER_FIND(query_items, "rl_completion_query_items");
    LARDER_FIND(word_breaks, "rl_basic_word_break_characters");
    LARDER_FIND(line, "rl_line_buffer");
#undef LARDER_FIND
    *(void **)(&edit.resize) = dlsym(library, "rl_resize_terminal");
    void (*using_history)(void);
    *(void **)(&using_history) = dlsym(library, "using_history");
    if (!using_history) return 0;
    /* libedit converts characters by the locale. All text of Larder is UTF-8. */
    if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) setlocale(LC_CTYPE, "");
    *edit.before_prompt = prepare;
    *edit.getc = next_character;
    *edit.complete = complete;
    *edit.append_character = 0;
    *edit.query_items = 500;
    /* Names in double quotes, names with a qualifier such as a.b, and names with a hyphen are single words. */
    *edit.word_breaks = " \t\n,;()=<>|!+*/%&~[]{}'";
    using_history();
    return 1;
}

int larder_editor_open(void) {
    static int is_open = -1;
    if (is_open < 0) is_open = load();
    return is_open;
}

void larder_editor_remember(const char *line) { edit.add_history(line); }

enum larder_line larder_editor_read(
    const char *prompt, int wake, larder_suggest_function suggest, void *context, char **line) {
    wake_descriptor = wake;
    suggest_function = suggest;
    suggest_context = context;
    ending = LARDER_LINE_END;
    /* The size of the window may have changed since the last line. */
    if (edit.resize) edit.resize();
    *line = edit.readline(prompt);
    if (ending == LARDER_LINE_INTERRUPTED) {
        free(*line);
        *line = NULL;
        return ending;
    }
    return *line ? LARDER_LINE_READ : LARDER_LINE_END;
}
