import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { ITALIAN } from './italian.ts'
import { type LanguageWords, list } from './language-words.ts'
import { PORTUGUESE } from './portuguese.ts'
import { SPANISH } from './spanish.ts'

export type { ColumnKind, HeaderLabel, LanguageWords } from './language-words.ts'

/** Languages whose rows can be read. */
export const SUPPORTED_LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl'] as const
export type SupportedLanguage = (typeof SUPPORTED_LANGUAGES)[number]

/**
 * Lower case, without accents, with one space between words: the form of every word of the table.
 */
export function toPlainWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

export const WORDS: Readonly<Record<SupportedLanguage, LanguageWords>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
}

/** Returns the words of all languages for one thing. */
function listWords(select: (words: LanguageWords) => readonly string[]): Set<string> {
  return new Set(SUPPORTED_LANGUAGES.flatMap((language) => select(WORDS[language])))
}

export const POSITIVE_WORDS: ReadonlySet<string> = listWords((words) => words.positive)
export const NEGATIVE_WORDS: ReadonlySet<string> = listWords((words) => words.negative)
export const NORMAL_WORDS: ReadonlySet<string> = listWords((words) => words.normal)

/** Words of a value that is true or false; the others say more than that. */
export const TRUTH_WORDS: ReadonlySet<string> = new Set(
  list(`
    true; false; negative; positive; neg; pos; negativo; negativa; positivo; positiva; negatif; positif;
    negativ; positiv; negatief; positief`),
)

/** What stands in a result column instead of a number. */
export const QUALITATIVE_VALUES: ReadonlySet<string> = new Set([
  ...TRUTH_WORDS,
  ...POSITIVE_WORDS,
  ...NEGATIVE_WORDS,
  ...NORMAL_WORDS,
  // Colour, clarity and other findings of urine and stool
  ...list(`
    clear; yellow; pale yellow; light yellow; dark yellow; straw; amber; colorless; colourless; red;
    brown; orange; hazy; slightly hazy; cloudy; slightly cloudy; turbid; slightly turbid; trace; traces;
    small; moderate; large; few; many; rare; occasional; abundant; scanty; none; formed; semi formed;
    soft; hard; acidic; alkaline; acid; neutral; light; tntc; packed; yes; no; light brown; dark brown;
    greenish; amarillo; amarillo claro; ambar; transparente; limpido; ligeramente turbio; turbio;
    trazas; escasas; escasos; escasa; abundantes; moderadas; raros; raras; algunas; aisladas; jaune;
    jaune clair; limpide; trouble; jaune pale; gelb; klar; trub; hellgelb; spuren; giallo; giallo
    paglierino; torbido; tracce; rari; alcuni; assenza; amarelo; amarelo claro; amarelo citrino;
    citrino; tracos; numerosos; inodoro; sui generis; geel; helder; troebel; spoor; sporen`),
  // Immunity, susceptibility and the like
  ...list(`
    immune; not immune; non immune; nonimmune; equivocal; indeterminate; borderline; susceptible;
    sensitive; resistant; intermediate; sensible; resistente; sensibel; compatible; incompatible;
    adequate; inadequate; normocytic normochromic; normal morphology; consistent; inconsistent; not
    isolated; isolated; homozygous; heterozygous; wild type; mutated; low risk; high risk; average risk;
    satisfactory; unsatisfactory; not reactive; weakly positive; weakly reactive; weak positive;
    strongly positive; presumptive positive; indeterminado; invalid`),
  // Why there is no value
  ...list(`
    pending; see note; see comment; see below; see comments; comment; tnp; not performed; test not
    performed; not done; cancelled; canceled; hemolyzed; qns; not applicable; not calculated; unable to
    calculate; not reported; to follow; pendiente; en proceso; ver nota; en cours; ausstehend; folgt; in
    corso; em andamento; volgt; dnr; nr; see report`),
])
