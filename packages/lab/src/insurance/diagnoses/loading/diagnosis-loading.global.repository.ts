import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { NoteType } from '../diagnoses.schema.ts'
import type { CodeRange } from './note-codes.ts'
import type { DiagnosisNote } from './read-tabular.ts'
import type { NewCodeRow } from './to-code-rows.ts'

/** Number of rows in one statement. */
const BATCH_ROWS = 10_000

/** Arbitrary id of the advisory lock that serializes loads. */
const LOAD_LOCK_ID = 7_258_716_011

/** Makes other loads wait until the transaction ends. */
export async function lockLoads(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOAD_LOCK_ID})`.execute(db)
}

export interface CodeChanges {
  added: number
  changed: number
  removed: number
  unchanged: number
}

/** Replaces the codes of the table. Equal rows are not written. */
export async function replaceCodes(
  db: Db,
  rows: readonly NewCodeRow[],
  signal?: AbortSignal,
): Promise<CodeChanges> {
  const { numDeletedRows } = await db
    .deleteFrom('diagnosis_codes')
    .where(
      sql<boolean>`not exists (
        select 1 from unnest(${rows.map(({ code }) => code)}::text[]) as given (code)
        where given.code = diagnosis_codes.code
      )`,
    )
    .executeTakeFirstOrThrow()
  let added = 0
  let changed = 0
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    // A process that is stopping waits for a batch only.
    signal?.throwIfAborted()
    const written = await mergeBatch(db, rows.slice(start, start + BATCH_ROWS))
    added += written.added
    changed += written.changed
  }
  return {
    added,
    changed,
    removed: Number(numDeletedRows),
    unchanged: rows.length - added - changed,
  }
}

async function mergeBatch(db: Db, rows: readonly NewCodeRow[]) {
  // Joined texts are sent and read several times as fast as lists of texts.
  const list = (name: keyof NewCodeRow, type: string) =>
    sql`string_to_array(${rows.map((row) => row[name]).join('\n')}, E'\\n')::${sql.raw(type)}[]`
  const { rows: counts } = await sql<{ added: number; changed: number }>`
    with written as (
      insert into diagnosis_codes as c
        (code, description, is_billable, is_secondary, precedence, words)
      select code, description, is_billable, is_secondary, precedence,
        case when words <> '' then array_to_tsvector(string_to_array(words, ' ')) end
      from unnest(
        ${list('code', 'text')}, ${list('description', 'text')}, ${list('is_billable', 'boolean')},
        ${list('is_secondary', 'boolean')}, ${list('precedence', 'integer')}, ${list('words', 'text')}
      ) as given (code, description, is_billable, is_secondary, precedence, words)
      on conflict (code) do update set
        description = excluded.description, is_billable = excluded.is_billable,
        is_secondary = excluded.is_secondary, precedence = excluded.precedence, words = excluded.words
      where (c.description, c.is_billable, c.is_secondary, c.precedence, c.words)
        is distinct from (excluded.description, excluded.is_billable, excluded.is_secondary,
          excluded.precedence, excluded.words)
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed
    from written`.execute(db)
  return counts[0] ?? { added: 0, changed: 0 }
}

/** Replaces the words of the table. */
export async function replaceWords(db: Db, words: readonly string[]): Promise<void> {
  const given = sql`unnest(${[...words]}::text[])`
  await sql`delete from diagnosis_words where word not in (select ${given})`.execute(db)
  await sql`insert into diagnosis_words select ${given} on conflict do nothing`.execute(db)
}

/** Replaces all notes, inside the transaction of a load. */
export async function replaceNotes(db: Db, notes: readonly DiagnosisNote[]): Promise<void> {
  await db.deleteFrom('diagnosis_notes').execute()
  const list = (of: (note: DiagnosisNote) => string | null) => sql`${notes.map(of)}::text[]`
  await sql`
    insert into diagnosis_notes
      (type, first_code, last_code, excluded_first, excluded_last, excluded_detail)
    select * from unnest(
      ${list(({ type }) => type)}, ${list(({ at }) => at.first)}, ${list(({ at }) => at.last)},
      ${list(({ excluded }) => excluded?.first ?? null)},
      ${list(({ excluded }) => excluded?.last ?? null)}, ${list(({ excluded }) => excluded?.detail ?? '')}
    )`.execute(db)
}

/** Returns the ranges of codes that follow their underlying disease. */
export function listCodeFirst(db: Db): Promise<CodeRange[]> {
  return db
    .selectFrom('diagnosis_notes')
    .select(['first_code as first', 'last_code as last'])
    .where('type', '=', 'code_first')
    .execute()
}

/** Returns the number of notes by type, including 0. */
export async function countNotes(db: Db): Promise<Record<NoteType, number>> {
  const rows = await db
    .selectFrom('diagnosis_notes')
    .select(['type', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('type')
    .execute()
  const counts = { excludes1: 0, excludes2: 0, code_first: 0 }
  for (const { type, count } of rows) counts[type] = count
  return counts
}

/**
 * Does at once what the next vacuum would do, without which searches are many times slower: merges
 * the pending lists of the indexes and updates the planner's statistics.
 */
export async function prepareSearches(db: Db): Promise<void> {
  await sql`select gin_clean_pending_list('diagnosis_codes_by_words'),
    gin_clean_pending_list('diagnosis_words_by_part')`.execute(db)
  await sql`analyze diagnosis_codes, diagnosis_words, diagnosis_notes`.execute(db)
}

/** Returns the hash of the last load of each source. */
export async function listLoads(db: Db): Promise<Map<string, Buffer>> {
  const rows = await db.selectFrom('diagnosis_loads').select(['source', 'content_hash']).execute()
  return new Map(rows.map(({ source, content_hash: hash }) => [source, hash]))
}

/** Stores the hash of the last load of a source, by which an unchanged code set is recognized. */
export async function storeLoad(db: Db, source: string, hash: Buffer, at: Date): Promise<void> {
  const load = { content_hash: hash, loaded_at: at }
  await db
    .insertInto('diagnosis_loads')
    .values({ source, ...load })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(load))
    .execute()
}
