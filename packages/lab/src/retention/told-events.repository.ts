import { unpackBody } from '@salus/kernel/events/event-body'
import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/** Bodies that are in memory at a time. */
const READ_AT_ONCE = 200

/**
 * Removes what the team was told of something, with its deliveries and attempts: events of laboratories and of
 * reports, of these people or of nobody, whose message names one of the ids.
 */
export async function deleteEventsAbout(
  { db, environment }: RowScope,
  { userIds, ids }: { userIds: readonly string[]; ids: readonly string[] },
): Promise<void> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; body: Buffer }>`select id, body from events
      where environment_id = ${environment.id} and id > ${after} and event_type ~ '^lab(test|_report)\\.'
        and (user_id = any(${userIds}::uuid[]) or user_id is null)
      order by id limit ${READ_AT_ONCE}`.execute(db)
    const about = rows.filter(({ body }) => {
      const text = unpackBody(body).toString('utf8')
      return ids.some((id) => text.includes(id))
    })
    await deleteEvents(
      { db, environment },
      about.map(({ id }) => id),
    )
    if (rows.length < READ_AT_ONCE) return
    after = rows.at(-1)?.id ?? ''
  }
}

async function deleteEvents({ db, environment }: RowScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'waiting_events']) {
    await sql`delete from ${sql.table(table)} where environment_id = ${environment.id}
      and event_id = any(${ids}::text[])`.execute(db)
  }
  await sql`delete from events where environment_id = ${environment.id}
    and id = any(${ids}::text[])`.execute(db)
}
