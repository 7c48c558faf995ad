import type { SampleOwner } from '../../ingest/index.ts'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { BODY_LISTS } from './body-parser.ts'
import { listStoredBodies, type StoredBody } from './stored-bodies.repository.ts'

/**
 * Adds to body summaries what is stored of the same source and minute: a weight and a body fat of one
 * moment may come in different uploads, and a summary is replaced as a whole.
 */
export async function joinStoredBodies(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  summaries: readonly NewSummary[],
): Promise<NewSummary[]> {
  const bodies = summaries.filter((summary) => summary.resource === 'body')
  if (bodies.length === 0) return [...summaries]
  const ids = bodies.map((summary) => summaryId(owner, summary))
  const { environmentId, userId } = owner
  const rows = await listStoredBodies(clickhouse, environmentId, userId, ids)
  const stored = new Map(rows.map((row) => [row.id, row]))
  return summaries.map((summary) => {
    const row = stored.get(summaryId(owner, summary))
    return row === undefined ? summary : join(summary as NewSummary<'body'>, row)
  })
}

function join(summary: NewSummary<'body'>, stored: StoredBody): NewSummary<'body'> {
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
