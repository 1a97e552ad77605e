// Without the trait, ICU may be missing.
#ifdef COLLATION

#include "icu.h"

#include <string.h>
#include <unicode/ucol.h>

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

void icu_collator_close(ICUCollatorRef collator) { ucol_close((UCollator *)collator); }

void icu_collator_version(ICUCollatorRef collator, uint8_t version[4]) {
  ucol_getVersion((UCollator *)collator, version);
}

int32_t icu_sort_key(
  ICUCollatorRef collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity) {
  return ucol_getSortKey((UCollator *)collator, (const UChar *)text, length, key, capacity);
}

#endif
