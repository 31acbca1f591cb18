/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a program (LD_PRELOAD), lets chosen calls fail and writes down what happens to files.
 *
 *   MEDLEY_FAULT=write:3:28      the 3rd write fails with errno 28 (ENOSPC); write:3+:28 the 3rd and all after it
 *   MEDLEY_FAULT_COUNT=FILE      at the end, a line "call number" for each kind of call
 *   MEDLEY_FAULT_LOG=FILE        every change of files, in order, for the power-loss simulator:
 *                                C fd path (created), W fd offset length + the bytes, S fd (synced), D fd path (a folder was
 *                                opened), R from to, U path, X fd (closed), E code (exit)
 *
 * The calls: malloc (with calloc, realloc and aligned allocation), open, close, read, write, fsync, rename, unlink, mmap, thread
 * (pthread_create). Only calls from outside of the C library are seen. The kernel is asked directly, so that nothing needs
 * memory before the program has any.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kMalloc, kOpen, kClose, kRead, kWrite, kFsync, kRename, kUnlink, kMmap, kThread, kKinds };
static const char* const kNames[kKinds] = {"malloc", "open",   "close",  "read", "write",
                                           "fsync",  "rename", "unlink", "mmap", "thread"};

static atomic_ulong calls[kKinds];
static int fault_kind = -1;
static unsigned long fault_at;
static int fault_on; /* and all after it */
static int fault_errno;
static int log_file = -1;
static atomic_flag log_lock = ATOMIC_FLAG_INIT;
static char count_path[4096];

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static int high_file(const char* path) {
  const long opened = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) return -1;
  const long high = syscall(SYS_fcntl, opened, F_DUPFD_CLOEXEC, 900);
  syscall(SYS_close, opened);
  return (int)high;
}

__attribute__((constructor(102))) static void begin(void) {
  const char* count = getenv("MEDLEY_FAULT_COUNT");
  if (count != NULL) strncpy(count_path, count, sizeof count_path - 1);
  const char* log = getenv("MEDLEY_FAULT_LOG");
  if (log != NULL) log_file = high_file(log);
  const char* fault = getenv("MEDLEY_FAULT");
  if (fault == NULL) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    const size_t length = strlen(kNames[kind]);
    if (strncmp(fault, kNames[kind], length) != 0 || fault[length] != ':') continue;
    char* rest;
    fault_at = strtoul(fault + length + 1, &rest, 10);
    if (*rest == '+') {
      fault_on = 1;
      ++rest;
    }
    if (*rest == ':') fault_errno = (int)strtol(rest + 1, NULL, 10);
    fault_kind = kind;
  }
}

__attribute__((destructor)) static void end(void) {
  fault_kind = -1;
  if (count_path[0] == '\0') return;
  const int file = high_file(count_path);
  for (int kind = 0; kind < kKinds; ++kind) {
    char line[64];
    const int length = snprintf(line, sizeof line, "%s %lu\n", kNames[kind], atomic_load(&calls[kind]));
    syscall(SYS_write, file, line, (size_t)length);
  }
  syscall(SYS_close, file);
}

/* Counts a call; whether it is to fail. */
static int fails(int kind) {
  const unsigned long number = atomic_fetch_add(&calls[kind], 1) + 1;
  if (kind != fault_kind || (fault_on ? number < fault_at : number != fault_at)) return 0;
  errno = fault_errno;
  return 1;
}

static void note(const char* head, const void* bytes, size_t size) {
  if (log_file < 0) return;
  while (atomic_flag_test_and_set(&log_lock)) {
  }
  syscall(SYS_write, log_file, head, strlen(head));
  if (size > 0) syscall(SYS_write, log_file, bytes, size);
  atomic_flag_clear(&log_lock);
}

#define NOTE(...)                                 \
  do {                                            \
    if (log_file >= 0) {                          \
      char line_[8300];                           \
      const int saved_ = errno;                   \
      snprintf(line_, sizeof line_, __VA_ARGS__); \
      note(line_, NULL, 0);                       \
      errno = saved_;                             \
    }                                             \
  } while (0)

