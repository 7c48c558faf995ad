import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { mapFile } from '@salus/health/imports'
import { parse } from 'csv-parse'
import { createClient } from './client.ts'
import { importOnce } from './import-export.ts'
import { median, type Row, secondsOf, thousands, times } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

/**
 * Files of three kinds of readers, generated without any shared code: a table, a list in JSON, and
 * a database. Each is parsed alone with the same library, read as an import does without storing,
 * and imported by the server.
 */

const ROUNDS = 3
const MEGABYTE = 1_000_000
const START = Date.UTC(2016, 0)
/** Goal of the issue: reading may take this many times the parsing of its bytes. */
const GOAL = 1.5

interface FileKind {
  name: string
  file: string
  options: { time_zone?: string }
  write: (path: string, bytes: number) => Promise<void>
  /** Parses the file alone. */
  parse: (path: string) => Promise<void>
}

const iso = (at: number): string => new Date(at).toISOString().slice(0, 19)

async function* chunksOf(bytes: number, head: string, line: (index: number) => string, end = '') {
  let text = head
  let written = 0
  for (let index = 0; written + text.length < bytes; index++) {
    text += line(index)
    if (text.length < 1 << 20) continue
    written += text.length
    yield text
    text = ''
  }
  yield text + end
}

const writeText = (path: string, chunks: AsyncIterable<string>): Promise<void> =>
  pipeline(chunks, createWriteStream(path))

const CLARITY_HEAD =
  'Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (mg/dL),Insulin Value (u),Carb Value (grams),Duration (hh:mm:ss),Glucose Rate of Change (mg/dL/min),Transmitter Time (Long Integer),Transmitter ID\n'

async function parseTable(path: string): Promise<void> {
  const parser = parse({ relax_column_count: true, on_record: () => null })
  await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), parser, async (rows) => {
    for await (const _ of rows) throw new Error('No row is passed on.')
  })
}

