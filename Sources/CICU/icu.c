#include "icu.h"

#include <string.h>
#include <unicode/ucol.h>
#include <unicode/ulocdata.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

ICUCollatorRef icu_collator_open(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  char wanted[16], valid[16];
  uloc_getLanguage(locale, wanted, sizeof wanted, &status);
  const char *found = ucol_getLocaleByType(collator, ULOC_VALID_LOCALE, &status);
  if (U_SUCCESS(status)) uloc_getLanguage(found, valid, sizeof valid, &status);
  if (U_FAILURE(status) || strcmp(wanted, valid) != 0) {
    ucol_close(collator);
    return NULL;
  }
  ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status);
  ucol_setStrength(collator, UCOL_SECONDARY);
  if (U_SUCCESS(status)) return (ICUCollatorRef)collator;
  ucol_close(collator);
  return NULL;
}

ICUCollatorRef icu_collator_open_primary(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  ucol_setStrength(collator, UCOL_PRIMARY);
  return (ICUCollatorRef)collator;
}

void icu_collator_close(ICUCollatorRef collator) { ucol_close((UCollator *)collator); }

void icu_collator_version(ICUCollatorRef collator, uint8_t version[4]) {
  ucol_getVersion((UCollator *)collator, version);
}

int32_t icu_sort_key(
  ICUCollatorRef collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity) {
  return ucol_getSortKey((UCollator *)collator, (const UChar *)text, length, key, capacity);
}

ICUSetRef icu_index_letters_open(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  ULocaleData *data = ulocdata_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  USet *set = ulocdata_getExemplarSet(data, NULL, 0, ULOCDATA_ES_INDEX, &status);
  ulocdata_close(data);
  return U_SUCCESS(status) ? (ICUSetRef)set : NULL;
}

void icu_set_close(ICUSetRef set) { uset_close((USet *)set); }

int32_t icu_set_count(ICUSetRef set) { return uset_getItemCount((USet *)set); }

int32_t icu_set_item(ICUSetRef set, int32_t item, int32_t *first, int32_t *last, uint16_t text[16]) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = uset_getItem((USet *)set, item, first, last, (UChar *)text, 16, &status);
  return U_SUCCESS(status) ? length : -1;
}

int32_t icu_script(int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(scalar, &status);
  return U_SUCCESS(status) ? script : -1;
}
