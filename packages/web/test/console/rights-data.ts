import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConsoleSite } from './console-site.ts'

const PATIENCE_MS = 60_000

export const environmentOf = ({ teamId }: ConsoleSite): string => `/team/${teamId}/sandbox`

/** Creates a person with a connection, independent of the demo team. */
export async function makePerson(
  site: ConsoleSite,
  clientId = `who-asks-${randomUUID().slice(0, 8)}`,
): Promise<string> {
  const { user_id: userId } = await site.ask('POST', '/v2/user', { client_user_id: clientId })
  await site.ask('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  return userId
}

export async function placeHold(
  site: ConsoleSite,
  userId: string,
  reason = 'Case 2026-17',
): Promise<string> {
  const hold = { user_id: userId, reason }
  return (await site.manage('POST', `${environmentOf(site)}/legal_hold`, hold)).id
}

/** Whoever is held keeps the demo team from being removed. */
export async function releaseHolds(site: ConsoleSite): Promise<void> {
  const address = `${environmentOf(site)}/legal_hold`
  const { data } = await site.manage('GET', `${address}?is_active=true`)
  for (const { id } of data) await site.manage('POST', `${address}/${id}/release`)
}

async function waitFor(isReached: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await isReached()); ) {
    assert.ok(Date.now() < end, what)
    await delay(200)
  }
}

/** An export that is ready. */
export async function makeExport(site: ConsoleSite, userId: string): Promise<void> {
  const { id } = await site.ask('POST', `/v2/user/${userId}/export`, { format: 'json' })
  const isReady = async (): Promise<boolean> =>
    (await site.ask('GET', `/v2/user/${userId}/export/${id}`)).status === 'completed'
  await waitFor(isReady, 'the export is made')
}

/** @returns the id of a requested erasure, which is due in two minutes */
export async function askForErasure(site: ConsoleSite): Promise<string> {
  return (await site.ask('POST', `/v2/user/${await makePerson(site)}/erasure`)).id
}

/** Has the worker begin before the two minutes are over, and waits for the receipt. */
export async function eraseNow(site: ConsoleSite, erasureId: string): Promise<void> {
  await site.harness.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where task_id =
      (select id from graphile_worker._private_tasks where identifier = 'erase_person')`,
  )
  const isErased = async (): Promise<boolean> =>
    (await site.ask('GET', `/v2/erasure/${erasureId}`)).receipt !== null
  await waitFor(isErased, 'the person is erased')
}
