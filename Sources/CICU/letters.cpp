#ifdef COLLATION

#include "icu.h"

#include <memory>
#include <unicode/alphaindex.h>
#include <unicode/ustring.h>

// ICU has no functions in C for these.
using Index = icu::AlphabeticIndex::ImmutableIndex;

static const Index *index(ICULettersRef letters) { return reinterpret_cast<const Index *>(letters); }

static const icu::AlphabeticIndex::Bucket *letter(ICULettersRef letters, int32_t number) {
  auto bucket = index(letters)->getBucket(number);
  return bucket != nullptr && bucket->getLabelType() == U_ALPHAINDEX_NORMAL ? bucket : nullptr;
}

ICULettersRef icu_letters_open(const char *name) {
  UErrorCode status = U_ZERO_ERROR;
  auto locale = icu::Locale::createFromName(name);
  if (locale.isBogus()) return nullptr;
  icu::AlphabeticIndex whole(locale, status);
  std::unique_ptr<Index> index(U_SUCCESS(status) ? whole.buildImmutableIndex(status) : nullptr);
  return U_SUCCESS(status) ? reinterpret_cast<ICULettersRef>(index.release()) : nullptr;
}

void icu_letters_close(ICULettersRef letters) { delete index(letters); }

int32_t icu_letters_count(ICULettersRef letters) { return index(letters)->getBucketCount(); }

int32_t icu_letters_find(ICULettersRef letters, const uint16_t *text, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString whole(false, reinterpret_cast<const UChar *>(text), length);
  int32_t number = index(letters)->getBucketIndex(whole, status);
  return U_SUCCESS(status) && letter(letters, number) != nullptr ? number : -1;
}

int32_t icu_letters_name(ICULettersRef letters, int32_t number, uint16_t *name, int32_t capacity) {
  auto found = letter(letters, number);
  if (found == nullptr) return 0;
  UErrorCode status = U_ZERO_ERROR;
  return found->getLabel().extract(reinterpret_cast<UChar *>(name), capacity, status);
}

#endif
