import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignRuns } from '../campaign-runs.ts'
import { makeUser } from '../kill-during-uploads.ts'
import {
  API_KEY,
  readAddress,
  request,
  type ServerProcess,
  spawnNpmStart,
  startServer,
} from '../server-process.ts'
import { drawPdf, NAME, VALUE } from './draw-pdf.ts'
import { drawReportPage, LIPID_ROWS, METABOLIC_ROWS } from './draw-report.ts'
import { JOBS, jpeg, type Part, png, UploadForm } from './report-client.ts'

// A server with its real parser, and clients and a machine that mean it harm.

const MIB = 1024 ** 2
const PATIENCE_MS = 120_000
const SETTINGS = { SALUS_LOG_LEVEL: 'debug', SALUS_LAB_REPORT_IDLE_SECONDS: '1' }

const directory = mkdtempSync(join(tmpdir(), 'salus-hostile-'))
const outputs: (() => string)[] = []
let server: ServerProcess
let userId: string

async function start(): Promise<ServerProcess> {
  server = await startServer(directory, SETTINGS)
  outputs.push(server.output)
  return server
}

before(async () => {
  await start()
  userId = await makeUser(server.baseUrl, 'patient')
})
after(async () => {
  await server.end('SIGKILL')
  // The database ends a moment after its server.
  await sleep(2000)
  rmSync(directory, { recursive: true, force: true })
})

interface Sent {
  status: number
  body: { id: string; detail?: unknown }
}

interface Job {
  status: string
  failure_reason: string | null
  progress: { pages_read: number }
  data: { results: { value: string }[] } | null
}

/**
 * Sends a body; with its length unless it is said to come in chunks, and only a part of it where
 * one is given.
 */
function send(
  bytes: Buffer,
  type: string,
  { chunked = false, part = bytes.length } = {},
): Promise<Sent | 'cut'> {
  const length = chunked ? {} : { 'content-length': bytes.length }
  const headers = { 'x-service-api-key': API_KEY, 'content-type': type, ...length }
  return new Promise((resolve, reject) => {
    const sending = openRequest(`${server.baseUrl}${JOBS}`, { method: 'POST', headers })
    sending.once('error', (error) => (part < bytes.length ? resolve('cut') : reject(error)))
    sending.once('response', (response) => readAnswer(response).then(resolve, reject))
    if (part === bytes.length) sending.end(bytes)
    else sending.write(bytes.subarray(0, part), () => setTimeout(() => sending.destroy(), 50))
  })
}

async function readAnswer(response: IncomingMessage): Promise<Sent> {
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode ?? 0, body: JSON.parse(text) }
}

function sendParts(parts: readonly Part[], options?: Parameters<typeof send>[2]) {
  const { bytes, type } = new UploadForm(parts)
  return send(bytes, type, options)
}

/** What a refusal says: its code, or the field of each problem. */
function codeOf({ body }: Sent): unknown {
  const { detail } = body
  if (Array.isArray(detail)) return detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).join()
  return typeof detail === 'object' ? (detail as { error_type: string }).error_type : detail
}

async function follow(id: string, isThere: (job: Job) => boolean): Promise<Job> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const job: Job = (await request(server.baseUrl, 'GET', `${JOBS}/${id}`)).body
    if (isThere(job)) return job
  }
  throw new Error('The job did not come so far in time.')
}

const hasEnded = ({ status }: Job) => status === 'completed' || status === 'failed'

const READER = join('lab-report-parser', 'src', 'process', 'reader.ts')
/** Once seen under a server: it stays one when that server has ended. */
const readers = new Set<number>()

/**
 * Processes that read files for a server of this test; those of others on the machine are left
 * alone.
 */
function listReaders(): number[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const lines = listed.split('\n').map((line) => /(\d+) +(\d+) (.*)/.exec(line) ?? [])
  const parents = new Map(lines.map(([, pid, parent]) => [Number(pid), Number(parent)]))
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === server.child.pid || readers.has(pid) || isOurs(parents.get(pid)))
  const found = lines.filter(([, pid, , args]) => args?.includes(READER) && isOurs(Number(pid)))
  for (const [, pid] of found) readers.add(Number(pid))
  return found.map(([, pid]) => Number(pid))
}

