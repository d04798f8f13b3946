# The H5 C API as a prefix of its own, lib/filigree/hdf5 below that of Filigree: headers, libraries under HDF5's names, and
# what find_package(HDF5), pkg-config and people who call h5cc look for. Everything is relative, so that it may be moved.
# The version of the API that it speaks.
file(STRINGS ${CMAKE_SOURCE_DIR}/include/hdf5/H5pubconf.h version_line REGEX "#define H5_VERSION ")
string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" filigree_hdf5_version "${version_line}")

set(hdf5_folder ${CMAKE_INSTALL_LIBDIR}/filigree)
set(hdf5_prefix ${hdf5_folder}/hdf5)
file(RELATIVE_PATH hdf5_lib_to_lib /${hdf5_prefix}/lib /${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH hdf5_bin_to_bin /${hdf5_prefix}/bin /${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH hdf5_prefix_from_bin /${CMAKE_INSTALL_BINDIR} /${hdf5_prefix})
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/hdf5)

# What programs are linked with. Programs that were linked before keep the real names.
function(filigree_install_hdf5_library target)
  add_dependencies(filigree_products ${target})
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${target} LIBRARY)
endfunction()

# filigree_install_hdf5_package(BUILD LIBRARY): what pkg-config and find_package look for, in the prefix of BUILD, which is
# hdf5, hdf5-openmpi or hdf5-mpich. Uses hdf5_mpi, hdf5_mpi_package and hdf5_libraries.
function(filigree_install_hdf5_package build hdf5_library)
  set(made ${CMAKE_BINARY_DIR}/${build})
  set(lib ${hdf5_folder}/${build}/lib)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/hdf5.pc.in ${made}/hdf5.pc @ONLY)
  install(FILES ${made}/hdf5.pc DESTINATION ${lib}/pkgconfig)
  if(hdf5_mpi)  # Debian's name
    install(FILES ${made}/hdf5.pc DESTINATION ${lib}/pkgconfig RENAME ${build}.pc)
  endif()
  configure_file(${CMAKE_SOURCE_DIR}/cmake/hdf5-config.cmake.in ${made}/hdf5-config.cmake @ONLY)
  write_basic_package_version_file(${made}/hdf5-config-version.cmake VERSION ${filigree_hdf5_version}
    COMPATIBILITY SameMajorVersion)
  install(FILES ${made}/hdf5-config.cmake ${made}/hdf5-config-version.cmake DESTINATION ${lib}/cmake/hdf5)
endfunction()

filigree_install_hdf5_library(filigree_hdf5)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hdf5/ DESTINATION ${hdf5_prefix}/include FILES_MATCHING PATTERN "*.h")
foreach(name hdf5 hdf5_hl)
  file(CREATE_LINK ${hdf5_lib_to_lib}/libfiligree_hdf5.so ${CMAKE_BINARY_DIR}/hdf5/lib${name}.so SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/hdf5/lib${name}.so DESTINATION ${hdf5_prefix}/lib)
endforeach()
set(hdf5_mpi "")
set(hdf5_mpi_package "")
set(hdf5_libraries "-lfiligree_hdf5")
filigree_install_hdf5_package(hdf5 libfiligree_hdf5.so)

# The command that compiles programs. cc_program is its name in its help, cc_candidates are compilers, of which it takes the
# first that is installed.
set(cc_program filigree-cc)
set(cc_like h5cc)
set(cc_candidates cc)
set(cc_parallel no)
set(cc_prefix ${hdf5_prefix_from_bin})
configure_file(${CMAKE_SOURCE_DIR}/cmake/filigree-cc.in ${CMAKE_BINARY_DIR}/hdf5/filigree-cc @ONLY)
install(PROGRAMS ${CMAKE_BINARY_DIR}/hdf5/filigree-cc TYPE BIN)
install(CODE "
  set(h5cc \"\${CMAKE_INSTALL_PREFIX}/${hdf5_prefix}/bin/h5cc\")
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${hdf5_prefix}/bin\")
  file(CREATE_LINK ${hdf5_bin_to_bin}/filigree-cc \"\$ENV{DESTDIR}\${h5cc}\" SYMBOLIC)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${h5cc}\")")

# A prefix for each MPI, with the command h5pcc. -lhdf5 is two libraries there, which a script for the linker names.
foreach(hdf5_mpi IN LISTS filigree_hdf5_mpis)
  set(build hdf5-${hdf5_mpi})
  set(hdf5_mpi_package ${${hdf5_mpi}_package})
  set(hdf5_libraries
    "-Wl,--push-state,--no-as-needed -lfiligree_hdf5_${hdf5_mpi} -Wl,--pop-state -lfiligree_hdf5")
  filigree_install_hdf5_library(filigree_hdf5_${hdf5_mpi})
  filigree_install_hdf5_package(${build} libfiligree_hdf5_${hdf5_mpi}.so)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/hdf5-parallel/include/ DESTINATION ${hdf5_folder}/${build}/include
    FILES_MATCHING PATTERN "*.h")
  foreach(name hdf5 hdf5_hl)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${build}/lib${name}.so CONTENT
      "/* A script of the linker. */\nINPUT(-lfiligree_hdf5_${hdf5_mpi} -lfiligree_hdf5)\n" @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${build}/lib${name}.so DESTINATION ${hdf5_folder}/${build}/lib)
  endforeach()
  set(cc_program h5pcc)
  set(cc_like h5pcc)
  set(cc_candidates "mpicc.${hdf5_mpi} mpicc")
  set(cc_parallel yes)
  set(cc_prefix ..)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/filigree-cc.in ${CMAKE_BINARY_DIR}/${build}/h5pcc @ONLY)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${build}/h5pcc DESTINATION ${hdf5_folder}/${build}/bin)
endforeach()

# For programs that were linked with HDF5 1.10: a folder for LD_LIBRARY_PATH.
set(abi110_lib ${hdf5_folder}/hdf5-1.10)
file(RELATIVE_PATH abi110_to_lib /${abi110_lib} /${CMAKE_INSTALL_LIBDIR})
function(filigree_install_abi110 target build)
  add_dependencies(filigree_products ${target})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${abi110_to_lib}")
  install(TARGETS ${target} LIBRARY DESTINATION ${abi110_lib})
  foreach(name libhdf5_${build}_hl.so.100 ${ARGN})
    file(CREATE_LINK libhdf5_${build}.so.103 ${CMAKE_BINARY_DIR}/hdf5/${name} SYMBOLIC)
    install(FILES ${CMAKE_BINARY_DIR}/hdf5/${name} DESTINATION ${abi110_lib})
  endforeach()
endfunction()
filigree_install_abi110(filigree_hdf5_abi110 serial libhdf5.so.103 libhdf5_hl.so.100)
foreach(mpi IN LISTS filigree_hdf5_mpis)
  filigree_install_abi110(filigree_hdf5_abi110_${mpi} ${mpi})
endforeach()

# The plug-in for HDF5, in a folder for HDF5_PLUGIN_PATH.
add_dependencies(filigree_products filigree_plugin)
install(TARGETS filigree_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/filigree/hdf5-plugins)
set(FILIGREE_SYSTEM_PLUGIN_DIR "" CACHE PATH
  "A folder where HDF5 looks for plug-ins by itself, such as Debian's /usr/lib/x86_64-linux-gnu/hdf5/serial/plugins")
if(FILIGREE_SYSTEM_PLUGIN_DIR)
  install(TARGETS filigree_plugin LIBRARY DESTINATION ${FILIGREE_SYSTEM_PLUGIN_DIR})
endif()
