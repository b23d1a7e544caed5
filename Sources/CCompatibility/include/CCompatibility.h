#ifndef LARDER_CCOMPATIBILITY_H
#define LARDER_CCOMPATIBILITY_H

/* This header is empty. compatibility.c defines functions of the C library for the linker. */

#endif
