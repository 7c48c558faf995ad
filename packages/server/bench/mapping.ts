import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { CONNECTORS, type Collection, PageData } from '@salus/health/connectors'
import { NO_CONTEXT } from '../test/connectors/no-context.ts'
import { VENDOR_PAGES } from '../test/connectors/vendor-pages.registry.ts'
import { median, type Row, times } from './measure.ts'

/** Records of a page, as far as its kind has several. */
const RECORDS = 200
const ROUNDS = 9
const ROUND_MS = 60
const REQUEST = {
  range: { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 2, 1) },
  cursor: null,
  context: NO_CONTEXT,
}
/** Time between two records. */
const STEP_MS = 5 * MINUTE_MS
/** Mapping may take at most this many times the parsing of its bytes. */
const GOAL = 0.3

/**
 * How fast each connector maps pages in the form of its vendor, beside `JSON.parse` of the same
 * bytes: the slowest collection, and all together.
 */
export function benchMapping(): Row[] {
  return CONNECTORS.map((connector) => {
    const speeds = connector.collections.map((collection) => {
      const pages = VENDOR_PAGES[connector.slug]?.[collection.name]
      const records = pages?.records ?? []
      const many = Array.from({ length: RECORDS }, (_, index) =>
        moveBack(records[index % records.length], index),
      )
      const text = JSON.stringify(pages?.page(records.length === 0 ? [] : many))
      return { name: collection.name, ...speedOf(connector.slug, collection, text) }
    })
    const parse = speeds.reduce((sum, { parseMs }) => sum + parseMs, 0)
    const map = speeds.reduce((sum, { mapMs }) => sum + mapMs, 0)
    const bytes = speeds.reduce((sum, speed) => sum + speed.bytes, 0)
    const ratioOf = ({ parseMs, mapMs }: { parseMs: number; mapMs: number }) => parseMs / mapMs
    const [slowest] = speeds.toSorted((one, other) => ratioOf(one) - ratioOf(other))
    const detail = slowest && `slowest: ${slowest.name} ${times(ratioOf(slowest))}`
    return {
      job: `mapping of ${connector.slug}, ${speeds.length} collections (${detail})`,
      salus: `${(bytes / 1000 / map).toFixed(0)} MB/s`,
      comparedWith: 'JSON.parse of the same bytes',
      other: `${(bytes / 1000 / parse).toFixed(0)} MB/s`,
      ratio: times(parse / map),
      goal: `≥ ${GOAL}`,
      isMet: parse / map >= GOAL,
    }
  })
}

/**
 * Returns a record of an earlier time, so that records of a page differ as real ones do: instants
 * by some minutes, dates by days.
 */
function moveBack(record: unknown, steps: number): unknown {
  const by = steps * STEP_MS
  const text = JSON.stringify(record ?? null)
    .replaceAll(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/g, (local) => {
      const at = Date.parse(`${local.replace(' ', 'T')}Z`)
      return new Date(at - by)
        .toISOString()
        .slice(0, 19)
        .replace('T', local[10] ?? 'T')
    })
    .replaceAll(/"\d{4}-\d{2}-\d{2}"/g, (date) => {
      const at = Date.parse(date.slice(1, -1))
      return JSON.stringify(new Date(at - steps * DAY_MS).toISOString().slice(0, 10))
    })
    .replaceAll(/(?<=[:[,])1[5-9]\d{8}(?=[,}\]])/g, (s) => String(Number(s) - by / 1000))
    .replaceAll(/(?<=[:[,])1[5-9]\d{11}(?=[,}\]])/g, (ms) => String(Number(ms) - by))
  return JSON.parse(text)
}

/** Medians of rounds in turns, for one page. */
function speedOf(slug: string, collection: Collection, text: string) {
  const parsed: number[] = []
  const mapped: number[] = []
  const answer = JSON.parse(text)
  const map = () =>
    collection.map(answer, new PageData({ userId: 'u', provider: slug }), [], REQUEST)
  for (let round = 0; round < ROUNDS; round++) {
    parsed.push(millisecondsOf(() => JSON.parse(text)))
    mapped.push(millisecondsOf(map))
  }
  return { bytes: text.length, parseMs: median(parsed), mapMs: median(mapped) }
}

/** Milliseconds of one call, as the mean of many. */
function millisecondsOf(work: () => unknown): number {
  const startedAt = performance.now()
  let calls = 0
  do {
    work()
    calls += 1
  } while (performance.now() - startedAt < ROUND_MS)
  return (performance.now() - startedAt) / calls
}
