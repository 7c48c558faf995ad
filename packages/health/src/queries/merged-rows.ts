import type { SentRows } from '@salus/kernel/clickhouse/clickhouse'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { WorkSlice } from '@salus/kernel/time-slices'
import { escapeTsv } from '../ingest/index.ts'
import { findSourceRankings, type SourceRanking } from '../source-priorities/index.ts'
import { listSetAsideIds } from '../summaries/index.ts'
import { type MergedPart, readMergedParts } from '../timeseries/index.ts'
import type { MergedRowsPlan, QueryTarget } from './compiled-query.ts'
import { EPOCH_LOCAL_MS } from './tables/floating-sql.ts'
import {
  MERGED_COLUMNS,
  MERGED_TABLE,
  SET_ASIDE_COLUMNS,
  SET_ASIDE_TABLE,
} from './tables/merged-sources.ts'

/** Maximum size sent with one statement: about a million rows. */
const MOST_BYTES = 96 * 1024 * 1024

export interface MergeLimits {
  /** Maximum number of samples that one query may read. */
  sourceRows: number
  seconds: number
}

/**
 * Merges the rows that a statement reads as merged, in the same way as the merged reads, and
 * returns those that count, or of summaries those that do not.
 * @returns undefined for a statement that only reads stored data
 * @throws AppError 400 `range_too_large`, 503 `query_timeout`
 */
export async function mergeQueryRows(
  scope: Scope,
  plan: MergedRowsPlan | null,
  { userId, fallbackZone }: Pick<QueryTarget, 'userId' | 'fallbackZone'>,
  { sourceRows, seconds }: MergeLimits,
  signal?: AbortSignal,
): Promise<SentRows | undefined> {
  if (plan === null) return undefined
  const { fromDay, toDay, preferred } = plan
  if (plan.kind === 'sessions') {
    const person = { userId, fallbackZone }
    const days = [fromDay, toDay - 1] as const
    const ids = await listSetAsideIds(scope, plan.resource, person, days, preferred)
    const payload = Buffer.from(ids.map((id) => `${id}\n`).join(''))
    return { table: SET_ASIDE_TABLE, columns: SET_ASIDE_COLUMNS, payload }
  }
  const names = plan.parts.map(({ series }) => series.name)
  const rankings = await findSourceRankings(scope, userId, names, preferred)
  const endsAt = performance.now() + seconds * 1000
  const pieces: Buffer[] = []
  let bytes = 0
  for (const { series, slot, isSummed } of plan.parts) {
    const ranking = rankings.get(series.name) as SourceRanking
    const request = { ...{ userId, series, ranking, fallbackZone, slot, isSummed }, fromDay, toDay }
    for await (const parts of readMergedParts(scope, { ...request, mostSamples: sourceRows })) {
      signal?.throwIfAborted()
      if (performance.now() > endsAt) {
        throw new AppError(
          503,
          'query_timeout',
          'The query took too long. Query a shorter time range.',
        )
      }
      const piece = await writeRows(series.name, parts)
      bytes += piece.length
      if (bytes > MOST_BYTES) {
        throw badRequest(
          'range_too_large',
          'The query reads too much data. Query a shorter time range.',
        )
      }
      pieces.push(piece)
    }
  }
  return { table: MERGED_TABLE, columns: MERGED_COLUMNS, payload: Buffer.concat(pieces) }
}

async function writeRows(series: string, parts: readonly MergedPart[]): Promise<Buffer> {
  const slice = new WorkSlice()
  const lines: string[] = []
  for (const { type, source, localMs, offset, duration, value } of parts) {
    const times = `${localMs + EPOCH_LOCAL_MS}\t${value}\t${duration}\t${offset ?? '\\N'}`
    const names = [type, source.provider, source.sourceType, source.appId].map(escapeTsv)
    lines.push(`${series}\t${times}\t${names.join('\t')}\n`)
    if (lines.length % 1024 === 0 && slice.isOver()) await slice.rest()
  }
  return Buffer.from(lines.join(''))
}
