import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { EventRemoval } from '@salus/kernel/events/events'
import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import {
  eraseHiddenEvents,
  eraseMovedEvents,
  removeMovedAbout,
} from '../history/history-removal.global.repository.ts'
import { holdMoves, lockMoves } from '../history/history-state.global.repository.ts'

/** Number of bodies that are in memory at a time. */
const READ_AT_ONCE = 200

export const createEventRemoval = (clickhouse: ClickHouse): EventRemoval => ({
  async deleteAbout(tx, about) {
    if (about.ids.length === 0) return
    const { db, environment } = tx
    // No event is on its way from one store to the other.
    await lockMoves(db)
    const { rows } = await sql<{ id: string }>`select id from events
      where environment_id = ${environment.id} and subject_ids && ${[...about.ids]}::uuid[]`.execute(
      db,
    )
    await deleteEvents(
      tx,
      rows.map(({ id }) => id),
    )
    await deleteWithoutSubjects(tx, about)
    const { ids, isErasure = false } = about
    await removeMovedAbout(clickhouse, { environmentId: environment.id, ids, isErasure })
  },

  async deleteOfPerson(tx, userId) {
    await holdMoves(tx.db)
    const { rows } = await sql<{ id: string }>`select id from events
      where environment_id = ${tx.environment.id} and user_id = ${userId}`.execute(tx.db)
    await deleteEvents(
      tx,
      rows.map(({ id }) => id),
    )
    // Some may have been moved since the erasure began.
    await eraseMovedEvents(clickhouse, [{ environmentId: tx.environment.id, userId }])
  },

  deleteMovedOfPeople: (people) => eraseMovedEvents(clickhouse, people),

  eraseHidden: () => eraseHiddenEvents(clickhouse),
})

/**
 * Deletes events of laboratories that were written before events had subjects: those about these
 * users, or about none, whose body names one of the ids. When they have expired there is nothing to
 * read.
 */
async function deleteWithoutSubjects(
  tx: RowScope,
  { userIds, ids }: Parameters<EventRemoval['deleteAbout']>[1],
): Promise<void> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; body: Buffer }>`select id, body from events
      where environment_id = ${tx.environment.id} and id > ${after}
        and subject_ids is null and event_type like 'lab%'
        and (user_id = any(${[...userIds]}::uuid[]) or user_id is null)
      order by id limit ${READ_AT_ONCE}`.execute(tx.db)
    const about = rows.filter(({ body }) => {
      const text = unpackBody(body).toString('utf8')
      return ids.some((id) => text.includes(id))
    })
    await deleteEvents(
      tx,
      about.map(({ id }) => id),
    )
    if (rows.length < READ_AT_ONCE) return
    after = rows.at(-1)?.id ?? ''
  }
}

async function deleteEvents({ db, environment }: RowScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // A sender that records an attempt has locked the delivery: attempts are deleted after
  // deliveries, so that the one that this waited for goes too.
  for (const table of ['webhook_deliveries', 'webhook_attempts', 'waiting_events']) {
    await sql`delete from ${sql.table(table)} where environment_id = ${environment.id}
      and event_id = any(${ids}::text[])`.execute(db)
  }
  await sql`delete from events where environment_id = ${environment.id}
    and id = any(${ids}::text[])`.execute(db)
}
