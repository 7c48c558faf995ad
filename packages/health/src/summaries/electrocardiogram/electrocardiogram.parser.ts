import { series as seriesOf } from '@salus/contracts/series'
import { isInRange, isStorableInstant, parseItem, type Sample } from '../../ingest/index.ts'
import { newSummary } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { type ItemSource, readSession } from '../uploads/item-origin.ts'
import { type Fields, ItemReader, isFields, readKey, readText } from '../uploads/item-reader.ts'
import {
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type QuarantineReason,
} from '../uploads/parsed-item.ts'
import { ECG_CAUSES, ECG_CLASSIFICATIONS } from './electrocardiogram.schema.ts'

const SERIES = seriesOf('electrocardiogram_voltage')

/**
 * Parses one electrocardiogram (docs/contract/07-mobile-sync.md#ecg) and its voltages, in
 * millivolts.
 */
export function parseElectrocardiogram(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const record = readKey(item, 'electrocardiogram')
  if (!isFields(record)) return 'not_an_object'
  const session = readSession(context, record, 'start', ['session_start', 'session_end'])
  if (typeof session === 'string') return session
  const { source, frame } = session
  const data = readKey(item, 'voltage_data')
  const voltages = parseVoltages(context, data, source, frame.startedAt)
  if (typeof voltages === 'string') return voltages
  const reader = new ItemReader(record)
  const values = recordValues(reader, record, voltages.length)
  if (reader.problem !== undefined) return reader.problem
  const parsed = emptyItem()
  parsed.samples = voltages
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  const deviceModel = readText(record, 'device_model') || source.deviceModel
  const whole = { ...frame, deviceModel, raw: record }
  parsed.summaries.push(newSummary('electrocardiogram', whole, values))
  return parsed
}

function recordValues(
  reader: ItemReader,
  record: Fields,
  voltageCount: number,
): Partial<SummaryValues<'electrocardiogram'>> {
  // Clients also send values outside the enumeration, for example for "not set".
  const known = (name: string, texts: readonly string[]): string | null =>
    texts.find((text) => text === readText(record, name)) ?? null
  return {
    voltage_sample_count: reader.integer('voltage_sample_count') ?? voltageCount,
    heart_rate_mean: reader.heartRate('heart_rate_mean'),
    sampling_frequency_hz: reader.measured('sampling_frequency_hz', 1e6),
    classification: known('classification', ECG_CLASSIFICATIONS),
    inconclusive_cause: known('inconclusive_cause', ECG_CAUSES),
    algorithm_version: readText(record, 'algorithm_version') || null,
  }
}

/**
 * Parses voltages by milliseconds from the start of the session; there is none where the lead lost
 * contact.
 */
function parseVoltages(
  { provider, timeZone }: ItemContext,
  data: unknown,
  source: ItemSource,
  startedAt: number,
): Sample[] | QuarantineReason {
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
