/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of a function that its plain name stands for. H5_USE_16_API to H5_USE_200_API choose those of
 * a release, `H5Xname_vers` one function; without either those of 1.14 are meant.
 *
 * H5_USE_SPARSE_PROTOTYPE_API chooses the signatures of the present prototype of structured chunks for
 * H5Pset_filter2 and related functions; without it they are those of the RFC.
 */
#ifndef H5version_H
#define H5version_H

#if defined(H5_USE_16_API_DEFAULT) && !defined(H5_USE_16_API)
#define H5_USE_16_API 1
#endif
#if defined(H5_USE_18_API_DEFAULT) && !defined(H5_USE_18_API)
#define H5_USE_18_API 1
#endif
#if defined(H5_USE_110_API_DEFAULT) && !defined(H5_USE_110_API)
#define H5_USE_110_API 1
#endif
#if defined(H5_USE_112_API_DEFAULT) && !defined(H5_USE_112_API)
#define H5_USE_112_API 1
#endif
#if defined(H5_USE_114_API_DEFAULT) && !defined(H5_USE_114_API)
#define H5_USE_114_API 1
#endif
#if defined(H5_USE_200_API_DEFAULT) && !defined(H5_USE_200_API)
#define H5_USE_200_API 1
#endif

#if defined(H5_NO_DEPRECATED_SYMBOLS) && \
    (defined(H5_USE_16_API) || defined(H5_USE_18_API) || defined(H5_USE_110_API) || defined(H5_USE_112_API))
#error "old versions of the API need the deprecated symbols"
#endif

#ifdef H5_USE_16_API
#ifndef H5Acreate_vers
#define H5Acreate_vers 1
#endif
#ifndef H5Aiterate_vers
#define H5Aiterate_vers 1
#endif
#ifndef H5Dcreate_vers
#define H5Dcreate_vers 1
#endif
#ifndef H5Dopen_vers
#define H5Dopen_vers 1
#endif
#ifndef H5Eclear_vers
#define H5Eclear_vers 1
#endif
#ifndef H5Eget_auto_vers
#define H5Eget_auto_vers 1
#endif
#ifndef H5Eprint_vers
#define H5Eprint_vers 1
#endif
#ifndef H5Epush_vers
#define H5Epush_vers 1
#endif
#ifndef H5Eset_auto_vers
#define H5Eset_auto_vers 1
#endif
#ifndef H5Ewalk_vers
#define H5Ewalk_vers 1
#endif
#ifndef H5Gcreate_vers
#define H5Gcreate_vers 1
#endif
#ifndef H5Gopen_vers
#define H5Gopen_vers 1
#endif
#ifndef H5Pget_filter_vers
#define H5Pget_filter_vers 1
#endif
#ifndef H5Pget_filter_by_id_vers
#define H5Pget_filter_by_id_vers 1
#endif
#ifndef H5Pinsert_vers
#define H5Pinsert_vers 1
#endif
#ifndef H5Pregister_vers
#define H5Pregister_vers 1
#endif
#ifndef H5Rdereference_vers
#define H5Rdereference_vers 1
#endif
#ifndef H5Rget_obj_type_vers
#define H5Rget_obj_type_vers 1
#endif
#ifndef H5Tarray_create_vers
#define H5Tarray_create_vers 1
#endif
#ifndef H5Tcommit_vers
#define H5Tcommit_vers 1
#endif
#ifndef H5Tget_array_dims_vers
#define H5Tget_array_dims_vers 1
#endif
#ifndef H5Topen_vers
#define H5Topen_vers 1
#endif
#ifndef H5E_auto_t_vers
#define H5E_auto_t_vers 1
#endif
#ifndef H5Z_class_t_vers
#define H5Z_class_t_vers 1
#endif
#endif

