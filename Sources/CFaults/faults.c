#define _GNU_SOURCE
#include "CFaults.h"

#include <stdint.h>
#include <string.h>

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of what is called in the handler, POSIX has open, pread, close and stat among what is async-signal-safe; mmap and
   truncate are plain system calls on Linux, without a lock of the C library. Nothing is allocated. */

/* /proc/self/maps: at the moment of a fault the process may have no descriptor left. */
static int maps = -1;

static struct sigaction former;

/* How many faults were survived, and the inodes of the files that the last of them were in. */
static atomic_uint survived;
#define REMEMBERED 4096
static _Atomic uint64_t inodes[REMEMBERED];

/* How many mappings got zeros that are not shared, and the inodes of the last of their files. */
static atomic_uint unshared;
#define REMEMBERED_UNSHARED 1024
static _Atomic uint64_t unshared_inodes[REMEMBERED_UNSHARED];

/* Faults since a file got its length back, in files that had theirs. */
static atomic_uint repeated;
#define MAX_REPEATED 1000

struct mapping {
    uintptr_t start, end;
    uint64_t offset, inode;
    char path[4096];
};

/* Reads a file byte by byte through a small buffer. */
struct reader {
    int descriptor;
    off_t offset;
    ssize_t count, at;
    char buffer[4096];
};

static int next(struct reader *reader) {
    if (reader->at == reader->count) {
        do reader->count = pread(reader->descriptor, reader->buffer, sizeof reader->buffer, reader->offset);
        while (reader->count < 0 && errno == EINTR);
        reader->at = 0;
        reader->offset += reader->count;
        if (reader->count <= 0) return reader->count = -1;
    }
    return (unsigned char)reader->buffer[reader->at++];
}

static uint64_t number(struct reader *reader, unsigned base, int *end) {
    uint64_t value = 0;
    for (;;) {
        int c = *end = next(reader);
        if (c >= '0' && c <= '9') value = value * base + (unsigned)(c - '0');
        else if (base == 16 && c >= 'a' && c <= 'f') value = value * base + (unsigned)(c - 'a' + 10);
        else return value;
    }
}

/* One line of /proc/self/maps (proc_pid_maps(5)): START-END RIGHTS OFFSET MAJOR:MINOR INODE PATH. */
static int next_mapping(struct reader *reader, struct mapping *mapping) {
    int c;
    mapping->start = number(reader, 16, &c);
    if (c < 0) return 0;
    mapping->end = number(reader, 16, &c);
    do c = next(reader); while (c >= 0 && c != ' ');
    mapping->offset = number(reader, 16, &c);
    number(reader, 16, &c);
    number(reader, 16, &c);
    mapping->inode = number(reader, 10, &c);
    while (c == ' ') c = next(reader);
    size_t length = 0;
    for (; c >= 0 && c != '\n'; c = next(reader))
        if (length < sizeof mapping->path - 1) mapping->path[length++] = (char)c;
    mapping->path[length] = 0;
    return 1;
}

/* Whether a mapping is the one that is looked for: the one of an address, or of a file's beginning. */
typedef int wanted(const struct mapping *mapping, uint64_t what);

static int has_address(const struct mapping *mapping, uint64_t address) {
    return address >= mapping->start && address < mapping->end;
}

static int is_beginning(const struct mapping *mapping, uint64_t inode) {
    return mapping->inode == inode && mapping->offset == 0 && mapping->path[0] == '/';
}

static int find_once(wanted *is_wanted, uint64_t what, struct mapping *mapping) {
    struct reader reader;
    reader.offset = reader.count = reader.at = 0;
    /* One of its own where there is one: it goes on where it was, whatever is mapped and unmapped meanwhile. */
    int own = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    reader.descriptor = own >= 0 ? own : maps;
    int found = 0;
    while (!found && next_mapping(&reader, mapping)) found = is_wanted(mapping, what);
    if (own >= 0) close(own);
    return found;
}

/* Another thread may map or unmap something while the list is read, so that a line of it is missed. */
static int find(wanted *is_wanted, uint64_t what, struct mapping *mapping) {
    for (int tries = 0; tries < 10; tries++)
        if (find_once(is_wanted, what, mapping)) return 1;
    return 0;
}

/* Whether the mapped file is the index of a write-ahead log. One that was deleted has a remark behind its name. */
static int is_index(const char *path) {
    const char *suffix = strstr(path, "-shm");
    while (suffix != NULL && suffix[4] != 0 && suffix[4] != ' ') suffix = strstr(suffix + 1, "-shm");
    return path[0] == '/' && suffix != NULL;
}

/* A newline in a name is "\012" there, and nothing else is replaced. */
static void decode_newlines(char *path) {
    char *to = path;
    for (const char *from = path; *from != 0; to++) {
        if (strncmp(from, "\\012", 4) == 0) *to = '\n', from += 4;
        else *to = *from++;
    }
    *to = 0;
}

