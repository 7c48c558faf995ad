import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleOwner } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { BODY_LISTS } from './body.parser.ts'
import { listStoredBodies, type StoredBody } from './stored-bodies.repository.ts'

/** Summaries in one look-up. */
const MOST_AT_ONCE = 500

/**
 * Adds stored values of the same source and minute to body summaries: a weight and a body fat of
 * one moment may come in different uploads, and a summary is replaced as a whole.
 */
export async function joinStoredBodies(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  summaries: readonly NewSummary[],
): Promise<NewSummary[]> {
  const bodies = summaries.filter((summary) => summary.resource === 'body')
  if (bodies.length === 0) return [...summaries]
  const joined: NewSummary[] = summaries.filter((summary) => summary.resource !== 'body')
  for (let from = 0; from < bodies.length; from += MOST_AT_ONCE) {
    const part = bodies.slice(from, from + MOST_AT_ONCE)
    const ids = part.map((summary) => summaryId(owner, summary))
    const { environmentId, userId } = owner
    const rows = await listStoredBodies(clickhouse, environmentId, userId, ids)
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const [index, summary] of part.entries()) {
      const row = stored.get(ids[index] as string)
      joined.push(row === undefined ? summary : joinBody(summary as NewSummary<'body'>, row))
    }
  }
  return joined
}

function joinBody(summary: NewSummary<'body'>, stored: StoredBody): NewSummary<'body'> {
  const values = { ...summary.values }
  for (const column of BODY_LISTS.keys()) values[column] ??= stored[column]
  const startedAt = Math.min(summary.startedAt, stored.started_at)
  return {
    ...summary,
    deviceModel: summary.deviceModel || stored.device_model,
    startedAt,
    endedAt: startedAt,
    values,
    raw: { ...(JSON.parse(stored.raw) as object), ...(summary.raw as object) },
  }
}
