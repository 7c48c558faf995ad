import Type from 'typebox'
import { DateTime, Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import { flatSource } from './session-source.schema.ts'
import { Amount, Count, identity, provenance, TimeZone, Whole } from './summary-fields.schema.ts'

export const ECG_CLASSIFICATIONS = ['sinus_rhythm', 'atrial_fibrillation', 'inconclusive'] as const
export const ECG_CAUSES = ['high_heart_rate', 'low_heart_rate', 'poor_reading'] as const

/** A recording of the heart; its voltages are a time series (contract 06, section 9). */
export const Electrocardiogram = Type.Object(
  {
    ...identity,
    session_start: DateTime,
    session_end: DateTime,
    voltage_sample_count: Whole('Samples.'),
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
