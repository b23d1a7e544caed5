#include "CArguments.h"

#include <stddef.h>
#include <stdlib.h>

static int count;
static char **arguments;

/* glibc and dyld call constructors with the parameters of main. Swift's main does not pass its own on. */
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    arguments = argv;
}
#endif

int larder_argument_count(void) { return count; }
char **larder_arguments(void) { return arguments; }
