/* SPDX-License-Identifier: Apache-2.0 */
/* The high-level functions of the H5 API. */
#ifndef HDF5_HL_H
#define HDF5_HL_H

#include "hdf5.h"

#include "H5DOpublic.h"
#include "H5DSpublic.h"
#include "H5IMpublic.h"
#include "H5LDpublic.h"
#include "H5LTpublic.h"
#include "H5PTpublic.h"
#include "H5TBpublic.h"

#endif
