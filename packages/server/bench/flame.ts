import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from './client.ts'
import { type CpuProfile, drawFlames, type Frame, readProfile } from './flame-svg.ts'
import { orderBody } from './growth/template.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { settle } from './peers/measure-peer.ts'
import {
  freePort,
  newDirectory,
  removeDirectory,
  type ServerProcess,
  startServer,
} from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

/**
 * Flame graphs of a read of a day, an upload and an order: processor time of a request, of the main
 * thread by function, of all other threads and of PostgreSQL. `npm run bench -- flame` draws this
 * checkout, with `--against=FOLDER` another one as "before", on the same scale.
 */

const FOLDER = fileURLToPath(new URL('../../../docs/performance/', import.meta.url))
const CLIENTS = 8
const SAMPLES = 1000
const INTERVAL_MICROSECONDS = 250

type Work = () => Promise<unknown>

interface Job {
  name: string
  title: string
  requests: number
  prepare(client: ReturnType<typeof createClient>): Promise<Work>
}

const JOBS: readonly Job[] = [
  {
    ...{ name: 'day-read', title: 'read of a day of 1,440 samples', requests: 2400 },
    async prepare(client) {
      const userId = await client.makeUser()
      for (let day = 0; day < 4; day++) {
        const body = uploadBody(makeHeartRate(day, day * 1440, 1440))
        await client.call('POST', `/v2/timeseries/${userId}/heartrate`, body)
      }
      let next = 0
      return () => {
        const date = `2025-01-0${(next++ % 4) + 1}`
        const range = `start_date=${date}&end_date=${date}`
        return client.call('GET', `/v2/timeseries/${userId}/heartrate/grouped?${range}`)
      }
    },
  },
  {
    ...{ name: 'upload', title: 'upload of 1,000 samples', requests: 960 },
    async prepare(client) {
      const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
      let next = 0
      return () => {
        const [user, round] = [next % CLIENTS, Math.floor(next++ / CLIENTS)]
        const body = uploadBody(makeHeartRate(user, round * SAMPLES, SAMPLES))
        return client.call('POST', `/v2/timeseries/${users[user]}/heartrate`, body)
      }
    },
  },
  {
    ...{ name: 'order', title: 'placing of an order', requests: 480 },
    async prepare(client) {
      const body = (await orderBody(client))(await client.makeUser())
      return () => client.call('POST', '/v3/order', body)
    },
  },
]

/** @param against folder of another checkout, drawn as what was before */
export async function benchFlames(against?: string): Promise<void> {
  const after = await profileAll()
  const before = against === undefined ? undefined : await profileAll(against)
  for (const { name, title } of JOBS) {
    const path = (side: string): string => join(FOLDER, `${name}-${side}.svg`)
    const [old, now] = [before?.get(name), after.get(name)]
    if (now === undefined) continue
    const full = Math.max(now.milliseconds, old?.milliseconds ?? drawnMilliseconds(path('before')))
    const draw = (side: string, frame: Frame): void => {
      const text = `${title}, ${side}: ${frame.milliseconds.toFixed(1)} ms of a processor each`
      writeFileSync(path(side), drawFlames(text, frame, full))
      console.log(text)
    }
    if (old) draw('before', old)
    draw('after', now)
  }
}

/** What an earlier drawing shows, 0 without one. */
function drawnMilliseconds(path: string): number {
  try {
    return Number(/data-milliseconds="([\d.]+)"/.exec(readFileSync(path, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

async function profileAll(checkout?: string): Promise<Map<string, Frame>> {
  const directory = newDirectory()
  const port = await freePort()
  const settings = { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` }
  const server = await startServer(join(directory, 'salus'), settings, checkout)
  const client = createClient(server, CLIENTS)
  const inspector = await openInspector(port)
  try {
    await settle(server.processIds())
    const frames = new Map<string, Frame>()
    for (const job of JOBS) {
      const work = await job.prepare(client)
      await repeat(job.requests / 2, work)
      frames.set(job.name, await profile(server, inspector, job.requests, work))
    }
    return frames
  } finally {
    inspector.close()
    await client.close()
    await server.stop()
    removeDirectory(directory)
  }
}

async function repeat(requests: number, work: Work): Promise<void> {
  const each = Array.from({ length: CLIENTS }, async () => {
    for (let count = 0; count < requests / CLIENTS; count++) await work()
  })
  await Promise.all(each)
}

async function profile(
  server: ServerProcess,
  { send }: Inspector,
  requests: number,
  work: Work,
): Promise<Frame> {
  const read = () => {
    const [main = 0, ...children] = server.processIds()
    return {
      thread: processorSeconds([main], `task/${main}/`),
      process: processorSeconds([main]),
      postgres: processorSeconds(children),
    }
  }
  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS })
  await send('Profiler.start')
  const [before, startedAt] = [read(), performance.now()]
  await repeat(requests, work)
  // Jobs and merges follow a request.
  await settle(server.processIds())
  const after = read()
  const { profile: seen } = await send<{ profile: CpuProfile }>('Profiler.stop')
  // What the server does in the same time anyway.
  const idle = read()
  await delay(performance.now() - startedAt)
  const still = read()
  const each = (part: keyof typeof after): number =>
    Math.max(0, (after[part] - before[part] - (still[part] - idle[part])) / requests) * 1000
  const frame = (name: string, milliseconds: number, children: Frame[] = []): Frame => ({
    ...{ name, milliseconds, children },
  })
  const parts = [
    frame('server, main thread', each('thread'), readProfile(seen, each('thread'))),
    frame('server, other threads: ClickHouse, compression, V8', each('process') - each('thread')),
    frame('PostgreSQL', each('postgres')),
  ]
  return frame(
    'a request',
    parts.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    parts,
  )
}

interface Inspector {
  send<Answer = unknown>(method: string, params?: object): Promise<Answer>
  close(): void
}

/** The inspector of a Node.js process that was started with `--inspect`. */
async function openInspector(port: number): Promise<Inspector> {
  const list = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  const waiting = new Map<number, (answer: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let last = 0
  return {
    send: <Answer>(method: string, params = {}) => {
      last += 1
      const id = last
      return new Promise<Answer>((resolve) => {
        waiting.set(id, (answer) => resolve(answer as Answer))
        socket.send(JSON.stringify({ id, method, params }))
      })
    },
    close: () => socket.close(),
  }
}
