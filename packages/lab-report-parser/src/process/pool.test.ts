import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLabReportParser } from './pool.ts'

const engine = new URL('../../test/hostile-engine.ts', import.meta.url).href
const parser = createLabReportParser({
  processes: 1,
  memoryMb: 400,
  timeoutMs: 2_000,
  idleMs: 60_000,
  engine,
})
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
  assert.deepEqual(await parser.parse(files('take native memory')), died)
  assert.deepEqual(await parser.parse(files('take memory of the heap')), died)
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

test('the process has no settings of the server, and may neither write files nor start programs', async () => {
  process.env.SALUS_TEST_SECRET = 'secret'
  assert.equal(((await parser.parse(files('look around'))) as { detail: string }).detail, '')
})

test('progress is reported page by page', async () => {
  const pages: number[] = []
  await parser.parse(files('count pages'), { onProgress: ({ page }) => pages.push(page) })
  assert.deepEqual(pages, [1, 2, 3])
})

test('a report that nobody waits for any more is given up, in its turn and before it', async () => {
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
