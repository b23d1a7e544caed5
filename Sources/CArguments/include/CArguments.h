#ifndef LARDER_CARGUMENTS_H
#define LARDER_CARGUMENTS_H

/* The number and the values of this process's arguments. The first one is the program's name. Swift's CommandLine reads
   /proc/self/cmdline on Linux, which is missing in a plain chroot. The result is 0 and NULL if the C library does not
   pass the arguments to constructors (musl). */
int larder_argument_count(void);
char **larder_arguments(void);

#endif
