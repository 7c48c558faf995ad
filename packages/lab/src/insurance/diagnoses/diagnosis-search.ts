import type { Db } from '@salus/kernel/postgres/database'
import { correctSpelling, SHORTEST_CORRECTED } from '../../catalog/index.ts'
import { formatCode } from './code-form.ts'
import type { Diagnosis } from './diagnoses.schema.ts'
import {
  type DiagnosisCodeRow,
  listCodesBeginning,
  listCodesByWords,
  listSimilarWords,
  MOST_FOUND,
} from './diagnosis-codes.global.repository.ts'
import { requireCodes } from './require-codes.ts'
import { queryWordsOf } from './search-words.ts'

/** With this many matches of whole words, beginnings of words are not searched. */
const ENOUGH_WHOLE = 25

const BEGINNINGS = ['last begins', 'all begin'] as const

/** The beginning of a code, with or without the dot. */
const CODE_BEGINNING = /^[A-Z]\d(?:[0-9A-Z](?:\.?[0-9A-Z]{0,4}))?$/

/**
 * Returns codes that are valid for claims, best first: the code itself, codes with this beginning,
 * codes with the words, codes with beginnings of the words; frequent codes first. Words are
 * corrected to those of the descriptions only when nothing is found
 * (docs/contract/15-insurance.md#get-v3insurancesearchdiagnosis).
 * @throws AppError 503 `diagnosis_codes_loading`
 */
export async function searchDiagnoses(db: Db, text: string): Promise<Diagnosis[]> {
  await requireCodes(db)
  const rows = await findRows(db, text)
  return rows.slice(0, MOST_FOUND).map(({ code, description, is_secondary }) => ({
    diagnosis_code: formatCode(code),
    description,
    is_secondary,
  }))
}

async function findRows(db: Db, text: string): Promise<DiagnosisCodeRow[]> {
  const beginning = text.trim().toUpperCase()
  if (CODE_BEGINNING.test(beginning)) {
    const rows = await listCodesBeginning(db, beginning.replace('.', ''))
    if (rows.length > 0) return rows
  }
  const words = queryWordsOf(text)
  if (words.length === 0) return []
  const typed = words.map((word) => [word])
  const whole = await listCodesByWords(db, typed, 'whole')
  if (whole.length >= ENOUGH_WHOLE) return whole
  const first = new Set(whole.map(({ code }) => code))
  // The word being typed is the last one; beginnings of all words cost several times as much.
  for (const match of words.length > 1 ? BEGINNINGS : BEGINNINGS.slice(1)) {
    const begun = await listCodesByWords(db, typed, match)
    if (begun.length > 0) return [...whole, ...begun.filter(({ code }) => !first.has(code))]
  }
  const corrected = await correctWords(db, words)
  return corrected === undefined ? [] : listCodesByWords(db, corrected, 'all begin')
}

/** Longer queries are not diagnoses, and each corrected word costs a query. */
const MOST_CORRECTED = 8

/** Returns the words in the spelling of the descriptions; undefined when one is unknown. */
async function correctWords(db: Db, words: readonly string[]): Promise<string[][] | undefined> {
  if (words.length > MOST_CORRECTED) return undefined
  const long = words.filter((word) => word.length >= SHORTEST_CORRECTED)
  const similar = await listSimilarWords(db, long)
  const corrected: string[][] = []
  for (const word of words) {
    const isShort = word.length < SHORTEST_CORRECTED
    const spellings = isShort ? [word] : correctSpelling(word, similar.get(word) ?? [])
    if (spellings.length === 0) return undefined
    corrected.push(spellings)
  }
  return corrected
}
