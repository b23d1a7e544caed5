#ifndef LARDER_CARGUMENTS_H
#define LARDER_CARGUMENTS_H

/* The number and the values of this process's arguments. The first argument is the program's name. If the C library
   (musl) does not pass the arguments to constructors, the number is 0 and the values are NULL.

   Swift's CommandLine reads /proc/self/cmdline on Linux. A plain chroot lacks this file. */
int larder_argument_count(void);
char **larder_arguments(void);

#endif
