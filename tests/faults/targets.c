/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded, lets Highway believe that the processor has fewer vector instructions: the bits of MEDLEY_TARGETS (a mask of its
 * numbers of targets) are taken away. Takes the place of hwy::SupportedTargets() in the shared library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

int64_t _ZN3hwy16SupportedTargetsEv(void) {
  static int64_t (*real)(void);
  if (real == NULL) real = (int64_t(*)(void))dlsym(RTLD_NEXT, "_ZN3hwy16SupportedTargetsEv");
  const char* without = getenv("MEDLEY_TARGETS");
  const int64_t all = real();
  return without == NULL ? all : all & ~(int64_t)strtoll(without, NULL, 0);
}
