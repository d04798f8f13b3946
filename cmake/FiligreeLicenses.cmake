# Our licence, and those of the libraries that the products contain or link, in share/doc/filigree of the prefix. Their
# texts are those of the packages they come from.
set(filigree_linked_packages libfmt-dev libcli11-dev libdeflate-dev libaec-dev liblz4-dev libzstd-dev libblosc-dev liburing-dev libpng-dev)
set(license_dir ${CMAKE_INSTALL_DOCDIR})
set(license_component)
if(SKBUILD)  # in a wheel
  set(license_dir filigree/licenses)
  set(license_component COMPONENT python)
endif()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/docs/third-party.md DESTINATION ${license_dir} ${license_component})
foreach(package IN LISTS filigree_linked_packages)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${license_dir}/licenses RENAME ${package}.txt ${license_component})
  else()
    message(STATUS "The licence of ${package} is not installed; third-party.md names it")
  endif()
endforeach()
