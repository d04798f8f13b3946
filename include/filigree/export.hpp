// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks what libfiligree.so shows; everything else stays hidden.
#define FILIGREE_EXPORT __attribute__((visibility("default")))
