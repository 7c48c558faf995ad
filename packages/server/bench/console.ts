import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY_MS } from '@salus/contracts/time-units'
import { startBrowser } from '../../web/test/browser.ts'
import { median, type Row } from './measure.ts'
import { makePerson } from './queries-data.ts'
import { type ServerProcess, startServer } from './server-process.ts'

type Browser = Awaited<ReturnType<typeof startBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const FILL = fileURLToPath(new URL('console-fill.ts', import.meta.url))
const CALLS = 15
const VISITS = 5
const MOST_CHART_MS = 300
const MOST_FIRST_MS = 1000
const MOST_REQUESTS = 20
const MOST_KILOBYTES = 400
const LEAST_FRAMES = 50

/**
 * A person with five years of samples, heart rate by the minute: the charts of all of it over HTTP,
 * the first chart, the requests and the bytes of a browser that knows nothing yet, and frames a
 * second while the charts are dragged.
 */
export async function benchConsole(directory: string): Promise<Row[]> {
  const folder = join(directory, 'console')
  mkdirSync(folder)
  const first = await startServer(folder)
  const userId = await makePerson(first)
  await first.stop()
  execFileSync(process.execPath, [FILL, folder, userId])
  const server = await startServer(folder)
  const browser = await startBrowser()
  try {
    const charts: Row[] = []
    for (const resource of ['heartrate', 'glucose', 'steps']) {
      charts.push(await measureChart(server, userId, resource))
    }
    return [...charts, ...(await measureBrowser(browser, server, userId))]
  } finally {
    await browser.close()
    await server.stop()
  }
}

const figure = (job: string, salus: string, goal: string, isMet: boolean): Row => ({
  ...{ job, salus, goal, isMet },
  ...{ comparedWith: '', other: '', ratio: '' },
})

async function measureChart(server: ServerProcess, userId: string, resource: string): Promise<Row> {
  const since = new Date(Date.now() - 1825 * DAY_MS).toISOString().slice(0, 10)
  const url = `${server.url}/v2/timeseries/${userId}/${resource}/chart?start_date=${since}&points=2000`
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const startedAt = performance.now()
    const answer = await fetch(url, { headers: { 'x-service-api-key': server.apiKey } })
    if (!answer.ok) throw new Error(`${resource}: ${await answer.text()}`)
    await answer.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  const p50 = median(times)
  const job = `chart of five years of ${resource}, p50`
  return figure(job, `${p50.toFixed(0)} ms`, `< ${MOST_CHART_MS} ms`, p50 < MOST_CHART_MS)
}

async function measureBrowser(
  browser: Browser,
  server: ServerProcess,
  userId: string,
): Promise<Row[]> {
  const firsts: number[] = []
  const rates: number[] = []
  const loads: Traffic[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const signedIn = await context.request.post(`${server.url}/v1/console/session`, {
      headers: { 'x-salus-console': '1' },
      data: { management_key: server.keys.managementKey },
    })
    if (!signedIn.ok()) throw new Error(`signing in: ${await signedIn.text()}`)
    const page = await context.newPage()
    const traffic = countTraffic(page)
    const startedAt = performance.now()
    await page.goto(`${server.url}/console/${server.keys.teamId}/sandbox/people/${userId}`)
    await page.locator('.chart canvas').first().waitFor()
    firsts.push(performance.now() - startedAt)
    await page.waitForLoadState('networkidle')
    loads.push(await traffic())
    rates.push(await measureDrag(page))
    await context.close()
  }
  const first = median(firsts)
  const rate = median(rates)
  const requests = median(loads.map((load) => load.requests))
  const kilobytes = median(loads.map((load) => load.bytes)) / 1000
  return [
    figure(
      'requests of the page of a person in a cold browser',
      String(requests),
      `≤ ${MOST_REQUESTS}`,
      requests <= MOST_REQUESTS,
    ),
    figure(
      'bytes of these requests, compressed',
      `${kilobytes.toFixed(0)} kB`,
      `≤ ${MOST_KILOBYTES} kB`,
      kilobytes <= MOST_KILOBYTES,
    ),
    figure(
      'first chart of a cold browser, five years of samples',
      `${first.toFixed(0)} ms`,
      `< ${MOST_FIRST_MS} ms`,
      first < MOST_FIRST_MS,
    ),
    figure(
      'frames a second while the charts are dragged',
      rate.toFixed(0),
      `≥ ${LEAST_FRAMES}`,
      rate >= LEAST_FRAMES,
    ),
  ]
}

interface Traffic {
  requests: number
  bytes: number
}

/** Counts the requests of a page from now on; the returned function reads the counts. */
function countTraffic(page: Page): () => Promise<Traffic> {
  const finished: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    const size = request.sizes().then((sizes) => sizes.responseHeadersSize + sizes.responseBodySize)
    finished.push(size.catch(() => 0))
  })
  return async () => {
    const sizes = await Promise.all(finished)
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  }
}

const DRAG_STEPS = 120
const DRAG_PIXELS = 3

/** Frames that the page made in each second of a drag. */
async function measureDrag(page: Page): Promise<number> {
  await page.locator('.chart[aria-busy="true"]').first().waitFor({ state: 'detached' })
  const box = await page.locator('.chart .u-over').first().boundingBox()
  if (box === null) throw new Error('there is no chart')
  const [x, y] = [box.x + box.width * 0.25, box.y + box.height / 2]
  await page.evaluate(`
    globalThis.frames_ = 0
    const count = () => { globalThis.frames_ += 1; requestAnimationFrame(count) }
    requestAnimationFrame(count)`)
  await page.mouse.move(x, y)
  await page.mouse.down()
  const before = Number(await page.evaluate('globalThis.frames_'))
  const startedAt = performance.now()
  for (let step = 1; step <= DRAG_STEPS; step++) await page.mouse.move(x + step * DRAG_PIXELS, y)
  const seconds = (performance.now() - startedAt) / 1000
  const frames = Number(await page.evaluate('globalThis.frames_')) - before
  await page.mouse.up()
  return frames / seconds
}
