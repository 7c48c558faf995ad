import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * Figures by which `salus capacity` computes what so many people need: this bench writes those that
 * it measured into the file of the command, and keeps the others.
 */

const FILE = fileURLToPath(
  new URL('../../cli/src/operation/capacity-figures.json', import.meta.url),
)
const SAMPLES = 1000

export interface Parts {
  api: number
  worker: number
  postgres: number
  clickhouse: number
}

/** Bytes of each table. */
export type Sizes = Record<string, number>

interface Stage {
  /** Seconds of a processor. */
  processor: Parts
  /** Bytes of PostgreSQL's write-ahead log. */
  log: number
  /** Added bytes of the tables of PostgreSQL and of ClickHouse. */
  rooms: [Sizes, Sizes]
}

/** Values of a figure by role, and its unit. */
type Measured = Record<string, { values: Partial<Parts>; unit: string }>

/** What a stage needs of the bench. */
export interface StageTools {
  /** Uploads of all people with so many samples each; a round has times of its own. */
  upload: (samples: number, round: number) => Promise<void>
  /** Processor time of the work and of what follows it. */
  measure: (work: () => Promise<void>) => Promise<Parts>
  readLogPosition: () => Promise<number>
  readSizes: () => Promise<[Sizes, Sizes]>
  addEndpoint: () => Promise<void>
  /** In each stage. */
  uploads: number
}

/**
 * Uploads of one sample and of a thousand. What a delivery adds is the difference of two stages,
 * which follow each other when everything has been used once.
 */
export async function measureUploads(tools: StageTools): Promise<Measured> {
  const { uploads } = tools
  await tools.measure(() => tools.upload(SAMPLES, 0))
  await tools.measure(() => tools.upload(1, 1))
  const one = await runStage(tools, 1, 2)
  await tools.addEndpoint()
  const delivered = await runStage(tools, 1, 3)
  const thousand = await runStage(tools, SAMPLES, 4)
  // The other two have no part in a delivery: their difference is how much stages vary.
  const both = difference(delivered.processor, one.processor)
  const delivery = { ...both, api: 0, clickhouse: 0 }
  const added = ({ rooms }: Stage, of: 0 | 1, names: RegExp): number =>
    Object.entries(rooms[of])
      .filter(([name]) => names.test(name))
      .reduce((sum, [, bytes]) => sum + bytes, 0) / uploads
  const eventBytes = (stage: Stage) =>
    ofPostgres(added(stage, 0, /^(events|webhook_deliveries|webhook_attempts)$/))
  return {
    uploadOf1: costsOf(one.processor, uploads),
    uploadOf1000: costsOf(difference(thousand.processor, delivery), uploads),
    delivery: costsOf(delivery, uploads),
    // With their deliveries: images of whole pages vary more between stages than a delivery adds.
    uploadOf1Log: ofPostgres(delivered.log / uploads),
    uploadOf1000Log: ofPostgres(thousand.log / uploads),
    eventOf1Bytes: eventBytes(delivered),
    eventOf1000Bytes: eventBytes(thousand),
    sampleBytes: {
      values: { clickhouse: Number((added(thousand, 1, /^samples$/) / SAMPLES).toFixed(2)) },
      unit: 'bytes',
    },
  }
}

const ofPostgres = (bytes: number) => ({
  values: { postgres: Math.round(bytes) },
  unit: 'bytes',
})

async function runStage(tools: StageTools, samples: number, round: number): Promise<Stage> {
  const sizes = await tools.readSizes()
  const from = await tools.readLogPosition()
  const processor = await tools.measure(() => tools.upload(samples, round))
  const log = (await tools.readLogPosition()) - from
  const after = await tools.readSizes()
  const grown = (of: 0 | 1): Sizes =>
    Object.fromEntries(
      Object.entries(after[of]).map(([name, bytes]) => [name, bytes - (sizes[of][name] ?? 0)]),
    )
  return { processor, log, rooms: [grown(0), grown(1)] }
}

/** What each of so many requests takes. */
export const costsOf = (parts: Parts, count: number): Measured[string] => ({
  values: mapParts(parts, (seconds) => Math.round((seconds / count) * 1e6)),
  unit: 'µs of a processor',
})

function difference(after: Parts, before: Parts): Parts {
  return {
    api: after.api - before.api,
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
    clickhouse: after.clickhouse - before.clickhouse,
  }
}

const mapParts = (parts: Parts, change: (value: number) => number): Parts => ({
  api: change(parts.api),
  worker: change(parts.worker),
  postgres: change(parts.postgres),
  clickhouse: change(parts.clickhouse),
})

/**
 * Replaces what was measured, with the machine and the command, and keeps all other figures.
 */
export function writeFigures(measured: Measured, people: number): void {
  const figures = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, object>
  const source = {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    node: process.version,
    load: Number((loadavg()[1] ?? 0).toFixed(1)),
    command: `npm run bench -- capacity --people=${people}`,
  }
  for (const [name, figure] of Object.entries(measured)) {
    if (figures[name] === undefined) throw new Error(`${FILE} has no ${name}`)
    // A difference below nothing says that the stages vary more than what it should show.
    if (Object.values(figure.values).some((value) => value < 0)) {
      console.log(`${name} is not written: ${JSON.stringify(figure.values)}`)
      continue
    }
    figures[name] = { ...figures[name], ...figure, ...source }
  }
  writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`)
}
