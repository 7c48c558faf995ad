import { DateOnly, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type, { type TProperties } from 'typebox'
import { flatSource, identity, provenance, type SummaryColumns } from '../summary-fields.schema.ts'
import { object, sameSchema, text } from '../upload-fields.schema.ts'

export const FLOWS = ['unspecified', 'none', 'light', 'medium', 'heavy'] as const
export const QUALITIES = ['dry', 'sticky', 'creamy', 'watery', 'egg_white'] as const
export const TEST_RESULTS = ['negative', 'positive', 'indeterminate'] as const
export const OVULATION_RESULTS = [
  'negative',
  'positive',
  'luteinizing_hormone_surge',
  'estrogen_surge',
  'indeterminate',
] as const
export const CONTRACEPTIVES = [
  'unspecified',
  'implant',
  'injection',
  'iud',
  'intravaginal_ring',
  'oral',
  'patch',
] as const
export const DEVIATIONS = [
  'persistent_intermenstrual_bleeding',
  'prolonged_menstrual_periods',
  'irregular_menstrual_cycles',
  'infrequent_menstrual_cycles',
] as const

const entries = <P extends TProperties>(title: string, fields: P) =>
  Type.Array(Type.Object({ date: DateOnly, ...fields }, { title }))

/** Observations of a user during a cycle, day by day. */
const cycleEntries = {
  menstrual_flow: entries('MenstrualFlow', {
    flow: TextEnum(FLOWS),
  }),
  cervical_mucus: entries('CervicalMucus', {
    quality: TextEnum(QUALITIES),
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

/** A menstrual cycle (docs/contract/06-summaries.md#menstrual-cycle). */
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

/** Columns of the resource, in the order of the table. */
export const MENSTRUAL_CYCLE_COLUMNS = {
  period_start: 'date',
  period_end: 'date',
  cycle_end: 'date',
  is_predicted: 'boolean',
  menstrual_flow: 'json',
  cervical_mucus: 'json',
  intermenstrual_bleeding: 'json',
  contraceptive: 'json',
  detected_deviations: 'json',
  ovulation_test: 'json',
  home_pregnancy_test: 'json',
  home_progesterone_test: 'json',
  sexual_activity: 'json',
  basal_body_temperature: 'json',
} as const satisfies SummaryColumns

/** An entry has its day and the observations, in the spelling of the source. */
const dated = Type.Optional(
  Type.Array(Type.Object({ date: DateOnly }, { additionalProperties: true })),
)

/** A cycle in an upload (docs/contract/07-mobile-sync.md#menstrualcycle-upload). */
export const MenstrualCycleUpload = object('MenstrualCycleUploadItem', {
  source_bundle: text(),
  cycle: object('MenstrualCycleUploadCycle', {
    period_start: DateOnly,
    period_end: Type.Optional(Nullable(DateOnly)),
    cycle_end: Type.Optional(Nullable(DateOnly)),
    is_predicted: Type.Optional(Nullable(Type.Boolean())),
    ...sameSchema(Object.keys(cycleEntries), dated),
  }),
})
