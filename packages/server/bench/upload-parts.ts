import { randomUUID } from 'node:crypto'
import { series } from '@salus/contracts/series'
import { checkParsedJson } from '@salus/kernel/http/json-limits'
import type { UploadBody } from '../../health/src/ingest/ingest.schema.ts'
import { writeSampleBatches } from '../../health/src/ingest/publishing/sample-batches.ts'
import { readUpload } from '../../health/src/ingest/reading/read-upload.ts'
import type { SampleBatch } from '../../health/src/ingest/sample.ts'
import { mergeSamples } from '../../health/src/ingest/sample-merge.ts'
import { changesOf, timesOf } from '../../health/src/ingest/sample-ranges.ts'
import { parseUpload } from '../../health/src/ingest/upload-parser.ts'
import { packBody, writeBody } from '../../kernel/src/events/event-body.ts'
import { parseLargeJson } from '../../kernel/src/http/large-json.ts'
import { parseBody } from '../test/body-parser.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine } from './measure.ts'

const UPLOADS = 48
const SAMPLES_OF_AN_UPLOAD = 1_000
const UPLOADS_OF_AN_INSERT = 16
const LARGE = 100_000

const HEART_RATE = series('heartrate')
const OWNER = { environmentId: randomUUID(), userId: randomUUID(), provider: 'health_connect' }
const CONTEXT = {
  ...{ provider: OWNER.provider, userId: OWNER.userId },
  ...{ deviceId: null, baseUrl: 'https://salus.example.com' },
}

/**
 * Processor time of the parts of an upload that run in JavaScript, without stores and HTTP, and of
 * the parser for comparison. Medians of rounds in which the parts take turns, and the least.
 */
export async function benchUploadParts(rounds: number): Promise<void> {
  const spent = new Map<string, number[]>()
  const timed: Timed = async (part, samples, work) => {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    spent.set(part, [...(spent.get(part) ?? []), (user + system) / samples])
    return result
  }
  for (let round = 0; round <= rounds; round++) {
    await runUploads(timed, round)
    await runLarge(timed, round)
    // The first round warms up.
    if (round === 0) spent.clear()
  }
  printMachine()
  const time = (value: number): string => `${value.toFixed(3)} µs`
  printColumns(
    ['part', 'median', 'least'],
    [...spent].map(([part, all]) => [part, time(median(all)), time(Math.min(...all))]),
  )
}

type Timed = <Result>(
  part: string,
  samples: number,
  work: () => Result | Promise<Result>,
) => Promise<Result>

async function runUploads(timed: Timed, round: number): Promise<void> {
  const samples = UPLOADS * SAMPLES_OF_AN_UPLOAD
  const bodies = Array.from({ length: UPLOADS }, (_, index) => {
    const first = (round * UPLOADS + index) * SAMPLES_OF_AN_UPLOAD
    return Buffer.from(uploadBody(makeHeartRate(index, first, SAMPLES_OF_AN_UPLOAD)))
  })
  await timed('by the parser', samples, () => {
    for (const body of bodies) checkParsedJson(parseBody(body.toString()))
  })
  const read = (await timed('read', samples, () =>
    Promise.all(bodies.map((body) => readUpload(body, parseBody))),
  )) as UploadBody[]
  const parsed = await timed('convert', samples, () =>
    Promise.all(read.map((body) => parseUpload(body, HEART_RATE, null))),
  )
  const batches = parsed.map(({ samples: own = [] }): SampleBatch => {
    return { owner: OWNER, samples: own, publication: {} as never }
  })
  await timed('times', samples, () => changesOf(timesOf(batches)))
  let version = 0
  const merged = await timed('compare', samples, () =>
    Promise.all(
      Array.from({ length: UPLOADS / UPLOADS_OF_AN_INSERT }, (_, insert) => {
        const first = insert * UPLOADS_OF_AN_INSERT
        const own = batches.slice(first, first + UPLOADS_OF_AN_INSERT)
        return mergeSamples(own, '', [], () => ++version)
      }),
    ),
  )
  await timed('rows', samples, () => {
    for (const { rows } of merged) rows.toBlock().toBytes()
  })
  await timed('events', samples, () => {
    const user = { id: OWNER.userId, client_user_id: 'a-client' }
    for (const { created } of merged.flatMap(({ changes }) => changes)) {
      writeSampleBatches(created, CONTEXT, (data) => {
        packBody(writeBody({ eventType: 'daily.data.heartrate.created', teamId: '', user, data }))
      })
    }
  })
}

async function runLarge(timed: Timed, round: number): Promise<void> {
  const body = Buffer.from(uploadBody(makeHeartRate(round, round * LARGE, LARGE)))
  await timed('100,000 by the parser', LARGE, () => parseLargeJson(body, parseBody))
  await timed('100,000 read', LARGE, () => readUpload(body, parseBody))
}
