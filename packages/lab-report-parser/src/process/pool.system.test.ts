import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeHarmlessImages } from '../../test/hostile-images.ts'
import { HARMLESS_PDFS } from '../../test/hostile-pdfs.ts'
import { EngineProblem, FileProblem } from '../report.ts'
import { createLabReportParser } from './pool.ts'

const engine = new URL('../../test/hostile-engine.ts', import.meta.url).href
const LIMITS = { processes: 1, memoryMb: 400, timeoutMs: 2_000, idleMs: 60_000 }
const parser = createLabReportParser({ ...LIMITS, engine })
after(() => parser.close())

const files = (text: string) => [new TextEncoder().encode(text)]
const fail = (detail: string) => ({ status: 'failed', reason: 'processing_error', detail })
const died = fail('the process died')

async function pidOf(outcome: ReturnType<typeof parser.parse>): Promise<number> {
  const { detail } = (await outcome) as { detail: string }
  return Number(detail)
}

test('a process that hangs is ended, and the next report is parsed by a new one', async () => {
  const before = await pidOf(parser.parse(files('')))
  assert.deepEqual(await parser.parse(files('hang')), fail('the process ran out of time'))
  assert.notEqual(await pidOf(parser.parse(files(''))), before)
})

test('a process is ended when its memory exceeds the limit, whether JavaScript holds it or an engine', async () => {
  const ownBefore = process.memoryUsage.rss()
  const patient = createLabReportParser({ ...LIMITS, timeoutMs: 60_000, engine })
  assert.deepEqual(await patient.parse(files('take native memory')), died)
  assert.deepEqual(await patient.parse(files('take memory of the heap')), died)
  await patient.close()
  assert.ok(process.memoryUsage.rss() - ownBefore < 50e6)
})

test('a process that has grown large is not used again', async () => {
  const before = await pidOf(parser.parse(files('')))
  assert.equal(await pidOf(parser.parse(files('keep memory'))), before)
  assert.notEqual(await pidOf(parser.parse(files(''))), before)
})

test('a process that dies is a processing error', async () => {
  assert.deepEqual(await parser.parse(files('die')), died)
})

test('what an engine throws stays in its process, which is used again', async () => {
  const before = await pidOf(parser.parse(files('')))
  assert.deepEqual(await parser.parse(files('throw')), fail('the engine broke'))
  assert.equal(await pidOf(parser.parse(files(''))), before)
})

test('the process has no settings of the server, and may neither read nor write other files nor start programs', async () => {
  process.env.SALUS_TEST_SECRET = 'secret'
  assert.equal(((await parser.parse(files('look around'))) as { detail: string }).detail, '')
})

test('progress is reported page by page', async () => {
  const pages: number[] = []
  await parser.parse(files('count pages'), { onProgress: ({ page }) => pages.push(page) })
  assert.deepEqual(pages, [1, 2, 3])
})

test('a report that no caller waits for any more is given up, in its turn and before it', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const running = parser.parse(files('hang'), { signal: first.signal })
  const waiting = parser.parse(files('hang'), { signal: second.signal })
  second.abort(new Error('no more'))
  await assert.rejects(waiting, /no more/)
  first.abort(new Error('enough'))
  await assert.rejects(running, /enough/)
  assert.ok(await pidOf(parser.parse(files(''))))
})

test('reports wait for their turn', async () => {
  const pids = await Promise.all(
    ['wait', '', '', 'wait'].map((text) => pidOf(parser.parse(files(text)))),
  )
  assert.equal(new Set(pids).size, 1)
})

test('a process without work is ended, and one of a closed parser too', async () => {
  const idle = createLabReportParser({
    processes: 2,
    memoryMb: 400,
    timeoutMs: 2_000,
    idleMs: 100,
    engine,
  })
  const pid = await pidOf(idle.parse(files('')))
  await waitForEnd(pid)
  const busy = idle.parse(files('hang'))
  await sleep(50)
  await idle.close()
  await assert.rejects(busy, /closed/)
  await assert.rejects(idle.parse(files('')), /closed/)
})

test('without the engine that recognizes text, reports that have one are read', async () => {
  const engine = new URL('../../test/engine-without-models.ts', import.meta.url).href
  const parser = createLabReportParser({ ...LIMITS, timeoutMs: 30_000, engine })
  const [pdf] = HARMLESS_PDFS
  const [jpeg] = await makeHarmlessImages()
  assert.ok(pdf && jpeg)
  try {
    assert.deepEqual(await parser.parse([jpeg]), fail('onnxruntime-node cannot be started'))
    assert.equal((await parser.parse([pdf])).status, 'parsed')
    assert.deepEqual(await parser.inspect([jpeg, jpeg]), { type: 'jpeg', pages: 2 })
  } finally {
    await parser.close()
  }
})

test('a file that breaks the look at it is unreadable, and a process that cannot begin is not its fault', async () => {
  const [pdf] = HARMLESS_PDFS
  assert.ok(pdf)
  const small = createLabReportParser({ ...LIMITS, memoryMb: 2 })
  await assert.rejects(
    small.inspect([pdf]),
    (error) => error instanceof EngineProblem && error.part === 'process',
  )
  await small.close()
  await assert.rejects(
    parser.inspect([Buffer.from('%PDF-1.7\n%%EOF')]),
    (error) => error instanceof FileProblem && error.code === 'unreadable_file',
  )
})

test('signals that a terminal sends to all processes do not end those that read', async () => {
  const before = await pidOf(parser.parse(files('')))
  const waiting = parser.parse(files('wait'))
  process.kill(before, 'SIGINT')
  process.kill(before, 'SIGTERM')
  assert.equal(await pidOf(waiting), before)
})

async function waitForEnd(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(20)
  }
  assert.fail('the process lives')
}
