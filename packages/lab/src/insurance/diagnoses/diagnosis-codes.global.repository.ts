import type { Db } from '@salus/kernel/postgres/database'
import { type RawBuilder, sql } from 'kysely'
import type { NoteType } from './diagnoses.schema.ts'

export interface DiagnosisCodeRow {
  code: string
  description: string
  is_secondary: boolean
}

/** docs/contract/15-insurance.md#get-v3insurancesearchdiagnosis */
export const MOST_FOUND = 100

/**
 * Returns whether codes were ever loaded. A load is one transaction: when it is visible, so are all
 * of its codes.
 */
export async function hasLoads(db: Db): Promise<boolean> {
  const load = await db.selectFrom('diagnosis_loads').select('source').limit(1).executeTakeFirst()
  return load !== undefined
}

/** Returns those of the codes that exist, including headings, unsorted. */
export function findCodes(
  db: Db,
  codes: readonly string[],
): Promise<(DiagnosisCodeRow & { is_billable: boolean })[]> {
  return db
    .selectFrom('diagnosis_codes')
    .select(['code', 'description', 'is_secondary', 'is_billable'])
    .where('code', '=', sql<string>`any(${[...codes]})`)
    .execute()
}

/** Returns codes with a beginning: the exact code, then frequent ones, then by code. */
export async function listCodesBeginning(db: Db, beginning: string): Promise<DiagnosisCodeRow[]> {
  const { rows } = await sql<DiagnosisCodeRow>`
    select code, description, is_secondary from diagnosis_codes
    where is_billable and code between ${beginning} and ${`${beginning}~`}
    order by code <> ${beginning}, least(precedence, 1000), code limit ${MOST_FOUND}`.execute(db)
  return rows
}

/** Which words may be beginnings of others. A single letter is always a whole word: hepatitis B. */
type WordMatch = 'whole' | 'last begins' | 'all begin'

/** Returns codes that match all of the words, each in one of its spellings. */
export async function listCodesByWords(
  db: Db,
  words: readonly (readonly string[])[],
  match: WordMatch,
): Promise<DiagnosisCodeRow[]> {
  const { rows } = await sql<DiagnosisCodeRow>`
    select code, description, is_secondary from diagnosis_codes
    where is_billable and words @@ ${toTsQuery(words, match)}
    order by precedence, code limit ${MOST_FOUND}`.execute(db)
  return rows
}

function toTsQuery(words: readonly (readonly string[])[], match: WordMatch): RawBuilder<unknown> {
  const spelled = words.map((spellings, index) => {
    const mayBegin =
      match === 'all begin' || (match === 'last begins' && index === words.length - 1)
    const isBegun = (word: string) => mayBegin && word.length > 1
    const lexemes = spellings.map((word) => `'${word}'${isBegun(word) ? ':*' : ''}`)
    return `(${lexemes.join(' | ')})`
  })
  return sql`${spelled.join(' & ')}::tsquery`
}

const MOST_SIMILAR = 50

/** Returns words of the descriptions that are similar to these, by word. */
export async function listSimilarWords(
  db: Db,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ typed: string; similar: string[] }>`
    select typed, array(
      select word from diagnosis_words where word % typed
      order by similarity(word, typed) desc, word limit ${MOST_SIMILAR}
    ) as similar
    from unnest(${[...words]}::text[]) as typed`.execute(db)
  return new Map(rows.map(({ typed, similar }) => [typed, similar]))
}

/** A pair of codes of which one excludes the other. */
export interface ExcludedPair {
  type: Exclude<NoteType, 'code_first'>
  code: string
  excluded: string
}

/**
 * Returns the excluded pairs among these codes, by notes at a code or at a heading or block above
 * it.
 */
export async function listExcludedPairs(db: Db, codes: readonly string[]): Promise<ExcludedPair[]> {
  const { rows } = await sql<ExcludedPair>`
    with given as materialized (select unnest(${[...codes]}::text[]) collate "C" as code),
    noted as (
      select g.code, n.* from given g
      cross join generate_series(3, length(g.code)) as size
      join diagnosis_notes n on n.first_code = left(g.code, size) and n.last_code = n.first_code
      union all
      select g.code, n.* from given g join diagnosis_notes n
        on g.code >= n.first_code and left(g.code, length(n.last_code)) <= n.last_code
      where n.last_code <> n.first_code
    )
    select distinct n.type, n.code, g.code as excluded
    from noted n join given g on g.code <> n.code
      and g.code >= n.excluded_first
      and left(g.code, length(n.excluded_last)) <= n.excluded_last
      and starts_with(substr(g.code, 4), n.excluded_detail)
    where n.type <> 'code_first'`.execute(db)
  return rows
}
