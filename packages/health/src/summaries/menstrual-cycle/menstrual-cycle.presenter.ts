import { flatSourceOf, type PresenterContext, provenanceOf } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { MenstrualCycle } from './menstrual-cycle.schema.ts'

type SexualActivity = MenstrualCycle['sexual_activity'][number]

const listOf = <Entry>(json: string): Entry[] => (json === '' ? [] : (JSON.parse(json) as Entry[]))

/** Converts a cycle for answers and events (docs/contract/06-summaries.md#menstrual-cycle). */
export function toMenstrualCycle(
  row: SummaryRow<'menstrual_cycle'>,
  context: PresenterContext,
): MenstrualCycle {
  return {
    id: row.id,
    user_id: context.userId,
    period_start: row.period_start ?? row.calendar_date,
    period_end: row.period_end,
    cycle_end: row.cycle_end,
    is_predicted: row.is_predicted ?? false,
    menstrual_flow: listOf(row.menstrual_flow),
    cervical_mucus: listOf(row.cervical_mucus),
    intermenstrual_bleeding: listOf(row.intermenstrual_bleeding),
    contraceptive: listOf(row.contraceptive),
    detected_deviations: listOf(row.detected_deviations),
    ovulation_test: listOf(row.ovulation_test),
    home_pregnancy_test: listOf(row.home_pregnancy_test),
    home_progesterone_test: listOf(row.home_progesterone_test),
    sexual_activity: listOf<SexualActivity>(row.sexual_activity).map((entry) => ({
      ...entry,
      protection_used: entry.protection_used ?? null,
    })),
    basal_body_temperature: listOf(row.basal_body_temperature),
    ...flatSourceOf(row, context),
    ...provenanceOf(row, context),
  }
}