#ifdef H5_USE_18_API
#ifndef H5Fget_info_vers
#define H5Fget_info_vers 1
#endif
#ifndef H5Lget_info_vers
#define H5Lget_info_vers 1
#endif
#ifndef H5Lget_info_by_idx_vers
#define H5Lget_info_by_idx_vers 1
#endif
#ifndef H5Literate_vers
#define H5Literate_vers 1
#endif
#ifndef H5Literate_by_name_vers
#define H5Literate_by_name_vers 1
#endif
#ifndef H5Lvisit_vers
#define H5Lvisit_vers 1
#endif
#ifndef H5Lvisit_by_name_vers
#define H5Lvisit_by_name_vers 1
#endif
#ifndef H5Oget_info_vers
#define H5Oget_info_vers 1
#endif
#ifndef H5Oget_info_by_idx_vers
#define H5Oget_info_by_idx_vers 1
#endif
#ifndef H5Oget_info_by_name_vers
#define H5Oget_info_by_name_vers 1
#endif
#ifndef H5Ovisit_vers
#define H5Ovisit_vers 1
#endif
#ifndef H5Ovisit_by_name_vers
#define H5Ovisit_by_name_vers 1
#endif
#ifndef H5Rdereference_vers
#define H5Rdereference_vers 1
#endif
#ifndef H5Sencode_vers
#define H5Sencode_vers 1
#endif
#ifndef H5O_info_t_vers
#define H5O_info_t_vers 1
#endif
#ifndef H5O_iterate_t_vers
#define H5O_iterate_t_vers 1
#endif
#endif

#ifdef H5_USE_110_API
#ifndef H5Lget_info_vers
#define H5Lget_info_vers 1
#endif
#ifndef H5Lget_info_by_idx_vers
#define H5Lget_info_by_idx_vers 1
#endif
#ifndef H5Literate_vers
#define H5Literate_vers 1
#endif
#ifndef H5Literate_by_name_vers
#define H5Literate_by_name_vers 1
#endif
#ifndef H5Lvisit_vers
#define H5Lvisit_vers 1
#endif
#ifndef H5Lvisit_by_name_vers
#define H5Lvisit_by_name_vers 1
#endif
#ifndef H5Oget_info_vers
#define H5Oget_info_vers 1
#endif
#ifndef H5Oget_info_by_idx_vers
#define H5Oget_info_by_idx_vers 1
#endif
#ifndef H5Oget_info_by_name_vers
#define H5Oget_info_by_name_vers 1
#endif
#ifndef H5Ovisit_vers
#define H5Ovisit_vers 1
#endif
#ifndef H5Ovisit_by_name_vers
#define H5Ovisit_by_name_vers 1
#endif
#ifndef H5Pencode_vers
#define H5Pencode_vers 1
#endif
#ifndef H5Sencode_vers
#define H5Sencode_vers 1
#endif
#ifndef H5O_info_t_vers
#define H5O_info_t_vers 1
#endif
#ifndef H5O_iterate_t_vers
#define H5O_iterate_t_vers 1
#endif
#endif

#ifdef H5_USE_200_API
#ifndef H5Dread_chunk_vers
#define H5Dread_chunk_vers 2
#endif
#ifndef H5Iregister_type_vers
#define H5Iregister_type_vers 2
#endif
#ifndef H5Tdecode_vers
#define H5Tdecode_vers 2
#endif
#endif

/* Functions. The first versions of three have the plain names, as in HDF5 1.14. */

#ifndef H5Acreate_vers
#define H5Acreate_vers 2
#endif
#if H5Acreate_vers == 2
#define H5Acreate H5Acreate2
#elif H5Acreate_vers == 1
#define H5Acreate H5Acreate1
#else
#error "H5Acreate_vers is set to a version that does not exist"
#endif

#ifndef H5Aiterate_vers
#define H5Aiterate_vers 2
#endif
#if H5Aiterate_vers == 2
#define H5Aiterate H5Aiterate2
#define H5A_operator_t H5A_operator2_t
#elif H5Aiterate_vers == 1
#define H5Aiterate H5Aiterate1
#define H5A_operator_t H5A_operator1_t
#else
#error "H5Aiterate_vers is set to a version that does not exist"
#endif