function writeDatabase(path: string, bytes: number): Promise<void> {
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = off; pragma synchronous = off; begin;
    create table application_info_table (row_id integer primary key, package_name text, app_name text);
    insert into application_info_table values (1, 'org.example.watch', 'Watch');
    create table heart_rate_record_table (row_id integer primary key, uuid blob, last_modified_time integer,
      app_info_id integer, start_time integer, end_time integer, start_zone_offset integer, end_zone_offset integer);
    create table heart_rate_record_series_table (parent_key integer, beats_per_minute integer, epoch_millis integer)`)
  const record = database.prepare(
    'insert into heart_rate_record_table values (?, ?, ?, 1, ?, ?, 3600, 3600)',
  )
  const rate = database.prepare('insert into heart_rate_record_series_table values (?, ?, ?)')
  // A row of the series has about 22 bytes.
  const records = Math.ceil(bytes / (22 * 60 + 60))
  for (let index = 1; index <= records; index++) {
    const at = START + index * 60 * MINUTE_MS
    const uuid = Buffer.alloc(16)
    uuid.writeUInt32BE(index)
    record.run(index, uuid, at, at, at + 59 * MINUTE_MS)
    for (let minute = 0; minute < 60; minute++) {
      rate.run(index, 50 + ((index * 7 + minute) % 90), at + minute * MINUTE_MS)
    }
  }
  database.exec('commit')
  database.close()
  return Promise.resolve()
}

function readDatabase(path: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      'select r.*, s.beats_per_minute, s.epoch_millis from heart_rate_record_series_table s join heart_rate_record_table r on r.row_id = s.parent_key',
    )
    .iterate()
  for (const _ of rows);
  database.close()
  return Promise.resolve()
}

const KINDS: readonly FileKind[] = [
  {
    name: 'table of Clarity',
    file: 'clarity.csv',
    options: { time_zone: 'Europe/Berlin' },
    write: (path, bytes) =>
      writeText(
        path,
        chunksOf(bytes, CLARITY_HEAD, (index) => {
          const at = iso(START + index * 5 * MINUTE_MS)
          return `${index + 1},${at},EGV,,,,iPhone G6,${70 + (index % 180)},,,,,${index * 300},8ABCDE\n`
        }),
      ),
    parse: parseTable,
  },
  {
    name: 'list of Polar (JSON)',
    file: 'heart-rates.json',
    options: { time_zone: 'Europe/Berlin' },
    write: (path, bytes) =>
      writeText(
        path,
        chunksOf(
          bytes,
          '{"exportVersion":"1.0","deviceDays":[{"userId":1,"deviceId":"A","date":"2016-01-01","samples":[]}',
          (index) => {
            const date = iso(START + index * DAY_MS).slice(0, 10)
            const samples = Array.from({ length: 288 }, (_, at) => {
              return `{"source":"OPTICAL","secondsFromDayStart":${at * 300},"heartRate":${50 + ((index + at) % 90)}}`
            })
            return `,{"userId":1,"deviceId":"A","date":"${date}","samples":[${samples.join(',')}]}`
          },
          ']}',
        ),
      ),
    async parse(path) {
      JSON.parse(await readFile(path, 'utf8'))
    },
  },
  {
    name: 'database of Health Connect',
    file: 'health_connect_export.db',
    options: {},
    write: writeDatabase,
    parse: readDatabase,
  },
]

interface Reading {
  seconds: number
  /** Of the processor, in which a busy machine shows less. */
  processorSeconds: number
  records: number
  megabytes: number
}

/** Seconds of the clock and of the processor. */
async function timesOf(work: () => Promise<unknown>): Promise<[clock: number, processor: number]> {
  const before = process.cpuUsage()
  const seconds = await secondsOf(work)
  const { user, system } = process.cpuUsage(before)
  return [seconds, (user + system) / 1e6]
}

/** Reads a file in a process of its own, whose memory is that of the reading. */
async function readApart(path: string, options: object): Promise<Reading> {
  const script = new URL(import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    path,
    JSON.stringify(options),
  ])
  return JSON.parse(stdout) as Reading
}

/** Measures each kind, and the memory of a table that is ten times as large. */
export async function benchImportFormats(
  server: ServerProcess,
  directory: string,
  megabytes: number,
): Promise<Row[]> {
  const client = createClient(server, 2)
  const rows: Row[] = []
  for (const kind of KINDS) {
    const path = join(directory, kind.file)
    await kind.write(path, megabytes * MEGABYTE)
    const [parses, reads, imports]: [[number, number][], Reading[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      parses.push(await timesOf(() => kind.parse(path)))
      reads.push(await readApart(path, kind.options))
      const userId = await client.makeUser()
      const query = new URLSearchParams(kind.options as Record<string, string>)
      const { jobSeconds } = await importOnce(server, client.call, userId, path, `?${query}`)
      imports.push(jobSeconds)
    }
    const parseTime = median(parses.map(([seconds]) => seconds))
    const parseProcessor = median(parses.map(([, processor]) => processor))
    const read = median(reads.map(({ seconds }) => seconds))
    const readProcessor = median(reads.map(({ processorSeconds }) => processorSeconds))
    const { records = 0 } = reads[0] ?? {}
    const size = Math.round(statSync(path).size / MEGABYTE)
    const memory = Math.round(median(reads.map((one) => one.megabytes)))
    const parsed = {
      comparedWith: 'parsing alone with the same library',
      other: `${parseTime.toFixed(2)} s (processor ${parseProcessor.toFixed(2)} s)`,
    }
    rows.push(
      {
        job: `read a ${kind.name}, ${size} MB, ${thousands(records)} records (${memory} MB memory)`,
        salus: `${read.toFixed(2)} s (processor ${readProcessor.toFixed(2)} s)`,
        ...parsed,
        ratio: `${times(read / parseTime)} (${times(readProcessor / parseProcessor)})`,
        goal: `≤ ${GOAL}`,
        isMet: read / parseTime <= GOAL,
      },
      {
        job: `import it, stored and counted`,
        salus: `${median(imports).toFixed(2)} s`,
        ...parsed,
        ratio: times(median(imports) / parseTime),
        ...{ goal: '', isMet: null },
      },
    )
  }
  await client.close()
  const [table] = KINDS
  if (table !== undefined) {
    const path = join(directory, 'large.csv')
    await table.write(path, 10 * megabytes * MEGABYTE)
    const { seconds, records, megabytes: memory } = await readApart(path, table.options)
    rows.push({
      job: `read a ${table.name} ten times as large, ${thousands(records)} records`,
      salus: `${seconds.toFixed(1)} s`,
      ...{ comparedWith: 'memory at its highest', other: `${Math.round(memory)} MB`, ratio: '' },
      ...{ goal: '', isMet: null },
    })
  }
  return rows
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [path = '', options = '{}'] = process.argv.slice(2)
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  let records = 0
  const [seconds, processorSeconds] = await timesOf(async () => {
    const wanted = { path, maxBytes: 2 ** 40, options: JSON.parse(options), now: new Date() }
    records = (await mapFile(wanted)).progress.records
  })
  clearInterval(watch)
  const read: Reading = { seconds, processorSeconds, records, megabytes: peak / MEGABYTE }
  console.log(JSON.stringify(read))
}
