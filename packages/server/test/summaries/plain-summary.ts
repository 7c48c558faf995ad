import type { NewSummary } from '../../../health/src/summaries/summary.ts'
import { exampleRow } from '../../../health/src/summaries/summary-examples.ts'
import type {
  SummaryResource,
  SummaryValues,
} from '../../../health/src/summaries/summary-tables.registry.ts'

/** A summary with the values of the example of its resource, and the given parts. */
export function plainSummary<R extends SummaryResource>(
  resource: R,
  parts: Partial<Omit<NewSummary<R>, 'values'>> & { values?: Partial<SummaryValues<R>> } = {},
): NewSummary<R> {
  const example = exampleRow(resource)
  const { values, ...rest } = parts
  const {
    id: _id,
    provider: _provider,
    source_type: sourceType,
    app_id: appId,
    device_model: deviceModel,
    external_id: recordId,
    calendar_date: calendarDate,
    started_at: startedAt,
    ended_at: endedAt,
    timezone_offset: timezoneOffset,
    time_zone: timeZone,
    created_at: _createdAt,
    updated_at: _updatedAt,
    ...columns
  } = example
  return {
    resource,
    recordId,
    sourceType,
    appId,
    deviceModel,
    calendarDate,
    startedAt,
    endedAt,
    timezoneOffset,
    timeZone,
    values: { ...(columns as unknown as SummaryValues<R>), ...values },
    raw: { from: 'a test' },
    modifiedAt: null,
    ...rest,
  }
}
