import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { request, type ServerProcess } from './server-process.ts'

/** A person connected to a provider that takes uploads. */
export async function makeUser(baseUrl: string, name: string): Promise<string> {
  const made = await request(baseUrl, 'POST', '/v2/user', { client_user_id: name })
  const { user_id } = made.body as { user_id: string }
  await request(baseUrl, 'POST', '/v2/link/provider/manual/manual', { user_id })
  return user_id
}

const EPOCH = Date.parse('2026-01-01T00:00:00Z')

/** Samples of one request: one a second, identified by number. */
export const samples = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: first + index,
    unit: 'count',
    start_date: new Date(EPOCH + (first + index) * 1000).toISOString(),
    source_bundle: "it's",
  }))

const upload = (baseUrl: string, userId: string, data: object[]) =>
  request(baseUrl, 'POST', `/v2/timeseries/${userId}/steps`, {
    stage: 'daily',
    provider: 'manual',
    data,
  })

/** The samples of a person by value, with their start; each may come once. */
export async function readAll(baseUrl: string, userId: string): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (let cursor = ''; ; ) {
    const path = `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01&end_date=2026-12-31`
    const page = await request(baseUrl, 'GET', path + cursor)
    assert.equal(page.status, 200)
    const { groups, next_cursor: next } = page.body as {
      groups: { manual?: { data: { value: number; start: string }[] }[] }
      next_cursor: string | null
    }
    for (const { data } of groups.manual ?? []) {
      for (const { value, start } of data) {
        assert.ok(!found.has(value), `sample ${value} came twice`)
        found.set(value, start)
      }
    }
    if (next === null) return found
    cursor = `&next_cursor=${next}`
  }
}

const SAMPLES_OF_A_REQUEST = 50

/** Uploads one request after the other until the server is gone; notes what was acknowledged. */
async function uploadUntilKilled(
  baseUrl: string,
  userId: string,
  nextNumber: () => number,
  acknowledged: Set<number>,
): Promise<void> {
  for (;;) {
    const first = nextNumber()
    try {
      const { status } = await upload(baseUrl, userId, samples(first, SAMPLES_OF_A_REQUEST))
      if (status === 200) acknowledged.add(first)
    } catch {
      return
    }
  }
}

/**
 * Kills the server again and again while four clients upload, and asserts that nothing is lost that
 * was acknowledged, and that what was not is there as a whole or not at all.
 * @param start Starts the server on the same data.
 * @returns requests acknowledged, and samples found
 */
export async function killDuringUploads(
  start: () => Promise<ServerProcess>,
  kills: number,
): Promise<{ acknowledged: number; found: number }> {
  const acknowledged = new Set<number>()
  let number = 0
  const nextNumber = (): number => {
    number += SAMPLES_OF_A_REQUEST
    return number - SAMPLES_OF_A_REQUEST
  }
  let userId = ''
  for (let kill = 0; kill < kills; kill++) {
    const server = await start()
    if (userId === '') userId = await makeUser(server.baseUrl, 'killed')
    const before = acknowledged.size
    const uploads = Array.from({ length: 4 }, () =>
      uploadUntilKilled(server.baseUrl, userId, nextNumber, acknowledged),
    )
    // Another moment each time: from the very first requests on, and from the first that is stored.
    while (kill % 2 === 1 && acknowledged.size === before) await sleep(1)
    await sleep(kill * 20)
    assert.equal(await server.end('SIGKILL'), 'SIGKILL')
    await Promise.all(uploads)
  }
  const server = await start()
  const found = await readAll(server.baseUrl, userId)
  assert.ok(acknowledged.size >= Math.floor(kills / 2))
  for (const first of acknowledged) {
    for (const { value } of samples(first, SAMPLES_OF_A_REQUEST)) {
      assert.ok(found.has(value), `acknowledged sample ${value} is lost`)
    }
  }
  // What was not acknowledged may be there, but only whole.
  for (const [value, at] of found) {
    const expected = new Date(EPOCH + value * 1000).toISOString().slice(0, 19)
    assert.equal(at, `${expected}+00:00`)
    assert.ok(value < number)
  }
  assert.equal(await server.end('SIGTERM'), 0)
  return { acknowledged: acknowledged.size, found: found.size }
}