async function waitUntilNoReaders(): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    if (listReaders().length === 0) return
  }
  assert.fail('A process that reads files is still there.')
}

const residentMib = (): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)]).toString()) / 1024

const user = (): Part => ['user_id', userId]
const file = (content: Buffer, type = 'application/pdf'): Part => ['file', content, type]
const image = (content: Buffer): Part => file(content, 'image/png')
const grown = (content: Buffer, mib: number) => Buffer.concat([content, Buffer.alloc(mib * MIB)])
const times = (count: number, part: Part): Part[] => Array.from({ length: count }, () => part)
/** A picture that says it has 65535 × 65535 pixels. */
const hugePng = () => {
  const header = Buffer.from('0000000d494844520000ffff0000ffff0802000000', 'hex')
  return Buffer.concat([png(''), header, Buffer.alloc(100)])
}
const cut = () => drawPdf(1).subarray(0, 300)
const REVIEW = 'needs_human_review'

const REFUSED: [status: number, code: string, parts: () => Part[]][] = [
  [400, 'unsupported_file_type', () => [user(), file(Buffer.from('a text'), 'text/plain')]],
  [400, 'unsupported_file_type', () => [user(), file(Buffer.from('GIF89a'), 'image/gif')]],
  [400, 'empty_file', () => [user(), file(Buffer.alloc(0))]],
  [400, 'content_type_mismatch', () => [user(), file(png())]],
  [400, 'content_type_mismatch', () => [user(), image(drawPdf(1))]],
  [400, 'too_many_files', () => [user(), ...times(9, image(png()))]],
  [400, 'pdf_in_multi_upload', () => [user(), image(png()), file(drawPdf(1))]],
  [400, 'unreadable_file', () => [user(), file(drawPdf(1, '/Encrypt 9 0 R'))]],
  [400, 'unreadable_file', () => [user(), file(cut())]],
  [400, 'unreadable_file', () => [user(), file(Buffer.from('%PDF-1.7\n%%EOF'))]],
  [400, 'unreadable_file', () => [user(), file(drawPdf(1, '/A<</S/JavaScript/JS(1)>>'))]],
  [400, 'unreadable_file', () => [user(), image(drawReportPage(LIPID_ROWS)), image(png())]],
  [400, 'unreadable_file', () => [user(), ...times(2, image(hugePng()))]],
  [400, 'too_many_pages', () => [user(), file(drawPdf(21))]],
  [413, 'file_too_large', () => [user(), file(grown(drawPdf(1), 10))]],
  [413, 'file_too_large', () => [user(), ...times(3, image(grown(png(), 7)))]],
  [422, 'body.user_id missing', () => [file(drawPdf(1))]],
  [422, 'body.file missing', () => [user()]],
  [422, 'body.file missing', () => [user(), ['files', drawPdf(1), 'application/pdf']]],
  [422, 'body.user_id duplicate', () => [user(), file(drawPdf(1)), user()]],
  [422, 'body.user_id uuid_parsing', () => [['user_id', '../../etc/passwd'], file(drawPdf(1))]],
  [422, 'body.user_id uuid_parsing', () => [['user_id', 'a'.repeat(MIB)], file(drawPdf(1))]],
  [422, `body.${REVIEW} enum`, () => [[REVIEW, 'yes'], user(), file(drawPdf(1))]],
  [400, 'human_review_not_enabled', () => [[REVIEW, 'true'], user(), file(drawPdf(1))]],
  [404, 'user_not_found', () => [['user_id', randomUUID()], file(drawPdf(1))]],
  [413, 'form_too_large', () => [user(), ...times(40, ['note', 'a']), file(drawPdf(1))]],
]

test('uploads that no job can be made of are refused as the contract says, and the server stays as it is', async (context) => {
  await follow((await accept([user(), file(drawPdf(1))])).id, hasEnded)
  const before = residentMib()
  for (const [status, code, parts] of REFUSED) {
    const answer = await sendParts(parts())
    assert.ok(answer !== 'cut')
    assert.deepEqual([answer.status, codeOf(answer)], [status, code])
  }
  context.diagnostic(`resident: ${before.toFixed()} MiB before, ${residentMib().toFixed()} after`)
  assert.ok(residentMib() - before < 150)
})

