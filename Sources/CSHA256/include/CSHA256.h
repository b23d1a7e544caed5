#ifndef LARDER_CSHA256_H
#define LARDER_CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether the processor has the SHA-256 instructions that larder_sha256_blocks uses (x86: SHA extensions). */
bool larder_sha256_is_available(void);

/* Adds complete blocks of 64 bytes to a SHA-256 state (FIPS 180-4). The caller must first check that
   larder_sha256_is_available returns true. */
void larder_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks);

#endif
