/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers and the small floating-point types that HDF5 has since 2.0, the bounds of that release, and
 * its new versions of functions. The expected text is that of HDF5 2.2.0. */
#include <math.h>

#include "show.h"

static void show_number(const char* name, hid_t type) {
  size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  printf("%s: class %d, %d bytes, order %d, precision %d, offset %d\n", name, (int)H5Tget_class(type),
         (int)H5Tget_size(type), (int)H5Tget_order(type), (int)H5Tget_precision(type),
         (int)H5Tget_offset(type));
  CALL(H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits));
  printf("  fields %d %d %d %d %d, bias %d, norm %d\n", (int)sign, (int)exponent, (int)exponent_bits,
         (int)mantissa, (int)mantissa_bits, (int)H5Tget_ebias(type), (int)H5Tget_norm(type));
}
#define NUMBER(type) show_number(#type, type)

static void predefined(void) {
  NUMBER(H5T_IEEE_F16LE);
  NUMBER(H5T_IEEE_F16BE);
  NUMBER(H5T_FLOAT_BFLOAT16LE);
  NUMBER(H5T_FLOAT_BFLOAT16BE);
  NUMBER(H5T_FLOAT_F8E4M3);
  NUMBER(H5T_FLOAT_F8E5M2);
  NUMBER(H5T_FLOAT_F6E2M3);
  NUMBER(H5T_FLOAT_F6E3M2);
  NUMBER(H5T_FLOAT_F4E2M1);
  NUMBER(H5T_COMPLEX_IEEE_F16LE);
  NUMBER(H5T_COMPLEX_IEEE_F16BE);
  NUMBER(H5T_COMPLEX_IEEE_F32LE);
  NUMBER(H5T_COMPLEX_IEEE_F32BE);
  NUMBER(H5T_COMPLEX_IEEE_F64LE);
  NUMBER(H5T_COMPLEX_IEEE_F64BE);
  NUMBER(H5T_NATIVE_FLOAT_COMPLEX);
  NUMBER(H5T_NATIVE_DOUBLE_COMPLEX);
  NUMBER(H5T_NATIVE_LDOUBLE_COMPLEX);
}

static void print_bytes(const unsigned char* bytes, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) printf("%02x", bytes[i]);
  printf("\n");
}

static void properties(void) {
  unsigned char bytes[200];
  size_t count = sizeof bytes;
  H5T_pad_t low, high;
  hid_t type, super, again, compound;
  puts("-- properties");
  CALL(H5Tcomplex_create(H5T_NATIVE_INT));
  CALL(H5Tcomplex_create(H5T_C_S1));
  CALL(H5Tcomplex_create(H5T_NATIVE_FLOAT_COMPLEX));
  CALL(H5Tcomplex_create(-1));
  type = H5Tcomplex_create(H5T_IEEE_F32LE);
  VALUE(H5Tequal(type, H5T_COMPLEX_IEEE_F32LE));
  VALUE(H5Tequal(type, H5T_NATIVE_FLOAT_COMPLEX));
  VALUE(H5Tequal(type, H5T_COMPLEX_IEEE_F32BE));
  super = H5Tget_super(type);
  VALUE(H5Tequal(super, H5T_IEEE_F32LE));
  VALUE(H5Tdetect_class(type, H5T_FLOAT));
  VALUE(H5Tdetect_class(type, H5T_COMPLEX));
  VALUE(H5Tdetect_class(type, H5T_INTEGER));
  CALL(H5Tdetect_class(type, H5T_NCLASSES));
  CALL(H5Tcreate(H5T_COMPLEX, 8));
  CALL(H5Tset_size(type, 16));
  CALL(H5Tget_sign(type));
  CALL(H5Tget_nmembers(type));
  CALL(H5Tget_cset(type));
  CALL(H5Tget_pad(type, &low, &high));
  CALL(H5Tis_variable_str(type));
  CALL(H5Tset_order(type, H5T_ORDER_BE));
  VALUE(H5Tequal(type, H5T_COMPLEX_IEEE_F32BE));
  CALL(H5Tset_precision(type, 64));
  VALUE((int)H5Tget_size(type));
  again = H5Tget_native_type(H5T_COMPLEX_IEEE_F32BE, H5T_DIR_DEFAULT);
  VALUE(H5Tequal(again, H5T_NATIVE_FLOAT_COMPLEX));
  again = H5Tget_native_type(H5T_COMPLEX_IEEE_F64BE, H5T_DIR_DESCEND);
  VALUE(H5Tequal(again, H5T_NATIVE_DOUBLE_COMPLEX));
  CALL(H5Tencode(H5T_COMPLEX_IEEE_F32LE, bytes, &count));
  count = 0;
  H5Tencode(H5T_COMPLEX_IEEE_F32LE, NULL, &count);
  print_bytes(bytes, count);
  again = H5Tdecode2(bytes, count);
  VALUE(H5Tequal(again, H5T_COMPLEX_IEEE_F32LE));
  again = H5Tdecode1(bytes);
  VALUE(H5Tequal(again, H5T_COMPLEX_IEEE_F32LE));
  CALL(H5Tdecode2(NULL, count));
  CALL(H5Tdecode2(bytes, 1));
  CALL(H5Tdecode2(bytes, 8));
  compound = H5Tcreate(H5T_COMPOUND, 24);
  CALL(H5Tinsert(compound, "a", 0, H5T_COMPLEX_IEEE_F32LE));
  CALL(H5Tinsert(compound, "b", 8, H5T_COMPLEX_IEEE_F64LE));
  VALUE(H5Tdetect_class(compound, H5T_COMPLEX));
  count = sizeof bytes;
  CALL(H5Tencode(compound, bytes, &count));
  count = 0;
  H5Tencode(compound, NULL, &count);
  print_bytes(bytes, count);
}

