import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from '../language/words.ts'
import type { PageText, Word } from '../pages/page.ts'
import type { Field, PatientHints, ReportHeader } from '../report.ts'
import type { Person } from '../values/choose-alternative.ts'
import { findLetterhead } from './lab-name.ts'
import { findLabelledValues, type LabelledValue, toHeaderField } from './labelled-values.ts'
import { readAge } from './patient-age.ts'
import { type PersonName, readPersonName } from './person-name.ts'

const MONTH = String.raw`\p{L}{3,10}\.?`
const DATE = [
  String.raw`\d{4}\s?[-./]\s?\d{1,2}\s?[-./]\s?\d{1,2}`,
  String.raw`\d{1,2}\s?[-./]\s?\d{1,2}\s?[-./]\s?\d{2,4}`,
  String.raw`\d{1,2}(?:st|nd|rd|th|\.)?[-/ ]?(?:de |of )?${MONTH}[-/ ,]*(?:de |del )?\d{2,4}`,
  String.raw`${MONTH}\s?\d{1,2}(?:st|nd|rd|th)?,?\s?\d{4}`,
].join('|')
const DATE_ONLY = new RegExp(String.raw`(?<![\d\p{L}])(?:${DATE})(?!\d)`, 'u')
const DATE_AND_TIME = new RegExp(
  String.raw`(?<![\d\p{L}])(?:${DATE})(?!\d)(?:[\s,T]+(?:at |um |a las |à |-\s)?\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?:\s?uhr|\s?h(?:rs)?\b)?)?`,
  'iu',
)

/**
 * Returns the fields of the header of a report as printed, null where they are missing, and the
 * patient's age.
 * @param language ISO 639-1: its labels and those of English are recognized
 */
export function readHeader(
  pages: readonly PageText[],
  language = 'en',
): { header: ReportHeader; age: Person['age'] } {
  const values = findLabelledValues(pages, language)
  const header = readFacts(pages, values, language)
  return { header, age: readAge(values, header) }
}

function readFacts(
  pages: readonly PageText[],
  values: readonly LabelledValue[],
  language: string,
): ReportHeader {
  const [firstPage] = pages
  const name = findName(values)
  return {
    patientFirstName: name.first,
    patientLastName: name.last,
    dateOfBirth: findFirst(
      values,
      ['dateOfBirth', 'ageAndGender', 'patient'],
      (words, page, { label, labelText }) =>
        label === 'dateOfBirth' || /dob|birth/.test(labelText)
          ? takeMatch(words, page, DATE_ONLY)
          : null,
    ),
    gender: findGender(values, language),
    labName:
      findFirst(values, ['laboratory'], takeLabName) ??
      (firstPage ? findLetterhead(firstPage) : null),
    dateReported: findFirst(values, ['reported', 'date'], (words, page) =>
      takeMatch(words, page, DATE_AND_TIME),
    ),
    dateCollected: findFirst(values, ['collected'], (words, page) =>
      takeMatch(words, page, DATE_AND_TIME),
    ),
    specimenNumber: findFirst(values, ['specimenNumber'], takeNumber),
  }
}

/**
 * Returns further hints about a patient: the printed age, and names beside labels of patients other
 * than the first. The caller decides whether those are other people: the same name may be printed
 * in several ways.
 * @param language as of readHeader
 */
export function readPatientHints(pages: readonly PageText[], language = 'en'): PatientHints {
  const values = findLabelledValues(pages, language)
  const names = values
    .filter(
      ({ label, labelText, hasColon }) =>
        label === 'patient' && hasColon && OF_PATIENT.test(labelText),
    )
    .flatMap((value) => takeFrom(value, takeWholeName) ?? [])
    .map(({ first, last }) => ({ first: first?.text ?? null, last: last?.text ?? null }))
    .filter(({ first, last }) => first !== null && last !== null)
  const [, ...others] = new Map(names.map((name) => [JSON.stringify(name), name])).values()
  return {
    age: findFirst(values, ['age', 'ageAndGender'], (words, page) => takeMatch(words, page, AGE)),
    others: others.slice(0, MOST_OTHERS),
  }
}

/** Not of a customer of the laboratory or a physician, who have names, too. */
const OF_PATIENT = /pati|pacien|pazien/
const AGE = /(?<![\d/.-])\d{1,3}(?![\d/.-])(?:\s?\p{L}+\.?)?/u
const MOST_OTHERS = 10

type Take<T> = (words: readonly Word[], page: number, value: LabelledValue) => T | null

/** Returns the value of the first label that has one beside or below it. */
function findFirst<T>(
  values: readonly LabelledValue[],
  labels: readonly string[],
  take: Take<T>,
): T | null {
  for (const label of labels) {
    for (const value of values) {
      if (value.label !== label) continue
      const found = takeFrom(value, take)
      if (found !== null) return found
    }
  }
  return null
}

function takeFrom<T>(value: LabelledValue, take: Take<T>): T | null {
  const beside = value.beside.length > 0 ? take(value.beside, value.page, value) : null
  if (beside !== null) return beside
  // A label with an unfitting word beside it is not a label above a column.
  const mayBeBelow = value.beside.length === 0 && value.below.length > 0
  return mayBeBelow ? take(value.below, value.page, value) : null
}

function takeMatch(words: readonly Word[], page: number, pattern: RegExp): Field | null {
  const text = words.map((word) => word.text).join(' ')
  const match = pattern.exec(text)
  if (!match) return null
  return toHeaderField(
    wordsBetween(words, match.index, match.index + match[0].length),
    page,
    match[0],
  )
}

