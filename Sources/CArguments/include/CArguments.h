#ifndef LARDER_CARGUMENTS_H
#define LARDER_CARGUMENTS_H

/* The arguments of this process, its own name first, as the system passed them to the program's start. Swift's
   CommandLine reads /proc/self/cmdline on Linux, which is missing in a plain chroot. 0 and NULL if the C library does
   not pass them to constructors (musl). */
int larder_argument_count(void);
char **larder_arguments(void);

#endif