void* malloc(size_t size) { return fails(kMalloc) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(kMalloc) ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(kMalloc) ? NULL : __libc_realloc(old, size); }
void* memalign(size_t align, size_t size) { return fails(kMalloc) ? NULL : __libc_memalign(align, size); }
void* aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
int posix_memalign(void** out, size_t align, size_t size) {
  void* const got = memalign(align, size);
  if (got == NULL) return ENOMEM;
  *out = got;
  return 0;
}

static int opened(int folder, const char* path, int flags, mode_t mode) {
  if (fails(kOpen)) return -1;
  const long file = syscall(SYS_openat, folder, path, flags, mode);
  if (file < 0) return -1;
  if (flags & O_CREAT) NOTE("C %ld %s\n", file, path);
  if (flags & O_DIRECTORY) NOTE("D %ld %s\n", file, path);
  return (int)file;
}

#define MODE_OF(flags)                           \
  mode_t mode = 0;                               \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {       \
    va_list more;                                \
    va_start(more, flags);                       \
    mode = (mode_t)va_arg(more, unsigned);       \
    va_end(more);                                \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return opened(folder, path, flags, mode);
}

/* Like the kernel's: also a close that fails has closed. */
int close(int file) {
  if (file == log_file && log_file >= 0) return 0;
  const int failing = fails(kClose);
  const int error = errno;
  const long done = syscall(SYS_close, file);
  NOTE("X %d\n", file);
  if (!failing) return (int)done;
  errno = error;
  return -1;
}

ssize_t read(int file, void* to, size_t size) { return fails(kRead) ? -1 : syscall(SYS_read, file, to, size); }
ssize_t pread(int file, void* to, size_t size, off_t at) {
  return fails(kRead) ? -1 : syscall(SYS_pread64, file, to, size, at);
}
ssize_t pread64(int file, void* to, size_t size, off_t at) { return pread(file, to, size, at); }

static void note_written(int file, const void* bytes, ssize_t size, off_t at) {
  struct stat status;
  if (log_file < 0 || size <= 0 || syscall(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode)) return;
  char head[96];
  const int saved = errno;
  snprintf(head, sizeof head, "W %d %lld %lld\n", file, (long long)at, (long long)size);
  note(head, bytes, (size_t)size);
  errno = saved;
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (fails(kWrite)) return -1;
  const off_t at = log_file >= 0 ? (off_t)syscall(SYS_lseek, file, 0, SEEK_CUR) : 0;
  const ssize_t done = syscall(SYS_write, file, bytes, size);
  note_written(file, bytes, done, at);
  return done;
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (fails(kWrite)) return -1;
  const ssize_t done = syscall(SYS_pwrite64, file, bytes, size, at);
  note_written(file, bytes, done, at);
  return done;
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off_t at) { return pwrite(file, bytes, size, at); }
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (fails(kWrite)) return -1;
  off_t at = log_file >= 0 ? (off_t)syscall(SYS_lseek, file, 0, SEEK_CUR) : 0;
  const ssize_t done = syscall(SYS_writev, file, parts, count);
  ssize_t left = done;
  for (int i = 0; i < count && left > 0; ++i) {
    const ssize_t size = (ssize_t)parts[i].iov_len < left ? (ssize_t)parts[i].iov_len : left;
    note_written(file, parts[i].iov_base, size, at);
    at += size;
    left -= size;
  }
  return done;
}

int fsync(int file) {
  if (fails(kFsync)) return -1;
  const long done = syscall(SYS_fsync, file);
  if (done == 0) NOTE("S %d\n", file);
  return (int)done;
}
int fdatasync(int file) { return fsync(file); }

int rename(const char* from, const char* to) {
  if (fails(kRename)) return -1;
  const long done = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (done == 0) NOTE("R %s\t%s\n", from, to);
  return (int)done;
}

int unlink(const char* path) {
  if (fails(kUnlink)) return -1;
  const long done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (done == 0) NOTE("U %s\n", path);
  return (int)done;
}
int remove(const char* path) {
  if (unlink(path) == 0) return 0;
  return errno == EISDIR ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : -1;
}

void* mmap(void* at, size_t size, int how, int flags, int file, off_t offset) {
  if (fails(kMmap)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, size, how, flags, file, offset);
}
void* mmap64(void* at, size_t size, int how, int flags, int file, off_t offset) {
  return mmap(at, size, how, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*work)(void*), void* with) {
  if (fails(kThread)) return fault_errno;
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (real == NULL) real = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, how, work, with);
}
