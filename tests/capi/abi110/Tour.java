// SPDX-License-Identifier: Apache-2.0
//
// A tour of HDF5's Java library, which Debian builds on the C library of 1.10.
import hdf.hdf5lib.H5;
import hdf.hdf5lib.HDF5Constants;
import hdf.hdf5lib.exceptions.HDF5Exception;

public class Tour {
  static final int DEFAULT = HDF5Constants.H5P_DEFAULT == 0 ? 0 : -1;

  static long write() throws Exception {
    long file = H5.H5Fcreate("tour_java.h5", HDF5Constants.H5F_ACC_TRUNC, DEFAULT, DEFAULT);
    long space = H5.H5Screate_simple(2, new long[] {4, 6}, null);
    long plist = H5.H5Pcreate(HDF5Constants.H5P_DATASET_CREATE);
    H5.H5Pset_chunk(plist, 2, new long[] {2, 3});
    H5.H5Pset_deflate(plist, 4);
    long set = H5.H5Dcreate(file, "numbers", HDF5Constants.H5T_STD_I32BE, space, DEFAULT, plist, DEFAULT);
    int[] values = new int[24];
    for (int i = 0; i < 24; ++i) values[i] = i * i;
    H5.H5Dwrite(set, HDF5Constants.H5T_NATIVE_INT, HDF5Constants.H5S_ALL, HDF5Constants.H5S_ALL, DEFAULT, values);
    long scalar = H5.H5Screate(HDF5Constants.H5S_SCALAR);
    long attribute = H5.H5Acreate(set, "unit", HDF5Constants.H5T_NATIVE_INT, scalar, DEFAULT, DEFAULT);
    H5.H5Awrite(attribute, HDF5Constants.H5T_NATIVE_INT, new int[] {7});
    System.out.println("attribute " + (H5.H5Iget_type(attribute) == HDF5Constants.H5I_ATTR));
    System.out.println("property list " + (H5.H5Iget_type(plist) == HDF5Constants.H5I_GENPROP_LST));
    H5.H5Aclose(attribute);
    H5.H5Gclose(H5.H5Gcreate(file, "group", DEFAULT, DEFAULT, DEFAULT));
    H5.H5Lcreate_soft("/numbers", file, "soft", DEFAULT, DEFAULT);
    H5.H5Dclose(set);
    return file;
  }

  static void read(long file) throws Exception {
    long set = H5.H5Dopen(file, "soft", DEFAULT);
    int[] values = new int[24];
    H5.H5Dread(set, HDF5Constants.H5T_NATIVE_INT, HDF5Constants.H5S_ALL, HDF5Constants.H5S_ALL, DEFAULT, values);
    System.out.println(values[5] + " " + values[23]);
    long plist = H5.H5Dget_create_plist(set);
    System.out.println("chunked " + (H5.H5Pget_layout(plist) == HDF5Constants.H5D_CHUNKED) + ", filters " + H5.H5Pget_nfilters(plist));
    System.out.println("links " + H5.H5Gget_info(file).nlinks + ", attributes " + H5.H5Oget_info(set).num_attrs);
    int[] unit = new int[1];
    long attribute = H5.H5Aopen(set, "unit", DEFAULT);
    H5.H5Aread(attribute, HDF5Constants.H5T_NATIVE_INT, unit);
    System.out.println("unit " + unit[0] + " of " + H5.H5Iget_name(set));
    H5.H5Aclose(attribute);
    H5.H5Dclose(set);
  }

  public static void main(String[] arguments) throws Exception {
    long file = write();
    H5.H5Fflush(file, HDF5Constants.H5F_SCOPE_GLOBAL);
    read(file);
    try {
      H5.H5Dopen(file, "nothing", DEFAULT);
    } catch (HDF5Exception failure) {
      System.out.println(failure.getClass().getSimpleName());
    }
    H5.H5Fclose(file);
    int[] version = new int[3];
    H5.H5get_libversion(version);
    System.out.println(version[0] + "." + version[1] + "." + version[2]);
  }
}
