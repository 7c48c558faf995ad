import { Nullable } from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'
import { lenientList, QuantitySample } from '../../ingest/index.ts'
import {
  Amount,
  CalendarDate,
  deprecatedDate,
  identity,
  provenance,
  type SummaryColumns,
} from '../summary-fields.schema.ts'
import { object } from '../upload-fields.schema.ts'

/** One body measurement (docs/contract/06-summaries.md#body). */
export const Body = Type.Object(
  {
    ...identity,
    ...deprecatedDate,
    calendar_date: CalendarDate('Local date of the measurement.'),
    weight: Amount('kg'),
    fat: Amount('%'),
    water_percentage: Amount('%'),
    muscle_mass_percentage: Amount('%'),
    bone_mass_percentage: Amount('%'),
    visceral_fat_index: Amount('Visceral fat index, without a unit.'),
    body_mass_index: Amount('kg/m²'),
    lean_body_mass_kilogram: Amount('kg'),
    waist_circumference_centimeter: Amount('cm'),
    ...provenance,
  },
  { title: 'Body' },
)
export type Body = Type.Static<typeof Body>

/** Columns of the resource, in the order of the table. */
export const BODY_COLUMNS = {
  weight_kilogram: 'number',
  fat_mass_percentage: 'number',
  water_percentage: 'number',
  muscle_mass_percentage: 'number',
  visceral_fat_index: 'number',
  bone_mass_percentage: 'number',
  body_mass_index: 'number',
  lean_body_mass_kilogram: 'number',
  waist_circumference_centimeter: 'number',
} as const satisfies SummaryColumns

const measurements = Type.Optional(Nullable(lenientList(QuantitySample) as TSchema))

/** Body measurements in an upload (docs/contract/07-mobile-sync.md#body). */
export const BodyUpload = object('BodyUploadData', {
  body_mass: measurements,
  body_fat_percentage: measurements,
  body_mass_index: measurements,
  lean_body_mass: measurements,
  waist_circumference: measurements,
  time_zones: Type.Optional(
    Type.Unknown({ description: 'Pairs of a date and an IANA time zone.' }),
  ),
})
