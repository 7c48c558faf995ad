import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HARMLESS_PDFS } from '../../test/hostile-pdfs.ts'
import type { Task } from './protocol.ts'
import { ReaderProcess } from './reader-process.ts'
import type { TimeLimits } from './time-limit.ts'

// A process that is stopped gets no processor at all, as on a machine on which others have all of
// them.

const engine = new URL('../../test/hostile-engine.ts', import.meta.url).href
const LIMITS: TimeLimits = { timeoutMs: 500, processorMs: 250, patienceMs: 60_000 }
const PATIENT: TimeLimits = { timeoutMs: 60_000, processorMs: 60_000, patienceMs: 60_000 }

let reader: ReaderProcess
before(async () => {
  reader = await ReaderProcess.start({ memoryMb: 400, engine }, 10)
})
after(() => reader.kill())

const parse = (text: string): Task => {
  return { kind: 'parse', files: [new TextEncoder().encode(text)] }
}

/** A process that has begun before, and who it is. */
async function warmUp(): Promise<number> {
  if (!reader.isAlive) reader = await ReaderProcess.start({ memoryMb: 400, engine }, 10)
  const answer = await reader.run(parse(''), PATIENT)
  assert.ok(typeof answer === 'object' && answer.kind === 'parsed')
  assert.ok(answer.outcome.status === 'failed')
  return Number(answer.outcome.detail)
}

test('a good file is waited for when its process gets no processor in time', async () => {
  const pid = await warmUp()
  process.kill(pid, 'SIGSTOP')
  const looking = reader.run({ kind: 'inspect', files: [...HARMLESS_PDFS].slice(0, 1) }, LIMITS)
  await sleep(LIMITS.timeoutMs + 2_000)
  process.kill(pid, 'SIGCONT')
  const answer = await looking
  assert.deepEqual(answer, { kind: 'inspected', inspection: { type: 'pdf', pages: 2 } })
})

test('a task that never gets a processor, begun or not, was held up by the machine', async () => {
  const limits = { ...LIMITS, patienceMs: 2_000 }
  process.kill(await warmUp(), 'SIGSTOP')
  assert.equal(await reader.run(parse(''), limits), 'held up')
  const pid = await warmUp()
  const waiting = reader.run(parse('wait'), limits)
  await sleep(100)
  process.kill(pid, 'SIGSTOP')
  assert.equal(await waiting, 'held up')
})

test('a file that keeps a processor busy, or its engine asleep, is out of time', async () => {
  for (const text of ['hang', 'sleep']) {
    await warmUp()
    const startedAt = performance.now()
    assert.equal(await reader.run(parse(text), LIMITS), 'out of time')
    assert.ok(performance.now() - startedAt < LIMITS.patienceMs / 2, text)
  }
})
