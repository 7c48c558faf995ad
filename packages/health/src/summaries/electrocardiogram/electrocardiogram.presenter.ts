import { formatInstant } from '@salus/kernel/time/instants'
import {
  flatSourceOf,
  type PresenterContext,
  provenanceOf,
  timeZoneOf,
} from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { Electrocardiogram } from './electrocardiogram.schema.ts'

/**
 * Converts an electrocardiogram for answers and events
 * (docs/contract/06-summaries.md#electrocardiogram).
 */
export function toElectrocardiogram(
  row: SummaryRow<'electrocardiogram'>,
  context: PresenterContext,
): Electrocardiogram {
  return {
    id: row.id,
    user_id: context.userId,
    session_start: formatInstant(row.started_at),
    session_end: formatInstant(row.ended_at),
    voltage_sample_count: row.voltage_sample_count ?? 0,
    heart_rate_mean: row.heart_rate_mean,
    sampling_frequency_hz: row.sampling_frequency_hz,
    classification: row.classification as Electrocardiogram['classification'],
    inconclusive_cause: row.inconclusive_cause as Electrocardiogram['inconclusive_cause'],
    algorithm_version: row.algorithm_version,
    time_zone: timeZoneOf(row, context),
    ...flatSourceOf(row, context),
    source_device_model: row.device_model || null,
    ...provenanceOf(row, context),
  }
}
