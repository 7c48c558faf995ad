import { DAY_MS } from '@salus/contracts/time-units'
import type {
  Connector,
  FetchJson,
  PageContext,
  PageData,
  TimeRange,
} from '@salus/health/connectors'
import { pullPage } from '../../../health/src/pulling/running/pull-range.ts'
import { NO_CONTEXT } from './no-context.ts'

/**
 * Pulls all pages of a range, in parts as long as the collection allows, as the puller does.
 * @returns how many there were
 */
export async function pullCollection(
  fetchJson: FetchJson,
  wanted: { connector: Connector; name: string; range: TimeRange; data: PageData },
  context: PageContext = NO_CONTEXT,
): Promise<number> {
  const { connector, name, range, data } = wanted
  const collection = connector.collections.find((one) => one.name === name)
  if (collection === undefined) throw new Error(`No collection ${name}`)
  const isOneWalk = collection.history === 'newest_first'
  const step = isOneWalk ? range.to - range.from : collection.mostDaysAtOnce * DAY_MS
  const until = collection.history === 'none' ? range.from + 1 : range.to
  let pages = 0
  for (let from = range.from; from < until; from += step) {
    const part = { from, to: Math.min(range.to, from + step) }
    let cursor: string | null = null
    do {
      cursor = await pullPage({ fetchJson, context }, collection, { range: part, cursor }, data)
      pages += 1
    } while (cursor !== null)
  }
  return pages
}
