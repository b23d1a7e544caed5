/* Two functions that a portable build would otherwise take from glibc 2.35. With them, it runs with glibc 2.34, which
   RHEL 9 and Amazon Linux 2023 have. scripts/build-options --portable defines LARDER_PORTABLE. */

#if defined(LARDER_PORTABLE) && defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The Swift runtime uses it. glibc 2.35 gave the function a new version, which does not set errno. */
float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    /* The squares and their sum cannot overflow in double precision. */
    return (float)sqrt((double)x * x + (double)y * y);
}

#if defined(DLFO_STRUCT_HAS_EH_DBASE) && !DLFO_STRUCT_HAS_EH_DBASE

struct search {
    uintptr_t address;
    struct dl_find_object *result;
};

/* Stores the object if it contains the address. Returns 2 if it is stored, 1 if it has no frames, and 0 to continue. */
static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const struct search *search = context;
    const ElfW(Phdr) *frames = NULL;
    uintptr_t first = UINTPTR_MAX, last = 0;
    int contains = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        if (header->p_type == PT_GNU_EH_FRAME) frames = header;
        if (header->p_type != PT_LOAD) continue;
        if (start < first) first = start;
        if (end > last) last = end;
        if (search->address >= start && search->address < end) contains = 1;
    }
    if (!contains || !frames) return contains;
    search->result->dlfo_flags = 0;
    search->result->dlfo_map_start = (void *)first;
    search->result->dlfo_map_end = (void *)last;
    search->result->dlfo_link_map = NULL;
    search->result->dlfo_eh_frame = (void *)(info->dlpi_addr + frames->p_vaddr);
    return 2;
}

/* The unwinder of libgcc uses it to find the frames of an address: see dl_iterate_phdr(3). Returns 0, or -1 if no
   object with frames contains the address. */
int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(uintptr_t)address, result};
    return dl_iterate_phdr(visit, &search) == 2 ? 0 : -1;
}

#endif
#endif
