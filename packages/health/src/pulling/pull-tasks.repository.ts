import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { notifyPullers, type PullTaskRow } from './pull-tasks.global.repository.ts'

/** Nothing is asked any more for a connection; what is held of it stays known. */
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

/** All tasks of a connection, locked. */
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
 * Has the newest records of a person's connections asked for at once, of those that are asked at
 * all.
 */
export async function wantNewest({ db, environment, clock }: Scope, userId: string): Promise<void> {
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

/** Providers of a person's live connections of which nothing is asked, or not yet. */
export async function listUnaskedProviders(
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

/** What is known of the polls of a person's connections. */
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
