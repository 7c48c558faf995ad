import Type from 'typebox'
import {
  Amount,
  CalendarDate,
  deprecatedDate,
  identity,
  provenance,
} from './summary-fields.schema.ts'

/** One measurement of the body (contract 06, section 3). */
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
    visceral_fat_index: Amount('A scalar without a unit.'),
    body_mass_index: Amount('kg/m²'),
    lean_body_mass_kilogram: Amount('kg'),
    waist_circumference_centimeter: Amount('cm'),
    ...provenance,
  },
  { title: 'Body' },
)
export type Body = Type.Static<typeof Body>