/** Returns the words that a range of their joined text touches. */
function wordsBetween(words: readonly Word[], start: number, end: number): Word[] {
  let at = 0
  return words.filter((word) => {
    const [from, to] = [at, at + word.text.length]
    at = to + 1
    return to > start && from < end
  })
}

/** A number of a specimen: one or two words with a digit that are no date or time. */
const takeNumber: Take<Field> = (words, page) => {
  const text = words.map((word) => word.text).join(' ')
  if (DATE_ONLY.test(text.split(' ').slice(0, 3).join(' '))) return null
  const match =
    /^(?:(?:no|nr|nº|n°|num|number|id|#)\.?\s*:?\s*)?#?\s*([A-Z0-9][A-Z0-9./_-]*\d[A-Z0-9./_-]*|\d[\d -]{2,}\d)(?=\s|$)/i.exec(
      text,
    )
  const number = match?.[1]
  if (!match || number === undefined || number.replace(/[^\dA-Z]/gi, '').length < 3) return null
  const start = match.index + match[0].length - number.length
  return toHeaderField(wordsBetween(words, start, start + number.length), page, number)
}

const takeLabName: Take<Field> = (words, page, { hasColon }) => {
  const text = words.map((word) => word.text).join(' ')
  const isName =
    /^\p{L}/u.test(text) &&
    !/^(?:dr|dott|prof|sig)\b/i.test(text) &&
    !/\d{3}/.test(text) &&
    text.length > 3 &&
    text.length < 80
  return hasColon && isName ? toHeaderField(words, page) : null
}

function findGender(values: readonly LabelledValue[], language: string): ReportHeader['gender'] {
  const own = SUPPORTED_LANGUAGES.find((each) => each === language) ?? 'en'
  const male = new Set([...WORDS.en.male, ...WORDS[own].male])
  const female = new Set([...WORDS.en.female, ...WORDS[own].female])
  // A single letter may be male in one language and female in the other: the report's language
  // decides.
  for (const word of WORDS[own].female) male.delete(word)
  for (const word of WORDS[own].male) female.delete(word)
  const take: Take<NonNullable<ReportHeader['gender']>> = (words, page) => {
    const parts = words.flatMap((word) =>
      toPlainWords(word.text)
        .split(/[^\p{L}]+/u)
        .map((text) => ({ text, word })),
    )
    for (const { text, word } of parts) {
      if (female.has(text)) return { value: 'female', field: toHeaderField([word], page) }
      if (male.has(text)) return { value: 'male', field: toHeaderField([word], page) }
    }
    return null
  }
  // `DOB: 09/09/1990 F`
  const afterDate: Take<NonNullable<ReportHeader['gender']>> = (words, page, value) =>
    take(words.filter((word) => /^\(?\p{L}+\)?$/u.test(word.text)).slice(0, 2), page, value)
  return (
    findFirst(values, ['gender', 'ageAndGender'], take) ??
    findFirst(values, ['age', 'dateOfBirth'], afterDate)
  )
}

const LAST_FIRST =
  /^(?:apellidos?\b.*nombres?|cognome\b.*nome|nom\b.*prenom|name\b.*vorname|naam\b.*voornaam)/

interface FoundName {
  first: Field | null
  last: Field | null
}

const toName = (words: readonly Word[]): string => toHeaderField(words, 1).text

const takeWholeName: Take<FoundName> = (words, page, { labelText, hasColon }) => {
  const nameWords = words.filter((word, index) => index < 7 && !/^\(?\d/.test(word.text))
  const order = {
    lastFirst: LAST_FIRST.test(labelText),
    doubleLast: /apellidos/.test(labelText),
  }
  const name = nameWords.length > 0 ? readPersonName(toName(nameWords), order) : null
  // Headings such as `Patient Information Specimen Information` are not names.
  if (!name || (!hasColon && name.first === null) || isHeading(toName(nameWords))) return null
  return splitName(name, nameWords, page)
}

function findName(values: readonly LabelledValue[]): FoundName {
  const only: Take<Field> = (words, page) =>
    readPersonName(toName(words)) ? toHeaderField(words, page) : null
  const first = findFirst(values, ['firstName'], only)
  const last = findFirst(values, ['lastName'], only)
  if (first && last) return { first, last }
  const whole = findFirst(values, ['patient'], takeWholeName)
  if (whole || first || last) return whole ?? { first, last }
  return findUnlabelledName(values) ?? { first: null, last: null }
}

/** Returns the name before the date of birth, as in `DOE, JANE  DOB 01/02/1970`. */
function findUnlabelledName(values: readonly LabelledValue[]) {
  for (const { label, before, page } of values) {
    if (label !== 'dateOfBirth' || before.length === 0 || before.length > 5) continue
    const text = toHeaderField(before, page).text
    const name = isHeading(text) ? null : readPersonName(text)
    if (name?.first) return splitName(name, before, page)
  }
  return null
}

const isHeading = (text: string): boolean =>
  /\b(?:information|details|report|results?|specimen|name|data|datos|dados|id|number|sex|gender|age|date|copy|summary|portal|history|laborator\w*|clinic\w*|test)\b/i.test(
    text,
  )

function splitName(name: PersonName, words: readonly Word[], page: number): FoundName {
  const partOf = (part: string | null): Field | null => {
    if (part === null) return null
    const parts = new Set(part.split(' '))
    const own = words.filter((word) => parts.has(word.text.replace(/[,;]+$/, '')))
    return toHeaderField(own.length > 0 ? own : words, page, part)
  }
  return { first: partOf(name.first), last: partOf(name.last) }
}
