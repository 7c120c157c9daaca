# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# <root>/cohort-toolkit has the folders and file names of a CUDA toolkit, for build systems that are given one (CUDA_HOME,
# CUDA_PATH, CMake's CUDA language). Files with NVIDIA's names lie here alone: on a machine with a GPU, the real ones
# keep their places in the search paths.
set(COHORT_TOOLKIT_DIR "${PROJECT_BINARY_DIR}/cohort-toolkit")
set(COHORT_CUDA_VERSION 13.0.0)  # of CUDART_VERSION

# libcudart.so is the shared runtime. The other libraries are linker scripts, which name libraries by their places relative
# to the script. libstdc++ is named for C programs, which are linked without it.
function(cohort_write_toolkit_libraries folder)
  set(system "AS_NEEDED ( -lstdc++ ) -lm -lpthread -ldl")
  # Build systems add the folder of a library that they link to the run path: the library lies there under its soname, too.
  set(shared libcohort_runtime.so.${PROJECT_VERSION_MAJOR})
  file(MAKE_DIRECTORY "${folder}/by-path")
  foreach(name ${shared} libcudart.so)
    file(REMOVE "${folder}/${name}")
    file(CREATE_LINK ../../lib/${shared} "${folder}/${name}" SYMBOLIC)
  endforeach()
  # by-path is the folder that cohortcc names to CMake: programs that it links there start without a run path.
  foreach(place . by-path)
    set(lib ../../lib)
    if(place STREQUAL by-path)
      set(lib ../../../lib)
    endif()
    set(sleef "AS_NEEDED ( ${lib}/cohort/libsleef_stub.so )")
    file(WRITE "${folder}/${place}/libcudart_static.a" "INPUT ( ${lib}/libcohort_cpu.a ${sleef} ${system} )\n")
    file(WRITE "${folder}/${place}/libcudadevrt.a" "!<arch>\n")  # an empty archive: the runtime has what device code needs
    # An archive serves both runtimes: its calls reach the one that the program is linked with.
    foreach(library cublas cublasLt cufft curand cusolver cusparse nvJitLink nvidia-ml)
      foreach(name lib${library}.so lib${library}_static.a)
        file(WRITE "${folder}/${place}/${name}" "INPUT ( ${lib}/libcohort_${library}.a ${system} )\n")
      endforeach()
    endforeach()
    file(WRITE "${folder}/${place}/libculibos.a" "!<arch>\n")  # NVIDIA's static libraries need it
  endforeach()
  file(WRITE "${folder}/by-path/libcudart.so" "INPUT ( ${sleef} ${lib}/cohort/libcudart_by_path.so )\n")
  # NVRTC's library lies in compat-lib; programs that are linked in by-path load a copy of it without a run path.
  foreach(name libnvrtc.so libnvrtc.so.13)
    file(REMOVE "${folder}/${name}")
    file(CREATE_LINK ../compat-lib/libnvrtc.so.13 "${folder}/${name}" SYMBOLIC)
  endforeach()
  file(WRITE "${folder}/by-path/libnvrtc.so" "INPUT ( ${lib}/cohort/libnvrtc_by_path.so )\n")
  # The runtime holds the driver API too. A shared library in this place would be a second runtime in the process.
  file(WRITE "${folder}/stubs/libcuda.so" "INPUT ( ../../../lib/libcohort_cpu.a ${system} )\n")
endfunction()

function(cohort_write_toolkit_version folder)
  set(parts "")
  foreach(part cuda cuda_cudart cuda_nvcc)
    string(APPEND parts "${separator}  \"${part}\": { \"name\": \"Cohort's ${part}\", \"version\": \"${COHORT_CUDA_VERSION}\" }")
    set(separator ",\n")
  endforeach()
  file(WRITE "${folder}/version.json" "{\n${parts}\n}\n")
  file(WRITE "${folder}/version.txt" "CUDA Version ${COHORT_CUDA_VERSION}\n")
endfunction()

# In the build tree the headers are links to the sources.
function(cohort_link_toolkit_headers folder)
  file(MAKE_DIRECTORY "${folder}")
  file(GLOB entries "${PROJECT_SOURCE_DIR}/include/cudart/*" "${PROJECT_SOURCE_DIR}/include/compat/*")
  foreach(entry IN LISTS entries ITEMS "${PROJECT_SOURCE_DIR}/include/cohort")
    get_filename_component(name "${entry}" NAME)
    file(CREATE_LINK "${entry}" "${folder}/${name}" SYMBOLIC)
  endforeach()
endfunction()

function(cohort_make_toolkit)
  cohort_write_toolkit_libraries("${COHORT_TOOLKIT_DIR}/lib64")
  cohort_write_toolkit_version("${COHORT_TOOLKIT_DIR}")
  cohort_link_toolkit_headers("${COHORT_TOOLKIT_DIR}/include")
  file(MAKE_DIRECTORY "${COHORT_TOOLKIT_DIR}/bin")
  file(CREATE_LINK ../../bin/cohortcc "${COHORT_TOOLKIT_DIR}/bin/nvcc" SYMBOLIC)
endfunction()

function(cohort_install_toolkit)
  install(DIRECTORY "${COHORT_TOOLKIT_DIR}/lib64" DESTINATION cohort-toolkit)
  install(FILES "${COHORT_TOOLKIT_DIR}/version.json" "${COHORT_TOOLKIT_DIR}/version.txt" DESTINATION cohort-toolkit)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cudart/" "${PROJECT_SOURCE_DIR}/include/compat/"
          DESTINATION cohort-toolkit/include)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cohort" DESTINATION cohort-toolkit/include)
  install(FILES "${COHORT_TOOLKIT_DIR}/bin/nvcc" DESTINATION cohort-toolkit/bin)
endfunction()
