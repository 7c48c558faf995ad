import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newTimedId } from '@salus/kernel/ids'
import { findRunningPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { makeUser } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'

/** Of each kill: one move. */
const MESSAGES = 60
const LEAST_BYTES = 100_000
const PATIENCE_MS = 60_000

async function connectTo({ directory }: KilledServer): Promise<pg.Client> {
  const connectionString = await findRunningPostgres(join(directory, 'postgres'))
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Messages that were applied three hours ago, each of another length. */
async function storeMessages(client: pg.Client, userId: string): Promise<Map<string, number>> {
  const lengths = new Map(
    Array.from({ length: MESSAGES }, (_, index) => [newTimedId(), LEAST_BYTES + index]),
  )
  await client.query(
    `insert into lab_messages (id, gateway, environment_id, content_type, content, state,
      received_at, processed_at)
    select message.id, 'hl7:former', environment_id, 'application/pdf',
      convert_to(left(repeat(md5(message.id::text), 4000), length), 'utf8'), 'processed', at, at
    from users, unnest($1::uuid[], $2::int[]) as message (id, length),
      (select now() - interval '3 hours' as at) as times
    where users.id = $3`,
    [[...lengths.keys()], [...lengths.values()], userId],
  )
  return lengths
}

const countHeld = async (client: pg.Client): Promise<number> =>
  (await client.query('select count(*)::int as held from lab_messages where moved_bytes is null'))
    .rows[0].held

/**
 * Kills the server while it moves contents of messages to ClickHouse. After each start every
 * message has its content.
 */
export async function killDuringContents(
  t: TestContext,
  killed: KilledServer,
  kills: number,
): Promise<void> {
  const keys = JSON.parse(readFileSync(join(killed.directory, 'keys.json'), 'utf8'))
  const expectLengths = async (lengths: ReadonlyMap<string, number>): Promise<void> => {
    const base = `${killed.current().baseUrl}/v1/org/${keys.organization_id}/team/${keys.team_id}/sandbox`
    for (const [id, length] of lengths) {
      const headers = { 'x-management-key': keys.management_key }
      const response = await fetch(`${base}/lab_message/${id}`, { headers })
      assert.equal(((await response.json()) as { size_bytes: number }).size_bytes, length)
    }
  }
  const userId = await makeUser(killed.current().baseUrl, 'person-of-messages')
  let client = await connectTo(killed)
  await client.query("update lab_message_moves set created_at = now() - interval '2 hours'")
  for (let kill = 0; kill < kills; kill += 1) {
    const lengths = await storeMessages(client, userId)
    await client.query("select graphile_worker.add_job('move_lab_messages')")
    // Every other one is killed at some moment of the move, the others when it is complete.
    if (kill % 2 === 0) await sleep(60 + 20 * kill)
    else await untilMoved(client)
    const held = await countHeld(client)
    await killed.killAndStart()
    t.diagnostic(`${held} of ${MESSAGES} contents were not moved at the kill`)
    client = await connectTo(killed)
    await expectLengths(lengths)
    await untilMoved(client)
    await expectLengths(lengths)
  }
  await client.end()
}

/** The next start continues the job of the process that was killed, or runs it again. */
async function untilMoved(client: pg.Client): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(500)) {
    if ((await countHeld(client)) === 0) return
    await client.query("select graphile_worker.add_job('move_lab_messages')")
  }
  assert.fail('The contents were not moved.')
}
