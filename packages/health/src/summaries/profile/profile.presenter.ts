import { type PresenterContext, provenanceOf } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { Profile } from './profile.schema.ts'

/** Converts a profile for answers and events (docs/contract/06-summaries.md#profile). */
export function toProfile(row: SummaryRow<'profile'>, context: PresenterContext): Profile {
  return {
    id: row.id,
    user_id: context.userId,
    height: row.height_centimeter,
    birth_date: row.birth_date,
    wheelchair_use: row.wheelchair_use || null,
    gender: row.gender as Profile['gender'],
    sex: row.sex as Profile['sex'],
    ...provenanceOf(row, context),
  }
}