#ifndef H5Dcreate_vers
#define H5Dcreate_vers 2
#endif
#if H5Dcreate_vers == 2
#define H5Dcreate H5Dcreate2
#elif H5Dcreate_vers == 1
#define H5Dcreate H5Dcreate1
#else
#error "H5Dcreate_vers is set to a version that does not exist"
#endif

#ifndef H5Dopen_vers
#define H5Dopen_vers 2
#endif
#if H5Dopen_vers == 2
#define H5Dopen H5Dopen2
#elif H5Dopen_vers == 1
#define H5Dopen H5Dopen1
#else
#error "H5Dopen_vers is set to a version that does not exist"
#endif

#ifndef H5Dread_chunk_vers
#define H5Dread_chunk_vers 1
#endif
#if H5Dread_chunk_vers == 2
#define H5Dread_chunk H5Dread_chunk2
#elif H5Dread_chunk_vers != 1
#error "H5Dread_chunk_vers is set to a version that does not exist"
#endif

#ifndef H5Eclear_vers
#define H5Eclear_vers 2
#endif
#if H5Eclear_vers == 2
#define H5Eclear H5Eclear2
#elif H5Eclear_vers == 1
#define H5Eclear H5Eclear1
#else
#error "H5Eclear_vers is set to a version that does not exist"
#endif

#ifndef H5Eget_auto_vers
#define H5Eget_auto_vers 2
#endif
#if H5Eget_auto_vers == 2
#define H5Eget_auto H5Eget_auto2
#elif H5Eget_auto_vers == 1
#define H5Eget_auto H5Eget_auto1
#else
#error "H5Eget_auto_vers is set to a version that does not exist"
#endif

#ifndef H5Eprint_vers
#define H5Eprint_vers 2
#endif
#if H5Eprint_vers == 2
#define H5Eprint H5Eprint2
#elif H5Eprint_vers == 1
#define H5Eprint H5Eprint1
#else
#error "H5Eprint_vers is set to a version that does not exist"
#endif

#ifndef H5Epush_vers
#define H5Epush_vers 2
#endif
#if H5Epush_vers == 2
#define H5Epush H5Epush2
#elif H5Epush_vers == 1
#define H5Epush H5Epush1
#else
#error "H5Epush_vers is set to a version that does not exist"
#endif

#ifndef H5Eset_auto_vers
#define H5Eset_auto_vers 2
#endif
#if H5Eset_auto_vers == 2
#define H5Eset_auto H5Eset_auto2
#elif H5Eset_auto_vers == 1
#define H5Eset_auto H5Eset_auto1
#else
#error "H5Eset_auto_vers is set to a version that does not exist"
#endif

#ifndef H5Ewalk_vers
#define H5Ewalk_vers 2
#endif
#if H5Ewalk_vers == 2
#define H5Ewalk H5Ewalk2
#define H5E_error_t H5E_error2_t
#define H5E_walk_t H5E_walk2_t
#elif H5Ewalk_vers == 1
#define H5Ewalk H5Ewalk1
#define H5E_error_t H5E_error1_t
#define H5E_walk_t H5E_walk1_t
#else
#error "H5Ewalk_vers is set to a version that does not exist"
#endif

#ifndef H5Fget_info_vers
#define H5Fget_info_vers 2
#endif
#if H5Fget_info_vers == 2
#define H5Fget_info H5Fget_info2
#define H5F_info_t H5F_info2_t
#elif H5Fget_info_vers == 1
#define H5Fget_info H5Fget_info1
#define H5F_info_t H5F_info1_t
#else
#error "H5Fget_info_vers is set to a version that does not exist"
#endif

#ifndef H5Gcreate_vers
#define H5Gcreate_vers 2
#endif
#if H5Gcreate_vers == 2
#define H5Gcreate H5Gcreate2
#elif H5Gcreate_vers == 1
#define H5Gcreate H5Gcreate1
#else
#error "H5Gcreate_vers is set to a version that does not exist"
#endif

