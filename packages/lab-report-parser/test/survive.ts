import assert from 'node:assert/strict'
import { createLabReportParser } from '../src/process/pool.ts'
import { FileProblem, type LabReportParser } from '../src/report.ts'
import type { HostileFile } from './hostile-pdfs.ts'
import { show, writePdf } from './pdf.ts'

const MEMORY_MB = 1_200
const TIMEOUT_MS = 20_000

/** How a file ended: a refusal of the contract, or a failure of the contract, or that it was read. */
export type Ending = string

/**
 * Gives files to a parser as a server would, and holds that each ends as the contract says, in time, with the memory
 * of this process as it was and the parser at work.
 * @param engine the whole parser without one
 */
export async function survive(
  files: Iterable<HostileFile>,
  engine?: URL,
): Promise<Map<string, Ending>> {
  const options = { processes: 2, memoryMb: MEMORY_MB, timeoutMs: TIMEOUT_MS, idleMs: 60_000 }
  const parser = createLabReportParser({ ...options, ...(engine ? { engine: engine.href } : {}) })
  const endings = new Map<string, Ending>()
  const waiting = [...files]
  const ownBefore = process.memoryUsage().external + process.memoryUsage().heapUsed
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const started = performance.now()
      endings.set(file.name, await readHostile(parser, file.bytes))
      const seconds = (performance.now() - started) / 1000
      assert.ok(seconds < 3 * (TIMEOUT_MS / 1000), `${file.name} took ${seconds} s`)
    }
  }
  try {
    await Promise.all([work(), work()])
    globalThis.gc?.()
    const own = process.memoryUsage().external + process.memoryUsage().heapUsed - ownBefore
    assert.ok(own < 100e6, `this process grew by ${own} bytes`)
    const harmless = writePdf({ pages: [{ content: show('Glucose', { x: 50, y: 700 }) }] })
    assert.deepEqual(await parser.inspect([harmless]), { type: 'pdf', pages: 1 })
  } finally {
    await parser.close()
  }
  return endings
}

async function readHostile(parser: LabReportParser, bytes: Uint8Array): Promise<Ending> {
  try {
    await parser.inspect([bytes])
  } catch (error) {
    assert.ok(error instanceof FileProblem, String(error))
    return error.code
  }
  const outcome = await parser.parse([bytes])
  return outcome.status === 'parsed' ? 'parsed' : `${outcome.reason} (${outcome.detail})`
}