static void convert(const char* what, hid_t from, hid_t to, const void* values, size_t bytes) {
  unsigned char buffer[256];
  herr_t result;
  memset(buffer, 0, sizeof buffer);
  memcpy(buffer, values, bytes);
  H5E_BEGIN_TRY { result = H5Tconvert(from, to, 2, buffer, NULL, H5P_DEFAULT); }
  H5E_END_TRY
  printf("%s: %d ", what, (int)result);
  if (result >= 0)
    print_bytes(buffer, 2 * H5Tget_size(to));
  else
    puts("");
}
#define CONVERT(from, to, values) convert(#from " to " #to, from, to, values, sizeof values)

static hid_t pair(const char* first, const char* second, hid_t part) {
  const size_t bytes = H5Tget_size(part);
  hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
  H5Tinsert(type, first, 0, part);
  H5Tinsert(type, second, bytes, part);
  return type;
}

static void conversions(void) {
  const float complex_floats[4] = {1.5f, -2.25f, 1e20f, 3.0f};
  const double complex_doubles[4] = {1.5, -2.25, 1e300, 0.1};
  const float floats[2] = {-7.75f, 1e10f};
  const double doubles[2] = {-7.75, 1e300};
  const int integers[2] = {-5, 123456789};
  const float special[4] = {INFINITY, 1.0f, -0.0f, -INFINITY};
  const hsize_t two[1] = {2}, three[1] = {3}, square[2] = {1, 2};
  hid_t names = pair("r", "i", H5T_NATIVE_FLOAT), longer = pair("real", "imag", H5T_NATIVE_FLOAT);
  hid_t longest = pair("re", "imaginary", H5T_NATIVE_FLOAT), other = pair("x", "y", H5T_NATIVE_FLOAT);
  hid_t swapped = pair("i", "r", H5T_NATIVE_FLOAT), of_doubles = pair("r", "i", H5T_NATIVE_DOUBLE);
  hid_t array = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, two),
        long_array = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, three);
  hid_t square_array = H5Tarray_create2(H5T_NATIVE_FLOAT, 2, square);
  puts("-- conversions");
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_NATIVE_DOUBLE_COMPLEX, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_COMPLEX_IEEE_F32BE, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_COMPLEX_IEEE_F64BE, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_COMPLEX_IEEE_F16LE, complex_floats);
  CONVERT(H5T_NATIVE_DOUBLE_COMPLEX, H5T_NATIVE_FLOAT_COMPLEX, complex_doubles);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_NATIVE_FLOAT, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_NATIVE_DOUBLE, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_NATIVE_INT, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_STD_I16BE, complex_floats);
  CONVERT(H5T_NATIVE_DOUBLE_COMPLEX, H5T_NATIVE_FLOAT, complex_doubles);
  CONVERT(H5T_NATIVE_FLOAT, H5T_NATIVE_FLOAT_COMPLEX, floats);
  CONVERT(H5T_NATIVE_FLOAT, H5T_COMPLEX_IEEE_F64BE, floats);
  CONVERT(H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT_COMPLEX, doubles);
  CONVERT(H5T_NATIVE_INT, H5T_NATIVE_FLOAT_COMPLEX, integers);
  CONVERT(H5T_NATIVE_INT, H5T_COMPLEX_IEEE_F64LE, integers);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_NATIVE_DOUBLE_COMPLEX, special);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, names, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, longer, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, longest, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, other, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, swapped, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, of_doubles, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, array, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, square_array, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, long_array, complex_floats);
  CONVERT(names, H5T_NATIVE_FLOAT_COMPLEX, complex_floats);
  CONVERT(names, H5T_NATIVE_DOUBLE_COMPLEX, complex_floats);
  CONVERT(array, H5T_NATIVE_FLOAT_COMPLEX, complex_floats);
  CONVERT(H5T_NATIVE_FLOAT_COMPLEX, H5T_C_S1, complex_floats);
  CONVERT(H5T_C_S1, H5T_NATIVE_FLOAT_COMPLEX, complex_floats);
  puts("-- small numbers");
  CONVERT(H5T_NATIVE_FLOAT, H5T_FLOAT_BFLOAT16LE, floats);
  CONVERT(H5T_NATIVE_FLOAT, H5T_FLOAT_BFLOAT16BE, floats);
  CONVERT(H5T_NATIVE_FLOAT, H5T_IEEE_F16LE, floats);
  CONVERT(H5T_NATIVE_FLOAT, H5T_FLOAT_F8E4M3, floats);
  CONVERT(H5T_NATIVE_FLOAT, H5T_FLOAT_F8E5M2, floats);
}