#ifndef H5Gopen_vers
#define H5Gopen_vers 2
#endif
#if H5Gopen_vers == 2
#define H5Gopen H5Gopen2
#elif H5Gopen_vers == 1
#define H5Gopen H5Gopen1
#else
#error "H5Gopen_vers is set to a version that does not exist"
#endif

#ifndef H5Iregister_type_vers
#define H5Iregister_type_vers 1
#endif
#if H5Iregister_type_vers == 2
#define H5Iregister_type H5Iregister_type2
#elif H5Iregister_type_vers != 1
#error "H5Iregister_type_vers is set to a version that does not exist"
#endif

#ifndef H5Lget_info_vers
#define H5Lget_info_vers 2
#endif
#if H5Lget_info_vers == 2
#define H5Lget_info H5Lget_info2
#define H5L_info_t H5L_info2_t
#elif H5Lget_info_vers == 1
#define H5Lget_info H5Lget_info1
#define H5L_info_t H5L_info1_t
#else
#error "H5Lget_info_vers is set to a version that does not exist"
#endif

#ifndef H5Lget_info_by_idx_vers
#define H5Lget_info_by_idx_vers 2
#endif
#if H5Lget_info_by_idx_vers == 2
#define H5Lget_info_by_idx H5Lget_info_by_idx2
#elif H5Lget_info_by_idx_vers == 1
#define H5Lget_info_by_idx H5Lget_info_by_idx1
#else
#error "H5Lget_info_by_idx_vers is set to a version that does not exist"
#endif

#ifndef H5Literate_vers
#define H5Literate_vers 2
#endif
#if H5Literate_vers == 2
#define H5Literate H5Literate2
#define H5L_iterate_t H5L_iterate2_t
#elif H5Literate_vers == 1
#define H5Literate H5Literate1
#define H5L_iterate_t H5L_iterate1_t
#else
#error "H5Literate_vers is set to a version that does not exist"
#endif

#ifndef H5Literate_by_name_vers
#define H5Literate_by_name_vers 2
#endif
#if H5Literate_by_name_vers == 2
#define H5Literate_by_name H5Literate_by_name2
#elif H5Literate_by_name_vers == 1
#define H5Literate_by_name H5Literate_by_name1
#else
#error "H5Literate_by_name_vers is set to a version that does not exist"
#endif

#ifndef H5Lvisit_vers
#define H5Lvisit_vers 2
#endif
#if H5Lvisit_vers == 2
#define H5Lvisit H5Lvisit2
#elif H5Lvisit_vers == 1
#define H5Lvisit H5Lvisit1
#else
#error "H5Lvisit_vers is set to a version that does not exist"
#endif

#ifndef H5Lvisit_by_name_vers
#define H5Lvisit_by_name_vers 2
#endif
#if H5Lvisit_by_name_vers == 2
#define H5Lvisit_by_name H5Lvisit_by_name2
#elif H5Lvisit_by_name_vers == 1
#define H5Lvisit_by_name H5Lvisit_by_name1
#else
#error "H5Lvisit_by_name_vers is set to a version that does not exist"
#endif

#ifndef H5Oget_info_vers
#define H5Oget_info_vers 3
#endif
#if H5Oget_info_vers == 3
#define H5Oget_info H5Oget_info3
#elif H5Oget_info_vers == 1
#define H5Oget_info H5Oget_info1
#elif H5Oget_info_vers == 2
#define H5Oget_info H5Oget_info2
#else
#error "H5Oget_info_vers is set to a version that does not exist"
#endif

#ifndef H5Oget_info_by_idx_vers
#define H5Oget_info_by_idx_vers 3
#endif
#if H5Oget_info_by_idx_vers == 3
#define H5Oget_info_by_idx H5Oget_info_by_idx3
#elif H5Oget_info_by_idx_vers == 1
#define H5Oget_info_by_idx H5Oget_info_by_idx1
#elif H5Oget_info_by_idx_vers == 2
#define H5Oget_info_by_idx H5Oget_info_by_idx2
#else
#error "H5Oget_info_by_idx_vers is set to a version that does not exist"
#endif

