// Collation by ICU.
//
// ICU's own headers stay out of Swift's sight: they name functions with the number of the release, by macros, and declare the types
// again that Foundation's copy of ICU declares.
#ifndef DAYBOOK_CICU_H
#define DAYBOOK_CICU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUCollator_ *ICUCollatorRef;
typedef struct ICULetters_ *ICULettersRef;

// Opens the collator of a locale, or returns NULL if ICU has no data of the locale's language. Digits are compared by
// their numbers, and case is ignored.
ICUCollatorRef icu_collator_open(const char *locale);

void icu_collator_close(ICUCollatorRef collator);

// Writes the four bytes of the version of the collator's data and code.
void icu_collator_version(ICUCollatorRef collator, uint8_t version[4]);

// Returns the size of the sort key, the 0 at its end included; writes as much of it as there is room for.
int32_t icu_sort_key(ICUCollatorRef collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity);

// Opens the letters under which lists of the locale are divided, or returns NULL. Threads may share them.
ICULettersRef icu_letters_open(const char *locale);

void icu_letters_close(ICULettersRef letters);

int32_t icu_letters_count(ICULettersRef letters);

// Returns the number of the letter under which a text is listed, or -1 for a text that lies before, between or after the
// letters of the locale, as a text of another script does.
int32_t icu_letters_find(ICULettersRef letters, const uint16_t *text, int32_t length);

// Returns the length of a letter's name, and writes as much of it as there is room for; 0 for a place between letters.
int32_t icu_letters_name(ICULettersRef letters, int32_t number, uint16_t *name, int32_t capacity);

#ifdef __cplusplus
}
#endif

#endif
