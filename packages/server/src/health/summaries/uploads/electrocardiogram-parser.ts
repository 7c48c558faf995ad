import {
  isInRange,
  isStorableInstant,
  type PutAsideReason,
  parseItem,
  type Sample,
} from '../../ingest/index.ts'
import { series as seriesOf } from '../../series/index.ts'
import type { NewSummary } from '../summary.ts'
import { emptyValues } from './empty-values.ts'
import { type Fields, ItemReader, isFields, readKey, readText } from './item-reader.ts'
import { type ItemSource, readSource } from './item-source.ts'
import { localClock, readInterval, startId } from './item-time.ts'
import { emptyItem, type ItemContext, type ParsedItem } from './parsed-item.ts'

const CLASSIFICATIONS = ['sinus_rhythm', 'atrial_fibrillation', 'inconclusive']
const CAUSES = ['high_heart_rate', 'low_heart_rate', 'poor_reading']

const SERIES = seriesOf('electrocardiogram_voltage')

/** One electrocardiogram (contract 07, "ECG") and its voltages, in millivolts. */
export function parseElectrocardiogram(
  context: ItemContext,
  item: unknown,
): ParsedItem | PutAsideReason {
  if (!isFields(item)) return 'not_an_object'
  const record = readKey(item, 'electrocardiogram')
  if (!isFields(record)) return 'not_an_object'
  const interval = readInterval(record, ['session_start', 'session_end'])
  if (typeof interval === 'string') return interval
  const source = readSource(context, record)
  if (source === undefined) return 'unknown_source_type'
  const startedAt = interval.start.epochMilliseconds
  const voltages = parseVoltages(context, readKey(item, 'voltage_data'), source, startedAt)
  if (typeof voltages === 'string') return voltages
  const reader = new ItemReader(record)
  const values = recordValues(reader, record, voltages.length)
  if (reader.problem !== undefined) return reader.problem
  const parsed = emptyItem()
  parsed.samples = voltages
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  parsed.summaries.push({
    resource: 'electrocardiogram',
    recordId: readText(record, 'id') || startId(startedAt, source.sourceType),
    sourceType: source.sourceType,
    appId: source.appId,
    deviceModel: readText(record, 'device_model') || source.deviceModel,
    calendarDate: null,
    startedAt,
    endedAt: interval.end.epochMilliseconds,
    ...localClock(context, interval.start, source.metadata),
    values,
    raw: record,
    modifiedAt: null,
  })
  return parsed
}

function recordValues(
  reader: ItemReader,
  record: Fields,
  voltageCount: number,
): NewSummary<'electrocardiogram'>['values'] {
  // Clients also write what no answer may hold, such as that nothing was set.
  const known = (name: string, texts: readonly string[]): string | null =>
    texts.find((text) => text === readText(record, name)) ?? null
  return {
    ...emptyValues('electrocardiogram'),
    voltage_sample_count: reader.integer('voltage_sample_count') ?? voltageCount,
    heart_rate_mean: reader.heartRate('heart_rate_mean'),
    sampling_frequency_hz: reader.measured('sampling_frequency_hz', 1e6),
    classification: known('classification', CLASSIFICATIONS),
    inconclusive_cause: known('inconclusive_cause', CAUSES),
    algorithm_version: readText(record, 'algorithm_version') || null,
  }
}

/** Voltages by milliseconds from the start of the session; where the lead lost contact there is none. */
function parseVoltages(
  { provider, timeZone }: ItemContext,
  data: unknown,
  source: ItemSource,
  startedAt: number,
): Sample[] | PutAsideReason {
  if (data === undefined || data === null) return []
  if (!isFields(data)) return 'not_an_object'
  const offsets = readKey(data, 'session_start_offset_millisecond')
  const values = readKey(data, 'lead_1')
  if (!Array.isArray(offsets) || !Array.isArray(values)) return 'invalid_value'
  if (offsets.length !== values.length) return 'invalid_value'
  const first = {
    ...source.keys,
    metadata: { ...source.metadata, type: 'lead_1' },
    value: 0,
    unit: SERIES.unit,
    start_date: new Date(startedAt).toISOString(),
  }
  const template = parseItem({ series: SERIES, provider, timeZone }, first)
  if (typeof template === 'string') return template
  const samples: Sample[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const offset = offsets[index]
    if (typeof value !== 'number' || !isInRange(SERIES, value)) return 'invalid_value'
    if (typeof offset !== 'number') return 'invalid_start_date'
    const at = startedAt + Math.round(offset)
    if (!isStorableInstant(at)) return 'invalid_start_date'
    samples.push({ ...(template[0] as Sample), startedAt: at, endedAt: at, value })
  }
  return samples
}