#ifndef H5Oget_info_by_name_vers
#define H5Oget_info_by_name_vers 3
#endif
#if H5Oget_info_by_name_vers == 3
#define H5Oget_info_by_name H5Oget_info_by_name3
#elif H5Oget_info_by_name_vers == 1
#define H5Oget_info_by_name H5Oget_info_by_name1
#elif H5Oget_info_by_name_vers == 2
#define H5Oget_info_by_name H5Oget_info_by_name2
#else
#error "H5Oget_info_by_name_vers is set to a version that does not exist"
#endif

#ifndef H5Ovisit_vers
#define H5Ovisit_vers 3
#endif
#if H5Ovisit_vers == 3
#define H5Ovisit H5Ovisit3
#elif H5Ovisit_vers == 1
#define H5Ovisit H5Ovisit1
#elif H5Ovisit_vers == 2
#define H5Ovisit H5Ovisit2
#else
#error "H5Ovisit_vers is set to a version that does not exist"
#endif

#ifndef H5Ovisit_by_name_vers
#define H5Ovisit_by_name_vers 3
#endif
#if H5Ovisit_by_name_vers == 3
#define H5Ovisit_by_name H5Ovisit_by_name3
#elif H5Ovisit_by_name_vers == 1
#define H5Ovisit_by_name H5Ovisit_by_name1
#elif H5Ovisit_by_name_vers == 2
#define H5Ovisit_by_name H5Ovisit_by_name2
#else
#error "H5Ovisit_by_name_vers is set to a version that does not exist"
#endif

#ifndef H5Pencode_vers
#define H5Pencode_vers 2
#endif
#if H5Pencode_vers == 2
#define H5Pencode H5Pencode2
#elif H5Pencode_vers == 1
#define H5Pencode H5Pencode1
#else
#error "H5Pencode_vers is set to a version that does not exist"
#endif

#ifndef H5Pget_filter_vers
#define H5Pget_filter_vers 2
#endif
#if H5Pget_filter_vers == 2
#define H5Pget_filter H5Pget_filter2
#elif H5Pget_filter_vers == 1
#define H5Pget_filter H5Pget_filter1
#else
#error "H5Pget_filter_vers is set to a version that does not exist"
#endif

#ifndef H5Pget_filter_by_id_vers
#define H5Pget_filter_by_id_vers 2
#endif
#if H5Pget_filter_by_id_vers == 2
#define H5Pget_filter_by_id H5Pget_filter_by_id2
#elif H5Pget_filter_by_id_vers == 1
#define H5Pget_filter_by_id H5Pget_filter_by_id1
#else
#error "H5Pget_filter_by_id_vers is set to a version that does not exist"
#endif

#ifndef H5Pinsert_vers
#define H5Pinsert_vers 2
#endif
#if H5Pinsert_vers == 2
#define H5Pinsert H5Pinsert2
#elif H5Pinsert_vers == 1
#define H5Pinsert H5Pinsert1
#else
#error "H5Pinsert_vers is set to a version that does not exist"
#endif

#ifndef H5Pregister_vers
#define H5Pregister_vers 2
#endif
#if H5Pregister_vers == 2
#define H5Pregister H5Pregister2
#elif H5Pregister_vers == 1
#define H5Pregister H5Pregister1
#else
#error "H5Pregister_vers is set to a version that does not exist"
#endif

#ifndef H5Rdereference_vers
#define H5Rdereference_vers 2
#endif
#if H5Rdereference_vers == 2
#define H5Rdereference H5Rdereference2
#elif H5Rdereference_vers == 1
#define H5Rdereference H5Rdereference1
#else
#error "H5Rdereference_vers is set to a version that does not exist"
#endif