static void datasets(H5F_libver_t low, const char* name) {
  const hsize_t dims[1] = {4}, chunk[1] = {2}, unlimited[1] = {H5S_UNLIMITED};
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, fill[2] = {0.5f, -0.5f};
  double back[8];
  float reals[4];
  H5D_chunk_index_t index;
  H5F_libver_t bounds[2];
  H5O_info_t info;
  size_t bytes;
  uint32_t mask = 9;
  const hsize_t corner[1] = {2};
  unsigned char raw[100];
  int i;
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dcpl = H5Pcreate(H5P_DATASET_CREATE),
        plain = H5Pcreate(H5P_DATASET_CREATE), file, space, dataset, attribute;
  printf("-- datasets, low bound %d\n", (int)low);
  CALL(H5Pset_libver_bounds(fapl, low, H5F_LIBVER_V200));
  CALL(H5Pget_libver_bounds(fapl, &bounds[0], &bounds[1]));
  printf("%d %d\n", (int)bounds[0], (int)bounds[1]);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  space = H5Screate_simple(1, dims, unlimited);
  H5Pset_chunk(plain, 1, chunk);
  H5Pset_chunk(dcpl, 1, chunk);
  H5Pset_deflate(dcpl, 6);
  CALL(H5Pset_fill_value(dcpl, H5T_NATIVE_FLOAT_COMPLEX, fill));
  dataset = H5Dcreate2(file, "chunked", H5T_COMPLEX_IEEE_F64BE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CALL(H5Dwrite(dataset, H5T_NATIVE_FLOAT_COMPLEX, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CALL(H5Dread(dataset, H5T_NATIVE_DOUBLE_COMPLEX, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  for (i = 0; i < 8; ++i) printf(" %g", back[i]);
  puts("");
  CALL(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, reals));
  for (i = 0; i < 4; ++i) printf(" %g", reals[i]);
  puts("");
  CALL(H5Dget_chunk_index_type(dataset, &index));
  VALUE((int)index);
  bytes = 0;
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, corner, &mask, NULL, &bytes));
  printf("mask %d, %s\n", (int)mask, bytes > 0 && bytes < sizeof raw ? "some bytes" : "no bytes");
  bytes = 1;
  raw[0] = 99;
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, corner, &mask, raw, &bytes));
  printf("%d, %s\n", raw[0], bytes > 1 ? "more bytes" : "all");
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, corner, &mask, raw, &bytes));
  CALL(H5Dread_chunk1(dataset, H5P_DEFAULT, corner, &mask, raw));
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, NULL, &mask, raw, &bytes));
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, corner, NULL, raw, &bytes));
  CALL(H5Dread_chunk2(dataset, H5P_DEFAULT, corner, &mask, raw, NULL));
  CALL(H5Dread_chunk2(file, H5P_DEFAULT, corner, &mask, raw, &bytes));
  attribute = H5Acreate2(dataset, "attribute", H5T_COMPLEX_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Awrite(attribute, H5T_NATIVE_FLOAT_COMPLEX, values));
  CALL(H5Aread(attribute, H5T_NATIVE_DOUBLE_COMPLEX, back));
  printf("%g %g\n", back[6], back[7]);
  H5Aclose(attribute);
  H5Dclose(dataset);
  dataset = H5Dcreate2(file, "halves", H5T_FLOAT_BFLOAT16LE, space, H5P_DEFAULT, plain, H5P_DEFAULT);
  CALL(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CALL(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, reals));
  for (i = 0; i < 4; ++i) printf(" %g", reals[i]);
  puts("");
  H5Dclose(dataset);
  CALL(H5Tcommit2(file, "type", H5Tcomplex_create(H5T_IEEE_F64LE), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Fclose(file));
  H5Pset_libver_bounds(fapl, H5F_LIBVER_EARLIEST, H5F_LIBVER_V112);
  file = H5Fcreate("old.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  TRY(H5Dcreate2(file, "refused", H5T_COMPLEX_IEEE_F64BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  H5Sclose(space);
  H5Pclose(dcpl);
  H5Pclose(fapl);
}

static herr_t forget(void* object, void** request) {
  (void)object;
  (void)request;
  return 0;
}

static void ids(void) {
  H5I_type_t type = H5Iregister_type2(0, (H5I_free_t)forget);
  static int object = 5;
  hid_t id = H5Iregister(type, &object);
  puts("-- ids");
  VALUE(*(int*)H5Iobject_verify(id, type));
  VALUE(H5Inmembers(type, NULL));
  CALL(H5Idestroy_type(type));
  CALL(H5Pset_libver_bounds(H5P_DEFAULT, (H5F_libver_t)0, (H5F_libver_t)6));
}

int main(void) {
  quiet();
  predefined();
  properties();
  conversions();
  datasets(H5F_LIBVER_EARLIEST, "earliest.h5");
  datasets(H5F_LIBVER_V114, "v114.h5");
  datasets(H5F_LIBVER_V200, "v200.h5");
  ids();
  return 0;
}
