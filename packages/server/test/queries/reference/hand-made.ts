import type { PersonData, ReferenceTarget, StoredSample, StoredSummary } from './person-data.ts'
import { answerQuery } from './reference-query.ts'
import type { WireConfig, WireQuery } from './wire-query.ts'

/** Few rows of one person, and what the reference answers about March 2026. */

export const UTC: ReferenceTarget = {
  fallbackZone: null,
  priorities: {},
  devices: {},
  now: Date.parse('2026-03-31T12:00:00Z'),
}

export function sample(
  startedAt: string,
  value: number,
  fields: Partial<StoredSample> = {},
): StoredSample {
  const at = Date.parse(startedAt)
  return {
    series: 'glucose',
    startedAt: at,
    endedAt: at,
    provider: 'oura',
    sourceType: 'ring',
    appId: '',
    sampleType: '',
    workoutId: '',
    sport: '',
    timezoneOffset: 0,
    timeZone: '',
    value,
    diastolic: 0,
    text: '',
    extra: '',
    version: 1,
    ...fields,
  }
}

let serial = 0

export function summary(
  resource: string,
  values: StoredSummary['values'],
  fields: Partial<StoredSummary> = {},
): StoredSummary {
  const startedAt = Date.parse('2026-03-10T00:00:00Z')
  return {
    resource,
    id: `id-${serial++}`,
    provider: 'oura',
    sourceType: 'ring',
    appId: '',
    externalId: '',
    calendarDate: null,
    startedAt,
    endedAt: fields.startedAt ?? startedAt,
    timezoneOffset: 0,
    timeZone: '',
    values,
    createdAt: startedAt,
    updatedAt: startedAt + serial,
    version: 1,
    isRemoved: false,
    ...fields,
  }
}

export const MARCH = {
  type: 'relative' as const,
  anchor: '2026-03-31',
  past: { unit: 'month' as const },
}

export function ask(
  data: Partial<PersonData>,
  query: WireQuery,
  { target = UTC, config = {} }: { target?: ReferenceTarget; config?: WireConfig } = {},
) {
  return answerQuery({ samples: [], summaries: [], ...data }, query, MARCH, config, target).table
}

export const GLUCOSE = { timeseries: 'glucose', field: 'value' }
export const BY_DAY = {
  date_trunc: { unit: 'day' as const },
  arg: { index: 'timeseries' as const },
}
