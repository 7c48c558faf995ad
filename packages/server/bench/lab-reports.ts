import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLabReportParser, type LabReportParser } from '@salus/lab-report-parser'
import type { BareTask } from '../../lab-report-parser/bench/read-bare.ts'
import { drawDocument } from '../../lab-report-parser/synthetic/document.ts'
import { takePicture } from '../../lab-report-parser/synthetic/pictures.ts'
import { createClient } from './client.ts'
import { type Row, secondsOf, thousands, times } from './measure.ts'
import { readMemory, type ServerProcess, startServer } from './server-process.ts'

const TEXT_DOCUMENTS = 120
const SCANS = 12
const PROCESSES = Math.min(2, availableParallelism())
const IDLE_SECONDS = 5

/**
 * Pages a minute of laboratory reports, with text layers and as scans, beside bare reading of the
 * same pages: the text that PDFium gives back, and recognition alone. Then what a server holds
 * before, while and after it parses.
 */
export async function benchLabReports(directory: string): Promise<Row[]> {
  const texts = await makeFiles(directory, 'text', TEXT_DOCUMENTS)
  const scans = await makeFiles(directory, 'scan', SCANS)
  const parser = createLabReportParser({
    processes: PROCESSES,
    memoryMb: 2048,
    timeoutMs: 300_000,
    idleMs: 300_000,
  })
  try {
    return [
      await compare(parser, texts, 'text', 'text of the same pages by PDFium', 600),
      await compare(parser, scans, 'scan', 'recognition of the same pages', 20),
      ...(await benchMemory(directory, texts, scans)),
    ]
  } finally {
    await parser.close()
  }
}

interface File {
  path: string
  bytes: Uint8Array
}

async function makeFiles(directory: string, kind: 'text' | 'scan', count: number): Promise<File[]> {
  const folder = join(directory, kind)
  mkdirSync(folder)
  const files: File[] = []
  for (let seed = 1; files.length < count; seed++) {
    const { pdf, rows } = await drawDocument(seed, 'tuned')
    if (rows.length === 0) continue
    const bytes = kind === 'text' ? pdf : (await takePicture(pdf, 'scan', seed)).bytes
    const path = join(folder, String(seed))
    writeFileSync(path, bytes)
    files.push({ path, bytes })
  }
  return files
}

async function compare(
  parser: LabReportParser,
  files: readonly File[],
  mode: BareTask['mode'],
  comparedWith: string,
  goal: number,
): Promise<Row> {
  // The first reports start the processes and load the models.
  await Promise.all(files.slice(0, PROCESSES).map(({ bytes }) => parser.parse([bytes])))
  let pages = 0
  const seconds = await secondsOf(async () => {
    const outcomes = await Promise.all(files.map(({ bytes }) => parser.parse([bytes])))
    for (const outcome of outcomes) {
      if (outcome.status === 'parsed') pages += outcome.report.pages.length
    }
  })
  const rate = (60 * pages) / seconds
  const bare = await readBare(files, mode)
  return {
    job: `lab reports, ${mode === 'text' ? 'text layer' : 'scans'}, ${PROCESSES} processes`,
    salus: `${thousands(rate)} pages/min`,
    comparedWith,
    other: `${thousands(bare)} pages/min`,
    ratio: times(rate / bare),
    goal: `> ${goal} pages/min`,
    isMet: rate > goal,
  }
}

/** @returns pages a minute that as many processes read which do nothing else */
async function readBare(files: readonly File[], mode: BareTask['mode']): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, at) => {
      const child = fork(new URL('../../lab-report-parser/bench/read-bare.ts', import.meta.url))
      const paths = files.filter((_, index) => index % PROCESSES === at).map(({ path }) => path)
      child.send({ mode, paths } satisfies BareTask)
      const [answer] = await once(child, 'message')
      await once(child, 'exit')
      return answer as { pages: number; seconds: number }
    }),
  )
  const pages = answers.reduce((sum, answer) => sum + answer.pages, 0)
  return (60 * pages) / Math.max(...answers.map(({ seconds }) => seconds))
}

/**
 * What the server itself holds, and what its children do, before, right after and once the parser
 * is idle.
 */
async function benchMemory(
  directory: string,
  texts: readonly File[],
  scans: readonly File[],
): Promise<Row[]> {
  const server = await startServer(join(directory, 'memory'), {
    SALUS_LAB_REPORT_IDLE_SECONDS: String(IDLE_SECONDS),
  })
  const client = createClient(server, 4)
  try {
    const userId = await client.makeUser()
    await delay(5000)
    const before = readMemory(server.processIds())
    const jobs: string[] = []
    for (const { bytes } of [...texts.slice(0, 20), ...scans.slice(0, 3)]) {
      jobs.push(await upload(server, userId, bytes))
    }
    let most = 0
    for (const id of jobs) {
      while (!(await isDone(client, id))) {
        most = Math.max(most, readMemory(server.processIds()).children)
        await delay(200)
      }
    }
    const after = readMemory(server.processIds())
    await delay((IDLE_SECONDS + 5) * 1000)
    const idle = readMemory(server.processIds())
    const megabytes = (value: number) => `${Math.round(value)} MB`
    return [
      {
        job: `memory of the server itself after ${jobs.length} reports`,
        salus: megabytes(after.own),
        comparedWith: 'before',
        other: megabytes(before.own),
        ratio: times(after.own / before.own),
        goal: '≤ 1.15',
        isMet: after.own <= before.own * 1.15,
      },
      {
        job: 'memory of its children once the parser is idle',
        salus: megabytes(idle.children),
        comparedWith: `before; at most ${megabytes(most)} while parsing`,
        other: megabytes(before.children),
        ratio: times(idle.children / before.children),
        goal: '',
        isMet: null,
      },
    ]
  } finally {
    await client.close()
    await server.stop()
  }
}

async function upload(server: ServerProcess, userId: string, bytes: Uint8Array): Promise<string> {
  const type =
    bytes[0] === 0x25 ? 'application/pdf' : bytes[0] === 0x89 ? 'image/png' : 'image/jpeg'
  const form = new FormData()
  form.set('user_id', userId)
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), 'report')
  const response = await fetch(`${server.url}/lab_report/v1/parser/job`, {
    method: 'POST',
    headers: { 'x-service-api-key': server.apiKey },
    body: form,
  })
  if (!response.ok) throw new Error(`upload: ${response.status}`)
  return ((await response.json()) as { id: string }).id
}

async function isDone(client: ReturnType<typeof createClient>, id: string): Promise<boolean> {
  const job = JSON.parse(await client.call('GET', `/lab_report/v1/parser/job/${id}`))
  return job.status === 'completed' || job.status === 'failed'
}
