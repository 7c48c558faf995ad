import { unpackBody } from '@salus/kernel/events/event-body'
import { isUuid } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import { type RawBuilder, sql } from 'kysely'
import { type Belonging, PERSON_TABLES } from '../../person-data/index.ts'
import { UNREADABLE_COLUMNS, UNSEARCHED_TABLES } from './search-exceptions.registry.ts'
import type { SearchTerm } from './search-terms.repository.ts'

/** Rows of a table, or files of a kind, that contain data of a user. */
export interface Remains {
  table: string
  rows: number
}

interface SearchedTable {
  schema: string
  name: string
  /** Columns that are texts, or can be read as one: JSON, ids, lists of either. */
  texts: string[]
  bytes: string[]
}

/** Number of rows whose bytes are unpacked at a time. */
const ROWS_AT_ONCE = 200

/**
 * Searches for terms in every text, JSON, id and bytes of every table, as the catalog lists them,
 * including the queue of jobs. Rows that belong to another user by their key are not searched: they
 * are removed with that user.
 */
export async function searchPostgres(
  db: Db,
  terms: readonly SearchTerm[],
): Promise<{ tables: number; remains: Remains[] }> {
  const tables = await listSearchedTables(db)
  const remains: Remains[] = []
  const counts = tables
    .filter(({ texts }) => texts.length > 0)
    .map((table) => countRows(table, terms))
  const { rows } = await sql<Remains>`${sql.join(counts, sql` union all `)}`.execute(db)
  remains.push(...rows.filter(({ rows: count }) => count > 0))
  remains.push(...(await searchBytes(db, tables.filter(isChangedByErasure), terms)))
  return { tables: tables.length, remains }
}

/**
 * Searches for terms in the bytes of tables whose rows belong to a user by their `user_id` alone:
 * the rows of all other users are the same before and after the user's are deleted. This takes
 * longest, because each row is unpacked.
 */
export async function searchUnownedBytes(db: Db, terms: readonly SearchTerm[]): Promise<Remains[]> {
  const tables = await listSearchedTables(db)
  return searchBytes(
    db,
    tables.filter((table) => !isChangedByErasure(table)),
    terms,
  )
}

/** Whether rows of a table may have no owner any more once a user is deleted. */
const isChangedByErasure = ({ schema, name }: SearchedTable): boolean =>
  schema !== 'public' ||
  !PERSON_TABLES.some(
    (table) => table.store === 'postgresql' && table.name === name && table.by === 'user_id',
  )

async function searchBytes(
  db: Db,
  tables: readonly SearchedTable[],
  terms: readonly SearchTerm[],
): Promise<Remains[]> {
  const holds = matcherOf(terms)
  const remains: Remains[] = []
  for (const table of tables.filter(({ bytes }) => bytes.length > 0)) {
    const found = await countPackedRows(db, table, holds)
    if (found > 0) remains.push({ table: nameOf(table), rows: found })
  }
  return remains
}

const nameOf = ({ schema, name }: SearchedTable): string =>
  schema === 'public' ? name : `${schema}.${name}`

const TEXTS = `(text|varchar|bpchar|name|citext|json|jsonb|uuid|xml|hstore|_text|_varchar|_uuid|_jsonb)`

async function listSearchedTables(db: Db): Promise<SearchedTable[]> {
  const { rows } = await sql<{ schema: string; name: string; column: string; is_bytes: boolean }>`
    select n.nspname as schema, c.relname as name, a.attname as column, t.typname = 'bytea' as is_bytes
    from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
      join pg_namespace n on n.oid = c.relnamespace
      join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and (t.typname = 'bytea' or t.typname ~ ${`^${TEXTS}$`})
    order by n.nspname, c.relname, a.attnum`.execute(db)
  const tables = new Map<string, SearchedTable>()
  for (const { schema, name, column, is_bytes: isBytes } of rows) {
    if (schema === 'public' && name in UNSEARCHED_TABLES) continue
    if (isBytes && `${name}.${column}` in UNREADABLE_COLUMNS) continue
    const key = `${schema}.${name}`
    const table = tables.get(key) ?? { schema, name, texts: [], bytes: [] }
    tables.set(key, table)
    table[isBytes ? 'bytes' : 'texts'].push(column)
  }
  return [...tables.values()]
}

