import type { ReportedResult, ResultType } from '@salus/contracts/lab-gateway'
import type { Level } from '../values/sample-value.ts'

/** Fields of a result that depend on its value. */
export type Printed = Pick<
  ReportedResult,
  | 'type'
  | 'result'
  | 'unit'
  | 'reference_range'
  | 'min_range_value'
  | 'max_range_value'
  | 'flag'
  | 'notes'
>

/** The intended outcome of a result. */
export interface Wish {
  type: ResultType
  /** Null for a normal result. */
  level: Level | null
  /** Whether the report may contain further critical values. */
  isAlarming: boolean
}

/** Flag of a value that is abnormal but neither too low nor too high. */
export const abnormalFlag = (level: Level): string => (level === 'critical' ? 'AA' : 'A')

/** Form of a range (docs/contract/13-results.md#biomarkerresult). */
export const RANGE_PATTERN = /^(?:[<>]=?\d*(?:\.\d+)?|\d*(?:\.\d+)?-\d*(?:\.\d+)?)$/

/** Returns the type of a text by its form. */
export function typeOfText(text: string): 'numeric' | 'range' | 'comment' {
  if (/^\d+(?:\.\d+)?$/.test(text)) return 'numeric'
  return RANGE_PATTERN.test(text) ? 'range' : 'comment'
}

/** Prints words of the laboratory without a measured value, neither good nor bad. */
export function printWords(text: string): Printed {
  return {
    type: 'comment',
    result: text,
    unit: null,
    reference_range: null,
    min_range_value: null,
    max_range_value: null,
    flag: null,
    notes: text,
  }
}
