/* NC_STRING: strings of variable length, and those of a fixed size in the store. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int select_box(const zn_var *var, const zn_box *box, zarrc_selection **selection) {
  zarrc_error err;
  zarrc_status status = zarrc_selection_new(var->array, selection, &err);
  for (int i = 0; i < var->rank && status == ZARRC_OK; i++)
    status = zarrc_selection_set_range(*selection, (size_t)i, box->start[i], (int64_t)box->step[i],
                                       box->count[i], &err);
  return status == ZARRC_OK ? NC_NOERR : zn_status(&err);
}

static int give_text(char *to, const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy)
    return NC_ENOMEM;
  memcpy(copy, text, length);
  copy[length] = 0;
  memcpy(to, &copy, sizeof copy);
  return NC_NOERR;
}

/* Converts UCS-4 to UTF-8; `text` holds four bytes a character. Invalid characters become "?". */
static size_t to_utf8(const char *units, size_t count, char *text) {
  char *at = text;
  for (size_t i = 0; i < count; i++) {
    uint32_t c;
    memcpy(&c, units + 4 * i, sizeof c);
    if (c == 0)
      break;
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
      c = '?';
    if (c < 0x80) {
      *at++ = (char)c;
    } else if (c < 0x800) {
      *at++ = (char)(0xC0 | c >> 6);
      *at++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      *at++ = (char)(0xE0 | c >> 12);
      *at++ = (char)(0x80 | (c >> 6 & 0x3F));
      *at++ = (char)(0x80 | (c & 0x3F));
    } else {
      *at++ = (char)(0xF0 | c >> 18);
      *at++ = (char)(0x80 | (c >> 12 & 0x3F));
      *at++ = (char)(0x80 | (c >> 6 & 0x3F));
      *at++ = (char)(0x80 | (c & 0x3F));
    }
  }
  return (size_t)(at - text);
}

/* Converts UTF-8 to UCS-4, NUL-padded. false: more than `count` characters, or invalid UTF-8. */
static bool to_ucs4(const char *text, char *units, size_t count) {
  const unsigned char *at = (const unsigned char *)text;
  memset(units, 0, 4 * count);
  for (size_t i = 0; *at; i++) {
    int more = *at < 0x80 ? 0 : *at >> 5 == 6 ? 1 : *at >> 4 == 14 ? 2 : *at >> 3 == 30 ? 3 : -1;
    uint32_t c = more <= 0 ? *at : *at & (0x3Fu >> more);
    if (more < 0 || i == count)
      return false;
    for (at++; more > 0; more--, at++) {
      if (*at >> 6 != 2)
        return false;
      c = c << 6 | (*at & 0x3F);
    }
    memcpy(units + 4 * i, &c, sizeof c);
  }
  return true;
}

static int read_fixed(zn_var *var, const zn_box *box, const zarrc_selection *selection,
                      char *data) {
  zarrc_error err;
  size_t elements = zn_box_elements(var, box);
  bool wide = zarrc_array_data_type(var->array) == ZARRC_FIXED_UTF32;
  if (elements > SIZE_MAX / (var->size ? var->size : 1))
    return NC_ENOMEM;
  char *bytes = malloc(elements * var->size + 1), *text = malloc(var->size + 1);
  int status = bytes && text ? NC_NOERR : NC_ENOMEM;
  if (!status && zarrc_array_read_selection(var->array, selection, ZARRC_NATIVE, bytes, NULL,
                                            elements * var->size, &err) != ZARRC_OK)
    status = zn_status(&err);
  for (size_t i = 0; i < elements && !status; i++) {
    const char *element = bytes + i * var->size;
    char *to = data + zn_box_offset(var, box, i);
    status = wide ? give_text(to, text, to_utf8(element, var->size / 4, text))
                  : give_text(to, element, strnlen(element, var->size));
  }
  free(bytes);
  free(text);
  return status;
}

int zn_read_text(zn_var *var, const zn_box *box, char *data) {
  zarrc_error err;
  zarrc_selection *selection = NULL;
  zarrc_vlen *values = NULL;
  int status = select_box(var, box, &selection);
  if (!status && var->kind == ZN_TEXT)
    status = read_fixed(var, box, selection, data);
  else if (!status &&
           zarrc_array_read_selection_vlen(var->array, selection, &values, &err) != ZARRC_OK)
    status = zn_status(&err);
  const uint64_t *offsets = zarrc_vlen_offsets(values);
  const uint8_t *bytes = zarrc_vlen_bytes(values);
  size_t count = zarrc_vlen_count(values);
  for (size_t i = 0; i < count && !status; i++) {
    status = give_text(data + zn_box_offset(var, box, i), (const char *)bytes + offsets[i],
                       (size_t)(offsets[i + 1] - offsets[i]));
  }
  zarrc_vlen_free(values);
  zarrc_selection_free(selection);
  return status;
}

/* Returns the string of one element in memory; NULL counts as empty. */
static const char *text_at(const char *at) {
  const char *text;
  memcpy(&text, at, sizeof text);
  return text ? text : "";
}

static int write_fixed(zn_var *var, const zn_box *box, const zarrc_selection *selection,
                       const char *data) {
  zarrc_error err;
  size_t elements = zn_box_elements(var, box);
  bool wide = zarrc_array_data_type(var->array) == ZARRC_FIXED_UTF32;
  char *bytes = var->size && elements < SIZE_MAX / var->size ? calloc(elements, var->size) : NULL;
  int status = bytes ? NC_NOERR : NC_ENOMEM;
  for (size_t i = 0; i < elements && !status; i++) {
    char *to = bytes + i * var->size;
    const char *text = text_at(data + zn_box_offset(var, box, i));
    size_t length = strlen(text);
    if (wide ? !to_ucs4(text, to, var->size / 4) : length > var->size)
      status = zn_fail(NC_ERANGE, "variable %s: a string longer than its %zu bytes, or no UTF-8",
                       var->name, var->size);
    else if (!wide)
      memcpy(to, text, length);
  }
  if (!status && zarrc_array_write_selection(var->array, selection, ZARRC_NATIVE, bytes, NULL,
                                             elements * var->size, &err) != ZARRC_OK)
    status = zn_status(&err);
  free(bytes);
  return status;
}

int zn_write_text(zn_var *var, const zn_box *box, const char *data) {
  zarrc_error err;
  zarrc_selection *selection = NULL;
  int status = select_box(var, box, &selection);
  if (status || var->kind == ZN_TEXT) {
    status = status ? status : write_fixed(var, box, selection, data);
    zarrc_selection_free(selection);
    return status;
  }
  size_t elements = zn_box_elements(var, box), total = 0;
  uint64_t *offsets = elements < SIZE_MAX / 16 ? calloc(elements + 1, sizeof *offsets) : NULL;
  for (size_t i = 0; offsets && i < elements; i++)
    offsets[i + 1] = total += strlen(text_at(data + zn_box_offset(var, box, i)));
  uint8_t *bytes = offsets ? malloc(total + 1) : NULL;
  status = bytes ? NC_NOERR : NC_ENOMEM;
  for (size_t i = 0; !status && i < elements; i++)
    memcpy(bytes + offsets[i], text_at(data + zn_box_offset(var, box, i)),
           (size_t)(offsets[i + 1] - offsets[i]));
  if (!status &&
      zarrc_array_write_selection_vlen(var->array, selection, offsets, bytes, &err) != ZARRC_OK)
    status = zn_status(&err);
  free(bytes);
  free(offsets);
  zarrc_selection_free(selection);
  return status;
}
