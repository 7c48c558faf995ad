import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'
import { API_KEY } from '../server-process.ts'
import { NDJSON, toLines } from './bulk-client.ts'

/** More than two lots, so that at least one is stored before the end. */
const SAMPLES = 80_000

function send(baseUrl: string, body: RequestInit['body']): Promise<Response> {
  return fetch(`${baseUrl}/v2/timeseries/bulk`, {
    method: 'POST',
    headers: { 'x-service-api-key': API_KEY, 'content-type': NDJSON },
    body,
    duplex: 'half',
  } as RequestInit)
}

/**
 * Kills the server when it has stored a part of a body that has not ended, and asserts that the
 * same body afterwards stores the rest: each sample is there once.
 */
export async function killDuringBulkUpload(killed: KilledServer): Promise<void> {
  const { baseUrl } = killed.current()
  const userId = await makeUser(baseUrl, 'bulk-killed')
  const lines = samples(0, SAMPLES).map((item) => ({ user_id: userId, resource: 'steps', ...item }))
  const body = Buffer.from(toLines(lines))
  const open = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(body.subarray(0, -1)),
  })
  const sent = send(baseUrl, open).then(
    () => 'answered',
    () => 'broken',
  )
  for (let tries = 0; tries < 200; tries++) {
    if ((await readAll(baseUrl, userId)).size > 0) break
    await sleep(50)
  }
  const { baseUrl: next } = await killed.killAndStart()
  assert.equal(await sent, 'broken')
  const before = (await readAll(next, userId)).size
  assert.ok(before > 0 && before < SAMPLES, `${before} samples were stored before the kill`)
  const answer = await send(next, body)
  const result = (await answer.json()) as { inserted: number; unchanged: number }
  assert.deepEqual([result.inserted, result.unchanged], [SAMPLES - before, before])
  assert.equal((await readAll(next, userId)).size, SAMPLES)
}
