import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from './client.ts'
import { type FilledPerson, ORDERS_OF_A_PERSON } from './growth/fill-postgres.ts'
import {
  type Job,
  listJobs,
  listQuestions,
  type Question,
  type Subject,
} from './growth/questions.ts'
import { makeTemplate } from './growth/template.ts'
import { median, printColumns, printMachine, thousands } from './measure.ts'
import { settle } from './peers/measure-peer.ts'
import {
  freePort,
  newDirectory,
  removeDirectory,
  type ServerProcess,
  startServer,
} from './server-process.ts'
import { processorSeconds, readThreads, threadsSince } from './vendor-process.ts'

const FILL = fileURLToPath(new URL('growth/fill.ts', import.meta.url))
const ROUNDS = 3
const WARM_UP_CALLS = 3
const IDLE_MS = 10_000
const LOOK_MS = 500
/** Of a core; an idle server takes a twentieth for its schedules. */
const MOST_IDLE_SHARE = 0.1
const MOST_LOOKS = 20

export interface GrowthOptions {
  /** People of the first step. */
  people: number
  /** How many times as many each step has, in rising order. */
  steps: readonly number[]
  /** Folder that stays, and from which a later run goes on. */
  keep?: string
}

/** Processor time of the server and of PostgreSQL, and time until the answer. */
interface Figure {
  processorMs: number
  p50: number
}

interface Step {
  times: number
  people: number
  samples: number
  bytes: number
  parts: number
  figures: Record<string, Figure>
}

/** What the fill program prints. */
interface Filled {
  /** People of the stores. */
  count: number
  rows: number
  bytes: number
  parts: number
  people: FilledPerson[]
}

interface State {
  /** Where the endpoint of the team is, which takes every event. */
  sinkPort: number
  templateId?: string
  filled?: Filled
  steps: Step[]
}

/**
 * The same questions about one team as it grows: people, their samples and their orders. The stores
 * are filled from inside; questions go over HTTP. Prints a table after each step.
 */
export async function benchGrowth({ people, steps, keep }: GrowthOptions): Promise<void> {
  const directory = keep ?? newDirectory()
  mkdirSync(directory, { recursive: true })
  const file = join(directory, 'growth.json')
  let state: State = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { sinkPort: await freePort(), steps: [] }
  const save = (more: Partial<State>): void => {
    state = { ...state, ...more }
    writeFileSync(file, JSON.stringify(state))
  }
  const sink = createServer((request, response) => {
    request.resume().once('end', () => response.end('ok'))
  }).listen(state.sinkPort, '127.0.0.1')
  await once(sink, 'listening')
  try {
    const url = `http://127.0.0.1:${state.sinkPort}/`
    const templateId = state.templateId ?? (await prepare(directory, url))
    save({ templateId })
    for (const times of steps) {
      if ((state.steps.at(-1)?.times ?? 0) >= times) continue
      const isFilled = state.filled?.count === people * times
      const filled = (isFilled && state.filled) || fillUpTo(directory, state, people * times)
      save({ filled })
      const step = await takeStep(directory, filled, times, state.steps.length)
      save({ steps: [...state.steps, step] })
      print(state.steps)
    }
  } finally {
    sink.close()
    if (keep === undefined) removeDirectory(directory)
  }
}

