// Collation by ICU.
//
// ICU's own headers stay out of Swift's sight: they name functions with the number of the release, by macros, and declare the types
// again that Foundation's copy of ICU declares.
#ifndef DAYBOOK_CICU_H
#define DAYBOOK_CICU_H

#include <stdint.h>

typedef struct ICUCollator_ *ICUCollatorRef;
typedef struct ICUSet_ *ICUSetRef;

// Opens the collator of a locale, or returns NULL if ICU has no data of the locale's language. Digits are compared by
// their numbers, and case is ignored.
ICUCollatorRef icu_collator_open(const char *locale);

// Opens a collator that tells base letters apart and nothing else.
ICUCollatorRef icu_collator_open_primary(const char *locale);

void icu_collator_close(ICUCollatorRef collator);

// Writes the four bytes of the version of the collator's data and code.
void icu_collator_version(ICUCollatorRef collator, uint8_t version[4]);

// Returns the size of the sort key, the 0 at its end included; writes as much of it as there is room for.
int32_t icu_sort_key(ICUCollatorRef collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity);

// Opens the set of the letters under which lists of the locale are divided, or returns NULL.
ICUSetRef icu_index_letters_open(const char *locale);

void icu_set_close(ICUSetRef set);

int32_t icu_set_count(ICUSetRef set);

// Returns the length of an item that is a string of up to 16 units, or 0 for a range, whose ends it writes.
int32_t icu_set_item(ICUSetRef set, int32_t item, int32_t *first, int32_t *last, uint16_t text[16]);

// Returns the number of the script of a letter, or a negative one.
int32_t icu_script(int32_t scalar);

#endif
