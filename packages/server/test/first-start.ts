import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, spawnServer, startServer } from './server-process.ts'

/** The key is made by the server, so that it has to be kept. */
const GENERATED = { SALUS_API_KEY: '' }

interface Keys {
  api_key: string
  management_key: string
  organization_id: string
}

/**
 * After so many milliseconds, or when something appears in the data directory whose name begins so.
 */
export type Moment = number | string

/**
 * Ends a first start at some moment; then starts again and asserts that nothing is missing: both
 * keys that are kept open what they should, and something can be sealed and opened.
 * @returns how the first one ended
 */
export async function interruptFirstStart(
  directory: string,
  signal: NodeJS.Signals,
  moment: Moment,
): Promise<{ code: number | string; output: string }> {
  const first = spawnServer(directory, GENERATED)
  if (typeof moment === 'number') await sleep(moment)
  else await appearance(directory, moment)
  first.child.kill(signal)
  const code = await first.ended
  const server = await startServer(directory, GENERATED)
  try {
    await assertUsable(server, directory)
    assert.equal(await server.end('SIGTERM'), 0, server.output())
  } finally {
    await server.end('SIGKILL')
  }
  return { code, output: first.output() }
}

async function appearance(directory: string, beginning: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!readdirSync(directory).some((name) => name.startsWith(beginning))) {
    assert.ok(performance.now() < deadline, `${beginning} does not appear`)
    await sleep(1)
  }
}

async function assertUsable({ baseUrl }: ServerProcess, directory: string): Promise<void> {
  const keys: Keys = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  const users = await fetch(`${baseUrl}/v2/user`, {
    headers: { 'x-service-api-key': keys.api_key },
  })
  assert.equal(users.status, 200)
  const headers = { 'x-management-key': keys.management_key, 'content-type': 'application/json' }
  const organization = `${baseUrl}/v1/org/${keys.organization_id}`
  assert.equal((await fetch(organization, { headers })).status, 200)
  const key = readFileSync(join(directory, 'secret.key'), 'utf8')
  assert.equal(Buffer.from(key, 'base64').length, 32)
}