/** The endpoint is on this machine. */
const SETTINGS = { SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true', SALUS_WEBHOOKS_ALLOW_HTTP: 'true' }

async function prepare(directory: string, sink: string): Promise<string> {
  const server = await startServer(join(directory, 'salus'), SETTINGS)
  const client = createClient(server, 4)
  try {
    const templateId = await makeTemplate(server, client, sink)
    await settle(server.processIds())
    return templateId
  } finally {
    await client.close()
    await server.stop()
  }
}

function fillUpTo(directory: string, { templateId = '', filled }: State, count: number): Filled {
  const range = [(filled?.count ?? 0) + 1, count].map(String)
  const options = [FILL, join(directory, 'salus'), templateId, ...range]
  const printed = execFileSync(process.execPath, options, {
    ...{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 24 },
  })
  return { ...JSON.parse(printed.trim().split('\n').at(-1) ?? ''), count }
}

async function takeStep(
  directory: string,
  filled: Filled,
  times: number,
  step: number,
): Promise<Step> {
  const server = await startServer(join(directory, 'salus'), SETTINGS)
  const startMs = 1000 * processorSeconds(server.processIds())
  const client = createClient(server, 1)
  const figures: Record<string, Figure> = {
    'start until ready': { processorMs: startMs, p50: 1000 * server.readySeconds },
  }
  try {
    const idle = await waitForRest(server)
    figures['an idle second'] = { processorMs: (idle / IDLE_MS) * 1000, p50: Number.NaN }
    const { people, count } = filled
    const subject: Subject = { server, client, people, count, step }
    for (const question of await listQuestions(subject)) {
      const figure = await measure(server, question)
      console.log(`${times}× ${question.name}: ${show(figure)}`)
      figures[question.name] = figure
    }
    for (const job of listJobs(subject)) {
      const figure = await measureJob(server, job)
      console.log(`${times}× ${job.name}: ${show(figure)}`)
      figures[job.name] = figure
    }
    const { rows: samples, bytes, parts } = filled
    return { times, people: count, samples, bytes, parts, figures }
  } finally {
    await client.close()
    await server.stop()
  }
}

/** Waits until the merges that a start begins have ended, and returns what an idle server takes. */
async function waitForRest(server: ServerProcess): Promise<number> {
  for (let look = 1; ; look++) {
    await settle(server.processIds())
    const idle = await measureIdle(server, IDLE_MS)
    if (idle < MOST_IDLE_SHARE * IDLE_MS || look === MOST_LOOKS) return idle
  }
}

/** Milliseconds of the processor that a server takes in that time while it is not called. */
async function measureIdle(server: ServerProcess, milliseconds: number): Promise<number> {
  const before = readThreads(server.processIds())
  await delay(milliseconds)
  return threadsSince(before, readThreads(server.processIds()))
}

/**
 * Runs work, and returns what the server takes for it above what it took in the same time just
 * before, ms: so other work on the machine slows both.
 * @param expectedMs how long the work may take
 */
async function processorOf(
  server: ServerProcess,
  expectedMs: number,
  work: () => Promise<void>,
): Promise<number> {
  const idleMs = Math.min(expectedMs, IDLE_MS)
  const idle = (await measureIdle(server, idleMs)) / idleMs
  const [before, startedAt] = [readThreads(server.processIds()), performance.now()]
  await work()
  const taken = threadsSince(before, readThreads(server.processIds()))
  return taken - idle * (performance.now() - startedAt)
}

async function measure(server: ServerProcess, question: Question): Promise<Figure> {
  const { ask, calls = 6, things = 1, hasMore = false } = question
  // What follows would be taken for idling after a round, so it is waited for, once.
  const [rounds, callsOfRound] = hasMore ? [1, ROUNDS * calls] : [ROUNDS, calls]
  let index = 0
  const startedAt = performance.now()
  while (index < WARM_UP_CALLS) await ask(index++)
  const expectedMs = ((performance.now() - startedAt) / WARM_UP_CALLS) * callsOfRound
  // What follows the first calls would count as idling.
  if (hasMore) await settle(server.processIds())
  const milliseconds: number[] = []
  const processor: number[] = []
  for (let round = 0; round < rounds; round++) {
    const taken = await processorOf(server, expectedMs, async () => {
      for (let call = 0; call < callsOfRound; call++) {
        const startedAt = performance.now()
        await ask(index++)
        milliseconds.push(performance.now() - startedAt)
      }
      if (hasMore) await settle(server.processIds())
    })
    processor.push(taken / callsOfRound / things)
  }
  return { processorMs: median(processor), p50: median(milliseconds) }
}

/** An erasure waits for uploads that may be under way, so all are started at once. */
async function measureJob(server: ServerProcess, { count, start, isDone }: Job): Promise<Figure> {
  const startedAt = performance.now()
  const taken = await processorOf(server, IDLE_MS, async () => {
    const ids: string[] = []
    for (let index = 0; index < count; index++) ids.push(await start(index))
    for (const id of ids) while (!(await isDone(id))) await delay(LOOK_MS)
  })
  return { processorMs: taken / count, p50: performance.now() - startedAt }
}

function print(steps: readonly Step[]): void {
  printMachine()
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return
  const titles = steps.map(
    ({ times, people, samples }) =>
      `${times}×: ${thousands(people)} people, ${thousands(samples / 1e6)} million samples, ` +
      `${thousands(people * ORDERS_OF_A_PERSON)} orders`,
  )
  const lines = Object.keys(first.figures).map((name) => [
    name,
    ...steps.map(({ figures }) => show(figures[name])),
    growth(first.figures[name]?.processorMs, last.figures[name]?.processorMs),
  ])
  lines.push([
    'bytes of a sample on disk',
    ...steps.map(({ bytes, samples, parts }) => `${(bytes / samples).toFixed(2)} (${parts} parts)`),
    growth(first.bytes / first.samples, last.bytes / last.samples),
  ])
  printColumns(['processor time (p50)', ...titles, `${first.times}× → ${last.times}×`], lines)
}

const growth = (from = Number.NaN, to = Number.NaN): string => `${(to / from).toFixed(2)}×`

function show(figure?: Figure): string {
  if (figure === undefined) return ''
  const { processorMs, p50 } = figure
  const time =
    Math.abs(processorMs) < 0.1
      ? `${(processorMs * 1000).toFixed(1)} µs`
      : `${processorMs.toFixed(1)} ms`
  return Number.isFinite(p50) ? `${time} (${p50.toFixed(1)} ms)` : time
}
