import type { Db } from '@salus/kernel/postgres/database'

/** Returns what waits at each connection of all environments, and what was refused. */
export function summarizeAllOutgoing(db: Db) {
  return db
    .selectFrom('lab_outgoing_messages')
    .select((select) => [
      'connection_id',
      select.fn.countAll<number>().filterWhere('state', '=', 'waiting').as('waiting'),
      select.fn.countAll<number>().filterWhere('state', '=', 'refused').as('refused'),
      select.fn.min('created_at').filterWhere('state', '=', 'waiting').as('oldest_waiting_at'),
    ])
    .where('state', 'in', ['waiting', 'refused'])
    .groupBy('connection_id')
    .execute()
}
