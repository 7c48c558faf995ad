import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { Series } from '../series/index.ts'
import { readFlatSamples } from './timeseries.repository.ts'

/** A time in which one provider recorded, epoch milliseconds, both ends included. */
export interface Session {
  environmentId: string
  userId: string
  provider: string
  from: number
  to: number
}

/**
 * Samples of one series within a session, as the flat read answers them: objects of JSON with commas
 * between them, or undefined when there are more than `most`.
 */
export function readSessionSamples(
  clickhouse: ClickHouse,
  session: Session,
  series: Series,
  most: number,
): Promise<Buffer | undefined> {
  const filter = { ...session, series, sampleType: '', devices: new Map() }
  return readFlatSamples(clickhouse, filter, most)
}
