# The H5 C API as a prefix of its own, lib/filigree/hdf5 below that of Filigree: headers, libraries under HDF5's names, and
# what find_package(HDF5), pkg-config and people who call h5cc look for. Everything is relative, so that it may be moved.
add_dependencies(filigree_products filigree_hdf5)
# The version of the API that it speaks.
file(STRINGS ${CMAKE_SOURCE_DIR}/include/hdf5/H5pubconf.h version_line REGEX "#define H5_VERSION ")
string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" filigree_hdf5_version "${version_line}")

set(hdf5_prefix ${CMAKE_INSTALL_LIBDIR}/filigree/hdf5)
set(hdf5_lib ${hdf5_prefix}/lib)
file(RELATIVE_PATH hdf5_lib_to_lib /${hdf5_lib} /${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH hdf5_bin_to_bin /${hdf5_prefix}/bin /${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH hdf5_lib_from_bin /${CMAKE_INSTALL_BINDIR} /${hdf5_prefix})

set_target_properties(filigree_hdf5 PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
install(TARGETS filigree_hdf5 LIBRARY)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hdf5/ DESTINATION ${hdf5_prefix}/include FILES_MATCHING PATTERN "*.h")

# Programs that were linked before keep the real name; these are for linking only.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/hdf5)
foreach(name hdf5 hdf5_hl)
  file(CREATE_LINK ${hdf5_lib_to_lib}/libfiligree_hdf5.so ${CMAKE_BINARY_DIR}/hdf5/lib${name}.so SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/hdf5/lib${name}.so DESTINATION ${hdf5_lib})
endforeach()

# For programs that were linked with HDF5 1.10: a folder for LD_LIBRARY_PATH.
set(abi110_lib ${CMAKE_INSTALL_LIBDIR}/filigree/hdf5-1.10)
file(RELATIVE_PATH abi110_to_lib /${abi110_lib} /${CMAKE_INSTALL_LIBDIR})
add_dependencies(filigree_products filigree_hdf5_abi110)
set_target_properties(filigree_hdf5_abi110 PROPERTIES INSTALL_RPATH "$ORIGIN/${abi110_to_lib}")
install(TARGETS filigree_hdf5_abi110 LIBRARY DESTINATION ${abi110_lib})
foreach(name libhdf5_serial_hl.so.100 libhdf5.so.103 libhdf5_hl.so.100)
  file(CREATE_LINK libhdf5_serial.so.103 ${CMAKE_BINARY_DIR}/hdf5/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/hdf5/${name} DESTINATION ${abi110_lib})
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/cmake/filigree-cc.in ${CMAKE_BINARY_DIR}/hdf5/filigree-cc @ONLY)
install(PROGRAMS ${CMAKE_BINARY_DIR}/hdf5/filigree-cc TYPE BIN)
install(CODE "
  set(h5cc \"\${CMAKE_INSTALL_PREFIX}/${hdf5_prefix}/bin/h5cc\")
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${hdf5_prefix}/bin\")
  file(CREATE_LINK ${hdf5_bin_to_bin}/filigree-cc \"\$ENV{DESTDIR}\${h5cc}\" SYMBOLIC)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${h5cc}\")")

configure_file(${CMAKE_SOURCE_DIR}/cmake/hdf5.pc.in ${CMAKE_BINARY_DIR}/hdf5/hdf5.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hdf5/hdf5.pc DESTINATION ${hdf5_lib}/pkgconfig)
configure_file(${CMAKE_SOURCE_DIR}/cmake/hdf5-config.cmake.in ${CMAKE_BINARY_DIR}/hdf5/hdf5-config.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hdf5/hdf5-config-version.cmake VERSION ${filigree_hdf5_version}
  COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hdf5/hdf5-config.cmake ${CMAKE_BINARY_DIR}/hdf5/hdf5-config-version.cmake
  DESTINATION ${hdf5_lib}/cmake/hdf5)

# The plug-in for HDF5, in a folder for HDF5_PLUGIN_PATH.
add_dependencies(filigree_products filigree_plugin)
install(TARGETS filigree_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/filigree/hdf5-plugins)
set(FILIGREE_SYSTEM_PLUGIN_DIR "" CACHE PATH
  "A folder where HDF5 looks for plug-ins by itself, such as Debian's /usr/lib/x86_64-linux-gnu/hdf5/serial/plugins")
if(FILIGREE_SYSTEM_PLUGIN_DIR)
  install(TARGETS filigree_plugin LIBRARY DESTINATION ${FILIGREE_SYSTEM_PLUGIN_DIR})
endif()