function countRows(table: SearchedTable, terms: readonly SearchTerm[]): RawBuilder<Remains> {
  const { schema, name, texts } = table
  const columns = texts.map((column) => sql`${sql.ref(column)}::text`)
  const text = sql`lower(concat_ws(' ', ${sql.join(columns)}))`
  const { ids, alone, together } = sortTerms(terms)
  const conditions = [
    sql`exists (select from regexp_matches(text, ${ID}, 'g') as id where id[1] = any(${ids}::text[]))`,
    sql`text like any(${alone.flatMap(patternsOf)}::text[])`,
    ...together.map(
      (term) =>
        sql`(${sql.join(
          term.map((word) => sql`text like any(${patternsOf(word)}::text[])`),
          sql` and `,
        )})`,
    ),
  ]
  // The offset keeps the search from rows of other users, before they are known to be theirs.
  return sql<Remains>`select ${nameOf(table)} as table, count(*)::int as rows
    from (select ${text} as text from ${sql.table(`${schema}.${name}`)}
      where ${isOpen(table)} offset 0) found
    where ${sql.join(conditions, sql` or `)}`
}

/** An id in a text in lower case. */
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const IDS = new RegExp(ID, 'g')

/**
 * Returns ids apart from words: a person has hundreds, and an id of a text is looked up among them,
 * while each word is looked for in the whole text.
 */
function sortTerms(terms: readonly SearchTerm[]) {
  const alone = terms.flatMap((term) => (term.length === 1 ? term : []))
  const isId = (word: string): boolean => isUuid(word.toLowerCase())
  return {
    ids: alone.filter(isId).map((word) => word.toLowerCase()),
    alone: alone.filter((word) => !isId(word)),
    together: terms.filter((term) => term.length > 1),
  }
}

/** Returns the forms of a word in a text: in lower case, and as JSON escapes it. */
function formsOf(word: string): string[] {
  const small = word.toLowerCase()
  // A database of the locale C only knows the capital letters of ASCII.
  const asciiSmall = word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const escaped = JSON.stringify(asciiSmall)
    .slice(1, -1)
    .replaceAll(/[\u0080-\uffff]/g, (letter) => {
      return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
    })
  return [...new Set([small, asciiSmall, escaped])]
}

const patternsOf = (word: string): string[] => formsOf(word).map((form) => `%${escapeLike(form)}%`)

/** Whether a row may belong to the user: a row of another user belongs to them by its key. */
function isOpen({ schema, name }: SearchedTable): RawBuilder<boolean> {
  const open: Record<Belonging, RawBuilder<boolean>> = OPEN
  if (schema === 'graphile_worker' && name === '_private_jobs') return IS_NO_ERASURE
  const belonging = PERSON_TABLES.find(
    (table) => table.store === 'postgresql' && table.name === name,
  )
  if (schema !== 'public' || belonging === undefined) return sql`true`
  return open[belonging.by]
}

/** The job that runs the search exists until it ends. */
const IS_NO_ERASURE = sql<boolean>`task_id not in
  (select id from graphile_worker._private_tasks where identifier = 'erase_person')`

const OPEN: Record<Belonging, RawBuilder<boolean>> = {
  id: sql`false`,
  user_id: sql`user_id is null`,
  order_id: sql`order_id is null`,
  transaction_id: sql`not exists (select from orders where transaction_id = order_transactions.id)`,
  appointment_id: sql`not exists (select from appointments where id = appointment_id)`,
  report_job_id: sql`job_id is null`,
  event_id: sql`not exists (select from events where id = event_id and user_id is not null)`,
  held_result: sql`true`,
  lab_message: sql`order_id is null`,
}

/** Bytes are bodies and messages, some of them packed, which only this process can unpack. */
async function countPackedRows(
  db: Db,
  table: SearchedTable,
  holds: (text: string) => boolean,
): Promise<number> {
  const { schema, name, bytes } = table
  let found = 0
  for (let after = '(0,0)'; ; ) {
    const { rows } = await sql<Record<string, Buffer | null> & { ctid: never }>`
      select ctid::text as ctid, ${sql.join(bytes.map((column) => sql.ref(column)))}
      from ${sql.table(`${schema}.${name}`)}
      where ctid > ${after}::tid and ${isOpen(table)} order by ctid limit ${ROWS_AT_ONCE}`.execute(
      db,
    )
    for (const { ctid, ...columns } of rows) {
      after = ctid
      const text = Object.values(columns)
        .map((value) => readBytes(value).toLowerCase())
        .join(' ')
      if (holds(text)) found += 1
    }
    if (rows.length < ROWS_AT_ONCE) return found
  }
}

function readBytes(value: Buffer | null): string {
  if (value === null) return ''
  try {
    return unpackBody(value).toString('utf8')
  } catch {
    // It begins like a packed body, but is not one.
    return value.toString('utf8')
  }
}

/** Returns a function that checks whether a text in lower case contains one of the terms. */
export function matcherOf(terms: readonly SearchTerm[]): (text: string) => boolean {
  const { ids, alone, together } = sortTerms(terms)
  const known = new Set(ids)
  const forms = [...alone.map((word) => [word]), ...together].map((term) => term.map(formsOf))
  return (text) =>
    text.matchAll(IDS).some(([id]) => known.has(id)) ||
    forms.some((words) => words.every((ways) => ways.some((form) => text.includes(form))))
}
