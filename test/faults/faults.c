// Loaded before a command (LD_PRELOAD), this lets one system call on a file below a folder fail, or kills the process instead of it.
//
// FAULTS_UNDER  the folder, as an absolute path without links
// FAULTS_LOG    a file that gets the name of each such call, a line each
// FAULTS_CALL   the name of the call that fails, or "any"
// FAULTS_AT     which of them fails, counted from 1 over all threads
// FAULTS_ERRNO  the number of the error; 0 kills the process

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

typedef long (*System)(long, ...);

static System real_syscall(void) {
  static System found;
  if (!found) found = (System)dlsym(RTLD_NEXT, "syscall");
  return found;
}

static int is_under(const char *path) {
  const char *under = getenv("FAULTS_UNDER");
  char absolute[8192];
  if (!under) return 0;
  if (path[0] != '/') {
    char folder[4096];
    if (!getcwd(folder, sizeof folder)) return 0;
    snprintf(absolute, sizeof absolute, "%s/%s", folder, path);
    path = absolute;
  }
  return strncmp(path, under, strlen(under)) == 0;
}

// Whether the call must fail. Sets errno if so.
static int fails(const char *name) {
  static atomic_int calls;
  const char *log = getenv("FAULTS_LOG"), *call = getenv("FAULTS_CALL");
  if (log) {
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", name);
    int fd = real_syscall()(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    real_syscall()(SYS_write, fd, line, length);
    real_syscall()(SYS_close, fd);
  }
  if (!call || (strcmp(call, "any") && strcmp(call, name))) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != atoi(getenv("FAULTS_AT"))) return 0;
  errno = atoi(getenv("FAULTS_ERRNO"));
  if (errno == 0) kill(getpid(), SIGKILL);
  return 1;
}

static int fails_at_path(const char *name, const char *path) { return is_under(path) && fails(name); }

static int fails_at_fd(const char *name, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = real_syscall()(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  // Pipes and other special files have no path.
  return path[0] == '/' && is_under(path) && fails(name);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Like the system, closes the descriptor whatever the result.
int close(int fd) {
  int failed = fails_at_fd("close", fd), code = errno;
  int result = real_syscall()(SYS_close, fd);
  if (failed) errno = code;
  return failed ? -1 : result;
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  return number == SYS_close ? close(a) : real_syscall()(number, a, b, c, d, e, f);
}

static int opened(const char *path, int flags, int mode) {
  if (fails_at_path("open", path)) return -1;
  return real_syscall()(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0; }

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = mode_of(flags, list);
  va_end(list);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = mode_of(flags, list);
  va_end(list);
  return opened(path, flags, mode);
}

#define AT_FD(type, name, as, parameters, arguments) \
  type name parameters { return fails_at_fd(as, fd) ? -1 : REAL(name) arguments; }
#define AT_PATH(name, as, parameters, arguments) \
  int name parameters { return fails_at_path(as, path) ? -1 : REAL(name) arguments; }

AT_FD(ssize_t, read, "read", (int fd, void *to, size_t length), (fd, to, length))
AT_FD(ssize_t, pread, "read", (int fd, void *to, size_t length, off_t at), (fd, to, length, at))
AT_FD(ssize_t, pread64, "read", (int fd, void *to, size_t length, off64_t at), (fd, to, length, at))
AT_FD(ssize_t, write, "write", (int fd, const void *from, size_t length), (fd, from, length))
AT_FD(ssize_t, pwrite, "write", (int fd, const void *from, size_t length, off_t at), (fd, from, length, at))
AT_FD(ssize_t, pwrite64, "write", (int fd, const void *from, size_t length, off64_t at), (fd, from, length, at))
AT_FD(int, fsync, "fsync", (int fd), (fd))
AT_FD(int, ftruncate, "ftruncate", (int fd, off_t length), (fd, length))
AT_FD(int, ftruncate64, "ftruncate", (int fd, off64_t length), (fd, length))
AT_FD(int, fchmod, "chmod", (int fd, mode_t mode), (fd, mode))
AT_FD(int, fchown, "chown", (int fd, uid_t user, gid_t group), (fd, user, group))
AT_PATH(rename, "rename", (const char *from, const char *path), (from, path))
AT_PATH(link, "link", (const char *from, const char *path), (from, path))
AT_PATH(symlink, "symlink", (const char *from, const char *path), (from, path))
AT_PATH(unlink, "unlink", (const char *path), (path))
AT_PATH(mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))
