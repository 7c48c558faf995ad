import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '@salus/contracts/time-units'
import { type CommandResult, type CommandServer, startSalus } from './salus-command.ts'

/** However slow the machine is. */
const PATIENCE_MS = 60_000

/** A person whose uploads raise events, and the commands that print them. */
export interface EventSource {
  userId: string
  /**
   * How many samples were uploaded: each raised one event, as the connection of the person did
   * before.
   */
  uploads(): number
  uploadSample(): Promise<void>
  post(path: string, body: object): Promise<void>
  salus(...args: string[]): Promise<CommandResult>
  /** Listens until the test ends it. */
  listen(t: TestContext, ...args: string[]): Promise<Listening>
}

export interface Listening {
  output: { readonly stdout: string; readonly stderr: string }
  /** What it printed so far. */
  lines(): string[]
  end(): Promise<CommandResult>
}

export async function createEventSource(server: CommandServer): Promise<EventSource> {
  const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory }
  const salus: EventSource['salus'] = (...args) => startSalus(args, environment).result
  const post = (path: string, body: object) => postJson(server, path, body)
  const userId = (await salus('users', 'create', 'source-of-events')).stdout.trim()
  await post('/v2/link/provider/manual/health_connect', { user_id: userId })
  let uploads = 0
  return {
    userId,
    uploads: () => uploads,
    salus,
    post,
    async uploadSample() {
      const at = new Date(Date.now() - DAY_MS + uploads++ * 1000).toISOString()
      const sample = { value: 61, unit: 'bpm', start_date: at, end_date: at, type: 'watch' }
      const body = { stage: 'daily', provider: 'health_connect', data: [sample] }
      await post(`/v2/timeseries/${userId}/heartrate`, body)
    },
    async listen(t, ...args) {
      const running = startSalus(['webhooks', 'listen', ...args], environment)
      t.after(() => running.child.kill('SIGKILL'))
      await until(() => running.output.stderr.includes('Listening to'))
      return {
        output: running.output,
        lines: () => running.output.stdout.split('\n').slice(0, -1),
        end() {
          running.child.kill('SIGINT')
          return running.result
        },
      }
    },
  }
}

async function postJson({ url, keys }: CommandServer, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-api-key': keys.api_key,
      'x-management-key': keys.management_key,
    },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.text())
}

/** Looks until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it takes too long')
    await sleep(20)
  }
}
