import { DateTime, DateTimeInput, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  Amount,
  Count,
  flatSource,
  identity,
  provenance,
  type SummaryColumns,
  TimeZone,
  Whole,
} from '../summary-fields.schema.ts'
import { number, object, sourceFields, text } from '../upload-fields.schema.ts'

export const ECG_CLASSIFICATIONS = ['sinus_rhythm', 'atrial_fibrillation', 'inconclusive'] as const
export const ECG_CAUSES = ['high_heart_rate', 'low_heart_rate', 'poor_reading'] as const

/**
 * An electrocardiogram; its voltages are a time series
 * (docs/contract/06-summaries.md#electrocardiogram).
 */
export const Electrocardiogram = Type.Object(
  {
    ...identity,
    session_start: DateTime,
    session_end: DateTime,
    voltage_sample_count: Whole('Number of samples.'),
    heart_rate_mean: Count('bpm'),
    sampling_frequency_hz: Amount('Hz'),
    classification: Nullable(TextEnum(ECG_CLASSIFICATIONS)),
    inconclusive_cause: Nullable(TextEnum(ECG_CAUSES)),
    algorithm_version: Nullable(Type.String()),
    time_zone: TimeZone,
    ...flatSource,
    source_device_model: Nullable(Type.String()),
    ...provenance,
  },
  { title: 'Electrocardiogram' },
)
export type Electrocardiogram = Type.Static<typeof Electrocardiogram>

/** Columns of the resource, in the order of the table. */
export const ELECTROCARDIOGRAM_COLUMNS = {
  voltage_sample_count: 'integer',
  heart_rate_mean: 'integer',
  sampling_frequency_hz: 'number',
  classification: 'text',
  inconclusive_cause: 'text',
  algorithm_version: 'text',
} as const satisfies SummaryColumns

/** An electrocardiogram in an upload (docs/contract/07-mobile-sync.md#ecg). */
export const ElectrocardiogramUpload = object('ElectrocardiogramUploadItem', {
  electrocardiogram: object('ElectrocardiogramUploadRecord', {
    id: text(),
    session_start: DateTimeInput,
    session_end: DateTimeInput,
    voltage_sample_count: number(),
    heart_rate_mean: number('bpm'),
    sampling_frequency_hz: number('Hz'),
    classification: text(),
    inconclusive_cause: text(),
    algorithm_version: text(),
    device_model: text(),
    ...sourceFields,
  }),
  voltage_data: Type.Optional(
    Nullable(
      object('VoltageData', {
        session_start_offset_millisecond: Type.Array(Type.Integer()),
        lead1: Type.Array(Nullable(Type.Number({ description: 'mV' }))),
      }),
    ),
  ),
})
