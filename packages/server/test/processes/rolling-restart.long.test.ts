import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ENVIRONMENT } from '../../../cli/src/testing/salus-command.ts'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { request, type ServerProcess } from '../server-process.ts'
import { createFleet, type Fleet } from './fleet.ts'

const BACKUP = fileURLToPath(new URL('../../bin/backup.mjs', import.meta.url))
const CLIENTS = 6
const ROWS = 20
const CHECK_MS = 250

const target = mkdtempSync(join(tmpdir(), 'salus-backups-'))
let fleet: Fleet
let api: ServerProcess[]

before(async () => {
  fleet = await createFleet()
  api = [await startApi(), await startApi()]
})
after(async () => {
  await fleet?.close()
  rmSync(target, { recursive: true, force: true })
})

const startApi = (): Promise<ServerProcess> =>
  fleet.start('api,worker', { SALUS_DRAIN_SECONDS: '2' })

/**
 * Sends requests in turns to processes that were ready at the last check, as a load balancer does.
 * It tries another one only where the connection was refused, because then nothing was sent.
 */
function startBalancer() {
  let ready: ServerProcess[] = [...api]
  let turn = 0
  let isEnding = false
  const checking = (async () => {
    for (; !isEnding; await sleep(CHECK_MS)) {
      const states = await Promise.all(
        api.map(async (server) => {
          const { ok } = await fetch(`${server.baseUrl}/health/ready`).catch(() => ({ ok: false }))
          return ok ? [server] : []
        }),
      )
      const found = states.flat()
      if (found.length > 0) ready = found
    }
  })()
  return {
    async send(method: string, path: string, body?: object): Promise<string> {
      let problem = 'nothing is ready'
      for (let attempt = 0; attempt < 4; attempt += 1) {
        turn += 1
        const server = ready[turn % ready.length] as ServerProcess
        try {
          const { status, body: answer } = await request(server.baseUrl, method, path, body)
          return status === 200 ? 'ok' : `${status} ${JSON.stringify(answer)}`
        } catch (error) {
          const { code } = ((error as Error).cause ?? {}) as { code?: string }
          problem = `${method} ${code}`
          if (code !== 'ECONNREFUSED') return problem
        }
      }
      return problem
    },
    async end() {
      isEnding = true
      await checking
    },
  }
}

/** Takes one backup after the other until its end, and returns their number. */
function startBackups() {
  let isEnding = false
  const work = (async () => {
    let count = 0
    for (; !isEnding; count += 1) {
      const child = spawn(process.execPath, [BACKUP, target, 'take', target, '2'], {
        env: { ...ENVIRONMENT, ...fleet.settings },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code] = await once(child, 'close')
      assert.equal(code, 0)
    }
    return count
  })()
  return {
    end() {
      isEnding = true
      return work
    },
  }
}

test('processes are replaced one after the other beside backups without a refused request', async () => {
  const users: string[] = []
  for (let index = 0; index < CLIENTS; index += 1) {
    users.push(await makeUser(api[0]?.baseUrl ?? '', `person-${index}`))
  }
  const balancer = startBalancer()
  const backups = startBackups()
  const answers = new Map<string, number>()
  const acknowledged = users.map(() => new Set<number>())
  let isEnding = false
  const clients = users.map(async (userId, index) => {
    const record = (answer: string): string => {
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      return answer
    }
    for (let first = 0; !isEnding; first += ROWS) {
      const body = { stage: 'daily', provider: 'manual', data: samples(first, ROWS) }
      const path = `/v2/timeseries/${userId}/steps`
      if (record(await balancer.send('POST', path, body)) === 'ok') acknowledged[index]?.add(first)
      record(await balancer.send('GET', `${path}/grouped?start_date=2026-01-01`))
      await sleep(50)
    }
  })
  for (const index of [0, 1]) {
    const former = api[index] as ServerProcess
    const next = await startApi()
    api = [...api, next]
    await sleep(2 * CHECK_MS)
    assert.equal(await former.end('SIGTERM'), 0)
    api = api.filter((server) => server !== former).toSorted((a) => (a === next ? 1 : -1))
  }
  isEnding = true
  await Promise.all(clients)
  await balancer.end()
  assert.ok((await backups.end()) > 0)
  assert.deepEqual([...answers.keys()], ['ok'], JSON.stringify([...answers]))
  assert.ok((answers.get('ok') ?? 0) > 100)
  for (const [index, userId] of users.entries()) {
    const found = await readAll(api[0]?.baseUrl ?? '', userId)
    for (const first of acknowledged[index] ?? []) assert.ok(found.has(first))
  }
})
