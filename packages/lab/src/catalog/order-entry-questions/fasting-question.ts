import type { Question } from '../lab-catalog.schema.ts'

const CODES = new Set(['FSTING', 'FASTING', 'FAST', 'FASTING_STATUS'])
const YES = /^(y|yes|t|true|1|fasting)$/i
const NO = /^(n|no|f|false|0|non[- ]?fasting|not fasting)$/i

/**
 * Returns true for a question about whether the patient fasted
 * (docs/contract/10-labs-and-tests.md#ask-on-order-entry-aoe).
 */
export function isFastingQuestion({ code, value, type }: Question): boolean {
  if (type === 'numeric') return false
  return (
    CODES.has(code.toUpperCase()) || /^(is|was|has) .*\bfast(ing|ed)\b|^fasting\??$/i.test(value)
  )
}

/** Returns the answer for a test that does or does not need fasting; null when no answer fits. */
export function answerFastingQuestion(question: Question, fasting: boolean): string | null {
  if (question.type === 'text') return fasting ? 'Y' : 'N'
  const wanted = fasting ? YES : NO
  const fitting =
    question.answers.find(({ code }) => wanted.test(code)) ??
    question.answers.find(({ value }) => wanted.test(value.trim()))
  return fitting?.code ?? null
}
