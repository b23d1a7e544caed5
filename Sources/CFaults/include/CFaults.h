#ifndef LARDER_CFAULTS_H
#define LARDER_CFAULTS_H

/* Lets the process survive that somebody cuts a file short which SQLite has mapped: the shared index of a write-ahead
   log (`*-shm`), as `cp` does with a file that it writes over. A touch of what is gone would end the process with SIGBUS.
   Now such a file gets its length back, filled with zeros, which SQLite takes for an index that has to be made anew.
   Every other SIGBUS does what it did before. To be called once, before the first such file is mapped. */
void larder_survive_cut_files(void);

/* How often a file was cut short and the process survived it. */
unsigned larder_survived_cuts(void);

/* Whether the file at `path` was one of those since there were so many. It may be said of a file that has gone. */
int larder_was_cut(unsigned since, const char *path);

/* How often a file could not be given its length back, so that this process has zeros of its own in its place: what it
   writes there no other process sees, nor it what they do. Nothing may be read or written by it any more. */
unsigned larder_unshared_files(void);

/* Whether the file at `path` was one of those since there were so many. It may be said of a file that has gone. */
int larder_was_unshared(unsigned since, const char *path);

/* Has SQLite make a mapped index anew from the log: that is what it does where there is no header. */
void larder_wal_index_reset(void *index);

/* Whether a mapped index knows the first frame of its log, if there is one. One that was cut short while somebody wrote
   gets its header back from who wrote, and no longer knows the frames before. */
int larder_wal_index_is_whole(const void *index);

/* Whether a mapped index has a header. Nobody takes it away from who may write, unless it was cut short. */
int larder_wal_index_is_made(const void *index);

#endif
