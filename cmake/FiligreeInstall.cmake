# What `make install` copies: headers, library, command, and what find_package and pkg-config need. Everything is
# relative to the prefix, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)

# What a user gets, without tests and benchmarks.
add_custom_target(filigree_products)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/filigree TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")

# The programs of tools/, so that whoever adds one there need not come here.
get_property(filigree_programs DIRECTORY ${CMAKE_SOURCE_DIR}/tools PROPERTY BUILDSYSTEM_TARGETS)
file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
foreach(program IN LISTS filigree_programs)
  get_target_property(kind ${program} TYPE)
  if(kind STREQUAL "EXECUTABLE" AND NOT program MATCHES "_test$")
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
    install(TARGETS ${program} RUNTIME)
    add_dependencies(filigree_products ${program})
  endif()
endforeach()

if(TARGET filigree_manual)
  add_dependencies(filigree_products filigree_manual)
endif()

if(TARGET filigree)
  add_dependencies(filigree_products filigree)
  # The interface may change with every 0.x, so each minor version is its own soname.
  set_target_properties(filigree PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(filigree INTERFACE cxx_std_20)

  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/filigree)
  install(TARGETS filigree EXPORT filigreeTargets LIBRARY INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  foreach(mpi IN LISTS filigree_mpis)
    add_dependencies(filigree_products filigree_mpi_${mpi})
    set_target_properties(filigree_mpi_${mpi} PROPERTIES VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
    install(TARGETS filigree_mpi_${mpi} EXPORT filigreeTargets LIBRARY)
  endforeach()
  install(EXPORT filigreeTargets NAMESPACE filigree:: DESTINATION ${package_dir})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/filigreeConfig.cmake.in
    ${CMAKE_BINARY_DIR}/filigreeConfig.cmake INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/filigreeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/filigreeConfig.cmake ${CMAKE_BINARY_DIR}/filigreeConfigVersion.cmake
    DESTINATION ${package_dir})

  file(RELATIVE_PATH pkgconfig_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/filigree.pc.in ${CMAKE_BINARY_DIR}/filigree.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/filigree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET filigree_hdf5)
  include(FiligreeHdf5Install)
endif()
include(FiligreeLicenses)

# The list of installed files is in the prefix, relative to it, so that every prefix can be uninstalled and no other
# installation of the same build overwrites it.
set(manifest_dir ${CMAKE_INSTALL_DATADIR}/filigree)
install(CODE "
  set(manifest ${manifest_dir}/install_manifest.txt)
  set(lines \"\${manifest}\\n\")
  foreach(installed IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH installed \"\${CMAKE_INSTALL_PREFIX}\" \"\${installed}\")
    string(APPEND lines \"\${installed}\\n\")
  endforeach()
  file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${manifest}\" \"\${lines}\")")
