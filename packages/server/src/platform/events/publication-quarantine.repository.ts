import { type Generated, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../postgres/database.ts'

/** What a note of something that is not published yet says of failures to publish it. */
export interface PublicationFailures {
  /** When it failed last; null for one that is not in quarantine. */
  quarantined_at: Date | null
  failures: Generated<number>
  /** Code or class of the last error, without its words: drivers quote rows in them. */
  failure: string | null
}

/** Notes, and the column that names what a note is about. */
export const NOTE_TABLES = {
  unannounced_samples: 'series',
  unannounced_summaries: 'resource',
} as const

export interface NoteKey {
  user_id: string
  provider: string
  id: string
  /** Value of the column of NOTE_TABLES. */
  subject: string
}

/** How long a note in quarantine waits to be tried again; a start tries all of them. */
export const QUARANTINE_RETRY_MS = 3_600_000

/** What may pass by itself: so many failures, and whatever happens while a note is as young as this. */
const MOST_FAILURES = 2
const YOUNG_MS = 30_000

/** What can be told of an error without quoting data. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

/**
 * Counts a failure. After a few of them the note is set aside, so that it holds up nothing until it is
 * tried again.
 * @returns whether it is in quarantine now
 */
export async function countFailure(
  db: Db,
  environmentId: string,
  table: keyof typeof NOTE_TABLES,
  { user_id, provider, id, subject }: NoteKey,
  failure: string,
  at: Date,
): Promise<boolean> {
  const old = new Date(at.getTime() - YOUNG_MS)
  const { rows } = await sql<{ is_quarantined: boolean }>`
    update ${sql.table(table)}
    set failures = failures + 1, failure = ${failure},
      quarantined_at = case
        when failures >= ${MOST_FAILURES} and created_at <= ${old} then ${at}::timestamptz end
    where environment_id = ${environmentId} and user_id = ${user_id} and provider = ${provider}
      and id = ${id} and ${sql.ref(NOTE_TABLES[table])} = ${subject}
    returning quarantined_at is not null as is_quarantined`.execute(db)
  return rows[0]?.is_quarantined ?? false
}

/** Tells the operator how many notes are in quarantine, counted when the metrics are read. */
export function registerQuarantineMetric(registry: Registry, db: Db): void {
  const gauge = new Gauge({
    name: 'salus_quarantined_publications',
    help: 'What is stored and could not be published as events; tried again every hour.',
    labelNames: ['table'] as const,
    registers: [registry],
    async collect() {
      for (const table of Object.keys(NOTE_TABLES)) {
        // Without the database the other metrics are still told, and this one not at all.
        const quarantined = sql<{ count: string }>`
          select count(*) as count from ${sql.table(table)} where quarantined_at is not null`
        const answer = await quarantined.execute(db).catch(() => undefined)
        if (answer === undefined) gauge.remove({ table })
        else gauge.set({ table }, Number(answer.rows[0]?.count ?? 0))
      }
    },
  })
}
