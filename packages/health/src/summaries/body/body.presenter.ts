import { deprecatedDateOf, type PresenterContext, provenanceOf } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { Body } from './body.schema.ts'

/** Converts a body measurement for answers and events (docs/contract/06-summaries.md#body). */
export function toBody(row: SummaryRow<'body'>, context: PresenterContext): Body {
  return {
    id: row.id,
    user_id: context.userId,
    date: deprecatedDateOf(row),
    calendar_date: row.calendar_date,
    weight: row.weight_kilogram,
    fat: row.fat_mass_percentage,
    water_percentage: row.water_percentage,
    muscle_mass_percentage: row.muscle_mass_percentage,
    bone_mass_percentage: row.bone_mass_percentage,
    visceral_fat_index: row.visceral_fat_index,
    body_mass_index: row.body_mass_index,
    lean_body_mass_kilogram: row.lean_body_mass_kilogram,
    waist_circumference_centimeter: row.waist_circumference_centimeter,
    ...provenanceOf(row, context),
  }
}
