import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ENVIRONMENT } from '../../cli/src/testing/salus-command.ts'
import { readAll, samples } from './kill-during-uploads.ts'
import { request, type ServerProcess } from './server-process.ts'

const SHARDS = fileURLToPath(new URL('../bin/shards.mjs', import.meta.url))

/** The program behind `salus shards`: a signal that kills the command would leave it running. */
export function startShards(settings: Record<string, string>, ...values: string[]) {
  const child = spawn(process.execPath, [SHARDS, tmpdir(), ...values], {
    env: { ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended }
}

const ROWS = 20
const BETWEEN_MS = 700

/** Uploads and reads of people; each upload has samples of its own. */
export interface ShardLoad {
  users: readonly string[]
  /** Returns the status; 0 when the process did not answer. */
  upload(server: ServerProcess, userId: string): Promise<number>
  acknowledgedRows(): Map<string, number>
  sentRows(userId: string): number
  /** Asserts that all that was acknowledged was read, and nothing that was never sent. */
  assertRead(userId: string, found: ReadonlyMap<number, string>): void
  /** Uploads and reads until its end, through the processes in turns. */
  start(
    processes: () => readonly ServerProcess[],
    options?: { without?: string },
  ): { end(): Promise<{ statuses: number[] }> }
  /** Ends all that was started, as after a failed test. */
  end(): Promise<void>
}

export function createShardLoad(users: readonly string[]): ShardLoad {
  const sent = new Map<string, number>(users.map((userId) => [userId, 0]))
  const acknowledged = new Map<string, Set<number>>(users.map((userId) => [userId, new Set()]))

  async function upload(server: ServerProcess, userId: string): Promise<number> {
    const first = sent.get(userId) ?? 0
    sent.set(userId, first + ROWS)
    const body = { stage: 'daily', provider: 'manual', data: samples(first, ROWS) }
    const path = `/v2/timeseries/${userId}/steps`
    const { status } = await request(server.baseUrl, 'POST', path, body).catch(() => ({
      status: 0,
    }))
    if (status === 200) acknowledged.get(userId)?.add(first)
    return status
  }

  function assertRead(userId: string, found: ReadonlyMap<number, string>): void {
    const missing = [...(acknowledged.get(userId) ?? [])].filter((first) =>
      samples(first, ROWS).some(({ value }) => !found.has(value)),
    )
    assert.deepEqual(missing, [], 'what was acknowledged is read')
    assert.ok(found.size <= (sent.get(userId) ?? 0))
  }

  const started: (() => Promise<unknown>)[] = []
  return {
    users,
    upload,
    async end() {
      await Promise.allSettled(started.map((end) => end()))
    },
    acknowledgedRows: () =>
      new Map([...acknowledged].map(([userId, uploads]) => [userId, uploads.size * ROWS])),
    sentRows: (userId) => sent.get(userId) ?? 0,
    assertRead,
    start(processes, { without } = {}) {
      let isEnding = false
      const statuses = new Set<number>()
      const work = users.map(async (userId, index) => {
        if (userId === without) return
        for (let turn = index; !isEnding; turn += 1) {
          const list = processes()
          const [writer, reader] = [turn, turn + 1].map((at) => list[at % list.length])
          statuses.add(await upload(writer as ServerProcess, userId))
          // What one process has stored, the other one reads; unless a store is away.
          const baseUrl = (reader as ServerProcess).baseUrl
          const read = await readAll(baseUrl, userId).catch((error: Error) => {
            if (error.message.includes('came twice')) throw error
            statuses.add(0)
          })
          if (read !== undefined) assertRead(userId, read)
          await sleep(BETWEEN_MS)
        }
      })
      const end = async () => {
        isEnding = true
        await Promise.all(work)
        return { statuses: [...statuses] }
      }
      started.push(end)
      return { end }
    },
  }
}