/* The status of the file, if it is at its name still. Its device is not compared: some file systems have one for each
   folder, which the mapping does not tell. */
static int has_status(struct mapping *mapping, struct stat *status) {
    if (stat(mapping->path, status) == 0 && status->st_ino == mapping->inode) return 1;
    decode_newlines(mapping->path);
    return stat(mapping->path, status) == 0 && status->st_ino == mapping->inode;
}

/* Gives the file its length back, without a descriptor: to close one would drop the process's locks on it. Where another
   thread was first there is nothing left to do, but where that goes on and on the cause is another one: a full disk. */
static int lengthen(struct mapping *mapping) {
    struct stat status;
    if (!has_status(mapping, &status)) return 0;
    off_t length = (off_t)(mapping->offset + (mapping->end - mapping->start));
    if (status.st_size >= length) return atomic_fetch_add(&repeated, 1) < MAX_REPEATED;
    if (truncate(mapping->path, length) != 0) return 0;
    atomic_store(&repeated, 0);
    return 1;
}

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    struct mapping mapping;
    int is_ours = info->si_code == BUS_ADRERR && find(has_address, (uintptr_t)info->si_addr, &mapping)
        && is_index(mapping.path);
    uint64_t inode = mapping.inode;
    if (is_ours && lengthen(&mapping)) {
        /* Part of the index may be left: it must not be taken for whole. */
        if (mapping.offset == 0 || find(is_beginning, inode, &mapping)) larder_wal_index_reset((void *)mapping.start);
    } else if (is_ours) {
        /* Where the file is gone, or the disk full, zeros that are not shared take its place. Noted first: who reads
           them must know. */
        atomic_store(&unshared_inodes[atomic_load(&unshared) % REMEMBERED_UNSHARED], inode);
        atomic_fetch_add(&unshared, 1);
        is_ours = mmap((void *)mapping.start, mapping.end - mapping.start, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    if (is_ours) {
        atomic_store(&inodes[atomic_load(&survived) % REMEMBERED], inode);
        atomic_fetch_add(&survived, 1);
    } else {
        sigaction(signal, &former, NULL); /* The touch is repeated, and does what it did before. */
    }
    errno = saved;
}

void larder_survive_cut_files(void) {
    maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    /* NODEFER: what the handler itself touches may be cut short again. */
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &former);
}

unsigned larder_survived_cuts(void) { return atomic_load(&survived); }

/* Whether the file at a path is among the inodes that were noted since; if there are too many to tell, or it is gone, it
   is. */
static int is_among(
    const _Atomic uint64_t *noted, unsigned remembered, unsigned since, unsigned now, const char *path) {
    if (now == since) return 0;
    struct stat status;
    if (now - since > remembered || stat(path, &status) != 0) return 1;
    for (; since != now; since++)
        if (atomic_load(&noted[since % remembered]) == status.st_ino) return 1;
    return 0;
}

int larder_was_cut(unsigned since, const char *path) {
    return is_among(inodes, REMEMBERED, since, atomic_load(&survived), path);
}

unsigned larder_unshared_files(void) { return atomic_load(&unshared); }

int larder_was_unshared(unsigned since, const char *path) {
    return is_among(unshared_inodes, REMEMBERED_UNSHARED, since, atomic_load(&unshared), path);
}

#else

void larder_survive_cut_files(void) {}
unsigned larder_survived_cuts(void) { return 0; }
int larder_was_cut(unsigned since, const char *path) { return (void)since, (void)path, 0; }
unsigned larder_unshared_files(void) { return 0; }
int larder_was_unshared(unsigned since, const char *path) { return (void)since, (void)path, 0; }

#endif

/* The layout is https://sqlite.org/walformat.html: two copies of a header of 48 bytes, of which the fifth word is the number
   of frames and the thirteenth byte not zero; 40 bytes for checkpoints; and then the page number of each frame, which is never zero. */
#define HEADERS 96
#define IS_MADE 12
#define FRAMES 16
#define FIRST_PAGE 136

void larder_wal_index_reset(void *index) {
    memset(index, 0, HEADERS);
    __atomic_store_n((uint32_t *)((char *)index + FIRST_PAGE), 0, __ATOMIC_RELEASE);
}

int larder_wal_index_is_whole(const void *index) {
    return __atomic_load_n((const uint32_t *)((const char *)index + FRAMES), __ATOMIC_ACQUIRE) == 0
        || __atomic_load_n((const uint32_t *)((const char *)index + FIRST_PAGE), __ATOMIC_ACQUIRE) != 0;
}

int larder_wal_index_is_made(const void *index) {
    return __atomic_load_n((const uint8_t *)index + IS_MADE, __ATOMIC_ACQUIRE) != 0;
}