#ifndef H5Rget_obj_type_vers
#define H5Rget_obj_type_vers 2
#endif
#if H5Rget_obj_type_vers == 2
#define H5Rget_obj_type H5Rget_obj_type2
#elif H5Rget_obj_type_vers == 1
#define H5Rget_obj_type H5Rget_obj_type1
#elif H5Rget_obj_type_vers == 3
#define H5Rget_obj_type H5Rget_obj_type3
#else
#error "H5Rget_obj_type_vers is set to a version that does not exist"
#endif

#ifndef H5Sencode_vers
#define H5Sencode_vers 2
#endif
#if H5Sencode_vers == 2
#define H5Sencode H5Sencode2
#elif H5Sencode_vers == 1
#define H5Sencode H5Sencode1
#else
#error "H5Sencode_vers is set to a version that does not exist"
#endif

#ifndef H5Tarray_create_vers
#define H5Tarray_create_vers 2
#endif
#if H5Tarray_create_vers == 2
#define H5Tarray_create H5Tarray_create2
#elif H5Tarray_create_vers == 1
#define H5Tarray_create H5Tarray_create1
#else
#error "H5Tarray_create_vers is set to a version that does not exist"
#endif

#ifndef H5Tcommit_vers
#define H5Tcommit_vers 2
#endif
#if H5Tcommit_vers == 2
#define H5Tcommit H5Tcommit2
#elif H5Tcommit_vers == 1
#define H5Tcommit H5Tcommit1
#else
#error "H5Tcommit_vers is set to a version that does not exist"
#endif

#ifndef H5Tdecode_vers
#define H5Tdecode_vers 1
#endif
#if H5Tdecode_vers == 2
#define H5Tdecode H5Tdecode2
#elif H5Tdecode_vers != 1
#error "H5Tdecode_vers is set to a version that does not exist"
#endif

#ifndef H5Tget_array_dims_vers
#define H5Tget_array_dims_vers 2
#endif
#if H5Tget_array_dims_vers == 2
#define H5Tget_array_dims H5Tget_array_dims2
#elif H5Tget_array_dims_vers == 1
#define H5Tget_array_dims H5Tget_array_dims1
#else
#error "H5Tget_array_dims_vers is set to a version that does not exist"
#endif

#ifndef H5Topen_vers
#define H5Topen_vers 2
#endif
#if H5Topen_vers == 2
#define H5Topen H5Topen2
#elif H5Topen_vers == 1
#define H5Topen H5Topen1
#else
#error "H5Topen_vers is set to a version that does not exist"
#endif

/* Types. */

#ifndef H5E_auto_t_vers
#define H5E_auto_t_vers 2
#endif
#if H5E_auto_t_vers == 2
#define H5E_auto_t H5E_auto2_t
#elif H5E_auto_t_vers == 1
#define H5E_auto_t H5E_auto1_t
#else
#error "H5E_auto_t_vers is set to a version that does not exist"
#endif

#ifndef H5O_info_t_vers
#define H5O_info_t_vers 2
#endif
#if H5O_info_t_vers == 2
#define H5O_info_t H5O_info2_t
#elif H5O_info_t_vers == 1
#define H5O_info_t H5O_info1_t
#else
#error "H5O_info_t_vers is set to a version that does not exist"
#endif

#ifndef H5O_iterate_t_vers
#define H5O_iterate_t_vers 2
#endif
#if H5O_iterate_t_vers == 2
#define H5O_iterate_t H5O_iterate2_t
#elif H5O_iterate_t_vers == 1
#define H5O_iterate_t H5O_iterate1_t
#else
#error "H5O_iterate_t_vers is set to a version that does not exist"
#endif

#ifndef H5Z_class_t_vers
#define H5Z_class_t_vers 2
#endif
#if H5Z_class_t_vers == 2
#define H5Z_class_t H5Z_class2_t
#elif H5Z_class_t_vers == 1
#define H5Z_class_t H5Z_class1_t
#else
#error "H5Z_class_t_vers is set to a version that does not exist"
#endif

#endif