async function accept(parts: readonly Part[], options?: Parameters<typeof send>[2]) {
  const answer = await sendParts(parts, options)
  assert.ok(answer !== 'cut')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

test('a form that is cut off, has no end or comes in chunks is refused, or taken when it is whole', async () => {
  const { bytes, type } = new UploadForm([user(), file(drawPdf(1))])
  assert.equal(await send(bytes, type, { part: 300 }), 'cut')
  assert.equal(await send(bytes, type, { part: 300, chunked: true }), 'cut')
  const bodies: [number, string, Buffer, string][] = [
    [400, 'invalid_form', bytes.subarray(0, -20), type],
    [400, 'invalid_form', bytes, 'multipart/form-data'],
    [415, 'unsupported_media_type', Buffer.from('{}'), 'application/json'],
  ]
  for (const [status, code, body, contentType] of bodies) {
    const answer = await send(body, contentType)
    assert.ok(answer !== 'cut')
    assert.deepEqual([answer.status, codeOf(answer)], [status, code])
  }
  const large = await sendParts([user(), file(grown(drawPdf(1), 12))], { chunked: true })
  assert.ok(large !== 'cut')
  assert.deepEqual([large.status, codeOf(large)], [413, 'file_too_large'])
  await accept([file(drawPdf(20)), user()], { chunked: true })
})

test('a picture that turns out to be none fails its job', async () => {
  for (const content of [png(), hugePng(), jpeg()]) {
    const type = content[0] === 0x89 ? 'image/png' : 'image/jpeg'
    const { id } = await accept([user(), file(content, type)])
    const { status, failure_reason: reason } = await follow(id, hasEnded)
    assert.deepEqual([status, reason], ['failed', 'invalid_input'])
  }
})

const scan = (): Part[] => [METABOLIC_ROWS, LIPID_ROWS].map((rows) => image(drawReportPage(rows)))
const RESULTS = METABOLIC_ROWS.length + LIPID_ROWS.length

/** Uploads two scanned pages and waits until the second is begun. */
async function beginScan(): Promise<string> {
  const { id } = await accept([user(), ...scan()])
  await follow(id, (job) => job.progress.pages_read === 1)
  return id
}

async function assertCompleted(id: string): Promise<void> {
  const { status, data } = await follow(id, hasEnded)
  assert.deepEqual([status, data?.results.length], ['completed', RESULTS])
}

// Servers that start again, and scans that are read twice.
if (campaignRuns(0, 1) > 0) {
  test('a report whose process is killed is read again, and processes without work end', async () => {
    const id = await beginScan()
    for (const pid of listReaders()) process.kill(pid, 'SIGKILL')
    await assertCompleted(id)
    await waitUntilNoReaders()
  })

  test('a server that is stopped while it parses continues at the next start, and leaves no process', async () => {
    const first = await beginScan()
    assert.ok(listReaders().length > 0)
    assert.equal(await server.end('SIGTERM'), 0)
    await waitUntilNoReaders()

    const npm = spawnNpmStart(directory)
    server = { ...npm, baseUrl: await readAddress(npm), end: async () => npm.ended }
    outputs.push(npm.output)
    await assertCompleted(first)
    const second = await beginScan()
    assert.ok(listReaders().length > 0)
    const interrupt = () => process.kill(-(npm.child.pid as number), 'SIGINT')
    interrupt()
    await sleep(100)
    interrupt()
    assert.equal(await npm.ended, 0)
    await waitUntilNoReaders()
    await start()
    await assertCompleted(second)
  })
}

test('logs hold nothing of a report, nor the name of its file', async () => {
  const { id } = await accept([user(), file(drawPdf(1))])
  const { data } = await follow(id, hasEnded)
  assert.ok(data?.results.some(({ value }) => value === VALUE))
  const text = outputs.map((output) => output()).join('')
  assert.match(text, /lab_report/)
  assert.doesNotMatch(text, new RegExp(`${NAME}|${VALUE}|Glucose`, 'i'))
})
