import Type, { type TProperties } from 'typebox'
import { DateOnly, Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import { flatSource } from './session-source.schema.ts'
import { identity, provenance } from './summary-fields.schema.ts'

const TEST_RESULTS = ['negative', 'positive', 'indeterminate'] as const
const OVULATION_RESULTS = [
  'negative',
  'positive',
  'luteinizing_hormone_surge',
  'estrogen_surge',
  'indeterminate',
] as const
const CONTRACEPTIVES = [
  'unspecified',
  'implant',
  'injection',
  'iud',
  'intravaginal_ring',
  'oral',
  'patch',
] as const
const DEVIATIONS = [
  'persistent_intermenstrual_bleeding',
  'prolonged_menstrual_periods',
  'irregular_menstrual_cycles',
  'infrequent_menstrual_cycles',
] as const

const entries = <P extends TProperties>(title: string, fields: P) =>
  Type.Array(Type.Object({ date: DateOnly, ...fields }, { title }))

/** What a person noted of a cycle, day by day. */
export const cycleEntries = {
  menstrual_flow: entries('MenstrualFlow', {
    flow: TextEnum(['unspecified', 'none', 'light', 'medium', 'heavy']),
  }),
  cervical_mucus: entries('CervicalMucus', {
    quality: TextEnum(['dry', 'sticky', 'creamy', 'watery', 'egg_white']),
  }),
  intermenstrual_bleeding: entries('IntermenstrualBleeding', {}),
  contraceptive: entries('Contraceptive', { type: TextEnum(CONTRACEPTIVES) }),
  detected_deviations: entries('DetectedDeviation', { deviation: TextEnum(DEVIATIONS) }),
  ovulation_test: entries('OvulationTest', { test_result: TextEnum(OVULATION_RESULTS) }),
  home_pregnancy_test: entries('HomePregnancyTest', { test_result: TextEnum(TEST_RESULTS) }),
  home_progesterone_test: entries('HomeProgesteroneTest', {
    test_result: TextEnum(TEST_RESULTS),
  }),
  sexual_activity: entries('SexualActivity', { protection_used: Nullable(Type.Boolean()) }),
  basal_body_temperature: entries('CycleBasalBodyTemperature', {
    value: Type.Number({ description: '°C' }),
  }),
}

/** A menstrual cycle (contract 06, section 8). */
export const MenstrualCycle = Type.Object(
  {
    ...identity,
    period_start: DateOnly,
    period_end: Nullable(DateOnly),
    cycle_end: Nullable(DateOnly),
    is_predicted: Type.Boolean(),
    ...cycleEntries,
    ...flatSource,
    ...provenance,
  },
  { title: 'MenstrualCycle' },
)
export type MenstrualCycle = Type.Static<typeof MenstrualCycle>
