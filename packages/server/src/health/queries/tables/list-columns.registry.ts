import type { ValueType } from './query-source.ts'

type Fields = Readonly<Record<string, ValueType>>

/**
 * Fields of the elements of list columns (docs/contract/09-aggregate.md#tables-and-columns; types
 * of docs/contract/06-summaries.md#menstrual-cycle).
 */
export const LIST_COLUMNS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  menstrual_cycle: {
    menstrual_flow: { date: 'date', flow: 'text' },
    cervical_mucus: { date: 'date', quality: 'text' },
    intermenstrual_bleeding: { date: 'date' },
    contraceptive: { date: 'date', type: 'text' },
    detected_deviations: { date: 'date', deviation: 'text' },
    ovulation_test: { date: 'date', test_result: 'text' },
    home_pregnancy_test: { date: 'date', test_result: 'text' },
    home_progesterone_test: { date: 'date', test_result: 'text' },
    sexual_activity: { date: 'date', protection_used: 'boolean' },
    basal_body_temperature: { date: 'date', value: 'number' },
  },
}
