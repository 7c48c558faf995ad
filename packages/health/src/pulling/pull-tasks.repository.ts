import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { notifyPullers, type PullTaskRow } from './pull-tasks.global.repository.ts'

/** Stops the pulls of a connection; its coverage is kept. */
export async function stopPulling(
  { db, environment }: TransactionScope,
  { userId, provider }: { userId: string; provider: string },
): Promise<void> {
  await db
    .updateTable('pull_tasks')
    .set({ due_at: null, lease: null })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .execute()
}

/** Returns all tasks of a connection, locked. */
export function lockTasksOf(
  { db, environment }: TransactionScope,
  userId: string,
  provider: string,
): Promise<PullTaskRow[]> {
  return db
    .selectFrom('pull_tasks')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .orderBy('collection')
    .forUpdate()
    .execute()
}

/**
 * Requests the newest records of a user's connections at once, for those that are pulled at all.
 */
export async function requestNewest(
  { db, environment, clock }: Scope,
  userId: string,
): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('pull_tasks')
    .set(({ eb, ref, case: choose }) => ({
      wanted_at: now,
      due_at: choose().when('lease', 'is', null).then(eb.val(now)).else(ref('due_at')).end(),
    }))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('due_at', 'is not', null)
    .execute()
  await notifyPullers(db)
}

/** Returns providers of a user's live connections without pulls, or without pulls yet. */
export async function listUnpulledProviders(
  { db, environment }: Scope,
  userId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('provider')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'connected')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pull_tasks')
            .whereRef('pull_tasks.environment_id', '=', 'connections.environment_id')
            .whereRef('pull_tasks.user_id', '=', 'connections.user_id')
            .whereRef('pull_tasks.provider', '=', 'connections.provider'),
        ),
      ),
    )
    .orderBy('provider')
    .execute()
  return rows.map(({ provider }) => provider)
}

/** Returns the polls of a user's connections. */
export function listPolls(
  { db, environment }: Scope,
  userId: string,
): Promise<Pick<PullTaskRow, 'provider' | 'due_at' | 'attempted_at' | 'reason'>[]> {
  return db
    .selectFrom('pull_tasks')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.environment_id', '=', 'pull_tasks.environment_id')
        .onRef('connections.user_id', '=', 'pull_tasks.user_id')
        .onRef('connections.provider', '=', 'pull_tasks.provider'),
    )
    .select(['pull_tasks.provider', 'due_at', 'attempted_at', 'reason'])
    .where('pull_tasks.environment_id', '=', environment.id)
    .where('pull_tasks.user_id', '=', userId)
    .where('connections.status', 'in', ['connected', 'error'])
    .execute()
}
