import type { ResourceStatisticsRow } from '../../connections/index.ts'
import { findSeries } from '../../series/index.ts'
import { findSeriesEvents } from '../ingest.events.ts'
import type { Sample, SampleOwner } from '../sample.ts'
import type { SampleNote } from './unannounced.repository.ts'

/** Samples of one owner that were not there before. */
export interface CreatedSamples {
  owner: SampleOwner
  created: readonly Sample[]
}

/** That what the notes are about was stored, and how many of its samples are told as new. */
export function attemptsOf(
  notes: readonly SampleNote[],
  batches: readonly CreatedSamples[],
  at: Date,
): ResourceStatisticsRow[] {
  const sent = new Map<string, number>()
  for (const { owner, created } of batches) {
    for (const [series, count] of countBySeries(created)) {
      const key = `${owner.environmentId} ${owner.userId} ${owner.provider} ${series}`
      sent.set(key, (sent.get(key) ?? 0) + count)
    }
  }
  // A resource is that of one series only, so that no two notes of a flush make the same row.
  return notes.map(({ environment_id, user_id, provider, series }) => ({
    environment_id,
    user_id,
    provider,
    resource: findSeries(series)?.resource ?? series,
    last_attempt_at: at,
    last_attempt_status: 'success',
    sent_count: findSeriesEvents(series)
      ? (sent.get(`${environment_id} ${user_id} ${provider} ${series}`) ?? 0)
      : 0,
  }))
}

function countBySeries(samples: readonly Sample[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { series } of samples) counts.set(series, (counts.get(series) ?? 0) + 1)
  return counts
}
