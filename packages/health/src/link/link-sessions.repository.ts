import type { RowScope } from '@salus/kernel/scope'
import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import { LINK_TRANSITIONS, MOST_MFA_TRIES, type StoredLinkState } from './link.machine.ts'

interface LinkSessionsTable {
  id: string
  environment_id: string
  user_id: string
  state: StoredLinkState
  fixed_provider: string | null
  started_provider: string | null
  redirect_url: string | null
  filter_on_providers: ColumnType<string[] | null, string | null, never>
  on_error: 'redirect' | null
  on_close: 'redirect' | null
  sealed: Buffer | null
  mfa_tries: Generated<number>
  created_at: Date
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    link_sessions: LinkSessionsTable
  }
}

export type LinkSessionRow = Selectable<LinkSessionsTable>

/** Inserts an unused session: its state is `issued`. One that exists stays as it is. */
export async function insertLinkSession(
  { db, environment }: RowScope,
  session: Omit<
    LinkSessionRow,
    'environment_id' | 'state' | 'sealed' | 'mfa_tries' | 'started_provider'
  >,
): Promise<void> {
  const { filter_on_providers: filter, ...values } = session
  await db
    .insertInto('link_sessions')
    .values({
      ...values,
      environment_id: environment.id,
      state: 'issued',
      filter_on_providers: filter && JSON.stringify(filter),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Moves a session to its next state, unless a concurrent sign-in with the same token was first.
 * @returns whether it was moved
 */
export async function transitionLinkSession(
  { db, environment }: RowScope,
  id: string,
  transition: keyof typeof LINK_TRANSITIONS,
  changes: { started_provider?: string; sealed: Buffer | null; mfa_tries?: number },
): Promise<boolean> {
  const { from, to } = LINK_TRANSITIONS[transition]
  const moved = await db
    .updateTable('link_sessions')
    .set({ ...changes, state: to })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/**
 * Counts a try at a code before the vendor is called, so that concurrent requests cannot exceed the
 * limit.
 * @returns the number of tries so far; undefined when none is left
 */
export async function consumeMfaTry(
  { db, environment }: RowScope,
  id: string,
): Promise<number | undefined> {
  const row = await db
    .updateTable('link_sessions')
    .set({ mfa_tries: sql`mfa_tries + 1` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('state', '=', 'pending_provider_mfa')
    .where('mfa_tries', '<', MOST_MFA_TRIES)
    .returning('mfa_tries')
    .executeTakeFirst()
  return row?.mfa_tries
}

/** Returns a try that the vendor did not evaluate. */
export async function restoreMfaTry({ db, environment }: RowScope, id: string): Promise<void> {
  await db
    .updateTable('link_sessions')
    .set({ mfa_tries: sql`greatest(mfa_tries - 1, 0)` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('state', '=', 'pending_provider_mfa')
    .execute()
}
