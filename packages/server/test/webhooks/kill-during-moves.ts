import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { leastEventId } from '@salus/kernel/events/event-id'
import { findRunningPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { makeUser } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'

/** Of each kill: one move. */
const EVENTS = 2_000
const PATIENCE_MS = 60_000

async function connectTo({ directory }: KilledServer): Promise<pg.Client> {
  const connectionString = await findRunningPostgres(join(directory, 'postgres'))
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Calls the management interface of the first sandbox. */
function callerOf({ directory, current }: KilledServer) {
  const keys = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  const base = `/v1/org/${keys.organization_id}/team/${keys.team_id}/sandbox`
  return async (path: string, body?: object) => {
    const response = await fetch(`${current().baseUrl}${base}${path}`, {
      headers: { 'x-management-key': keys.management_key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    assert.equal(response.status, 200, await response.clone().text())
    // biome-ignore lint/suspicious/noExplicitAny: the answers are of every shape
    return (await response.json()) as any
  }
}

/** Events of three hours ago or later, each delivered by one attempt; the newest first. */
async function writeOldEvents(
  client: pg.Client,
  { endpointId, userId, minute }: { endpointId: string; userId: string; minute: number },
): Promise<string[]> {
  const at = Date.now() - 3 * HOUR_MS + minute * MINUTE_MS
  const prefix = leastEventId(at).slice(0, -8)
  await client.query(
    `with written as (
      insert into events (environment_id, id, event_type, user_id, body, body_bytes, created_at)
      select environment_id, $1 || lpad(number::text, 8, '0'), 'daily.data.steps.created', id,
        '{"data": {}}', 12, $2
      from users, generate_series(1, ${EVENTS}) as number where id = $3
      returning environment_id, id, sequence
    ), delivered as (
      insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, status,
        attempts, updated_at)
      select environment_id, id, $4, sequence, 'delivered', 1, $2 from written
    )
    insert into webhook_attempts select environment_id, id, $4, 1, $2, 204, null, 5, ''
    from written`,
    [prefix, new Date(at), userId, endpointId],
  )
  return Array.from(
    { length: EVENTS },
    (_, index) => prefix + String(EVENTS - index).padStart(8, '0'),
  )
}

async function countHeld(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::int as held from events where body = \'{"data": {}}\'',
  )
  return rows[0].held
}

/** Ids of a list, page by page. */
async function readIds(
  call: ReturnType<typeof callerOf>,
  path: string,
  idOf: (row: Record<string, string>) => string | undefined,
): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor && `&next_cursor=${encodeURIComponent(cursor)}`
    const page: { data: Record<string, string>[]; next_cursor: string | null } = await call(
      `${path}limit=250${next}`,
    )
    ids.push(...page.data.map(idOf))
    cursor = page.next_cursor
  }
  return ids
}

/** Kills the server while it moves events. After each start every list has each of them once. */
export async function killDuringMoves(
  t: TestContext,
  killed: KilledServer,
  kills: number,
): Promise<void> {
  const call = callerOf(killed)
  const userId = await makeUser(killed.current().baseUrl, 'person-of-old-events')
  const { id: endpointId } = await call('/webhook', {
    url: 'https://hooks.example.com',
    // None is raised: that of the connection may be dispatched after this.
    filter_types: ['labtest.appointment.created'],
  })
  let client = await connectTo(killed)
  await client.query(`insert into event_history_state (created_at, all_events_since)
    values (now() - interval '2 hours', now() - interval '2 hours') on conflict (singleton) do update
    set created_at = excluded.created_at, all_events_since = excluded.all_events_since`)
  let written: string[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const more = await writeOldEvents(client, { endpointId, userId, minute: kill })
    written = [...more, ...written]
    await client.query("select graphile_worker.add_job('move_old_events')")
    // Every other one is killed at some moment of the move, the others when it is complete.
    if (kill % 2 === 0) await sleep(100 + 30 * kill)
    else await untilMoved(client)
    const held = await countHeld(client)
    await killed.killAndStart()
    t.diagnostic(`${held} of ${EVENTS} events were not moved at the kill`)
    client = await connectTo(killed)
    await expectAll(call, endpointId, written)
    await untilMoved(client)
    await expectAll(call, endpointId, written)
  }
  const { data } = await call('/webhook_status?hours=24')
  const { succeeded } = data.find((row: { webhook_id: string }) => row.webhook_id === endpointId)
  assert.equal(succeeded, written.length)
  await client.end()
}

/** The next start continues the job of the process that was killed, or runs it again. */
async function untilMoved(client: pg.Client): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(1_000)) {
    if ((await countHeld(client)) === 0) return
    await client.query("select graphile_worker.add_job('move_old_events')")
  }
  assert.fail('The events were not moved.')
}

async function expectAll(
  call: ReturnType<typeof callerOf>,
  endpointId: string,
  written: readonly string[],
): Promise<void> {
  const type = 'event_type=daily.data.steps.created'
  assert.deepEqual(await readIds(call, `/event?${type}&`, ({ id }) => id), written)
  const attempts = await readIds(call, `/webhook/${endpointId}/attempt?`, (row) => row.event_id)
  assert.deepEqual(attempts, written)
}
