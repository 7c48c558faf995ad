import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLabReportParser } from '../src/process/pool.ts'
import { FileProblem, type LabReportParser } from '../src/report.ts'
import type { HostileFile } from './hostile-pdfs.ts'
import { show, writePdf } from './pdf.ts'

const MEMORY_MB = 1_200
/** Memory that a process may allocate between two checks of the watchdog. */
const OVERSHOOT = 1.3
/** On a busy machine a file may take this many times its limit. */
const PATIENCE = 4
/** Additional time for the inspection of the file, and for its place in the queue. */
const SLACK_MS = 30_000

/**
 * Outcome of a file: a refusal or a failure of the contract, or a successful parse.
 */
export type Ending = string

/**
 * Gives files to a parser like a server, and asserts that each has an outcome of the contract in
 * time, that the memory of this process does not grow, and that the parser continues to work.
 * @param options.engine Module to use instead of the whole parser
 */
export async function survive(
  files: Iterable<HostileFile>,
  options: { timeoutMs: number; engine?: string },
): Promise<Map<string, Ending>> {
  const limits = { processes: 2, memoryMb: MEMORY_MB, idleMs: 60_000 }
  const parser = createLabReportParser({ ...limits, ...options })
  const endings = new Map<string, Ending>()
  const waiting = Array.from(files, ({ name, make }) => ({ name, bytes: make() }))
  const ownBefore = measureMemory()
  let mostMb = 0
  const watch = setInterval(() => {
    mostMb = Math.max(mostMb, measureChildrenMb())
  }, 100)
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const started = performance.now()
      endings.set(file.name, await readHostile(parser, file.bytes))
      const elapsedMs = performance.now() - started
      assert.ok(
        elapsedMs < PATIENCE * options.timeoutMs + SLACK_MS,
        `${file.name} took ${elapsedMs} ms`,
      )
    }
  }
  try {
    await Promise.all([work(), work()])
    const own = measureMemory() - ownBefore
    assert.ok(own < 100e6, `this process grew by ${own} bytes`)
    assert.ok(mostMb < OVERSHOOT * MEMORY_MB, `a process took ${mostMb} MB`)
    const harmless = writePdf({ pages: [{ content: show('Glucose', { x: 50, y: 700 }) }] })
    assert.deepEqual(await parser.inspect([harmless]), { type: 'pdf', pages: 1 })
  } finally {
    clearInterval(watch)
    await parser.close()
  }
  return endings
}

/** Returns the memory of this process after a garbage collection: the bombs are created in it. */
function measureMemory(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Returns the peak memory of the largest child process; 0 if the system does not report it.
 */
function measureChildrenMb(): number {
  try {
    const tasks = readdirSync('/proc/self/task')
    const list = (task: string) => readFileSync(`/proc/self/task/${task}/children`, 'utf8')
    const children = tasks.flatMap((task) => list(task).trim().split(' ').filter(Boolean))
    return Math.max(0, ...children.map(measurePeakMb))
  } catch {
    return 0
  }
}

function measurePeakMb(pid: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function readHostile(parser: LabReportParser, bytes: Uint8Array): Promise<Ending> {
  try {
    await parser.inspect([bytes])
  } catch (error) {
    assert.ok(error instanceof FileProblem, String(error))
    return error.code
  }
  await parser.renderPage(bytes, 1, 800).catch((error: unknown) => {
    assert.ok(error instanceof FileProblem, String(error))
  })
  const outcome = await parser.parse([bytes])
  return outcome.status === 'parsed' ? 'parsed' : `${outcome.reason} (${outcome.detail})`
}
