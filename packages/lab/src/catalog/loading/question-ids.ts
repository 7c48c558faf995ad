import { createHash } from 'node:crypto'
import type { Question } from '../lab-catalog.schema.ts'
import type { CatalogQuestion } from './catalog-format.schema.ts'

/**
 * Returns the wire object of a question. Ids are derived from the name of the question and the
 * codes of its answers, so they do not change when a catalog is loaded again.
 */
export function toQuestion(key: string, question: CatalogQuestion, sequence: number): Question {
  return {
    id: questionId(key),
    required: question.required,
    code: question.code,
    value: question.text,
    type: question.type,
    sequence,
    answers: (question.answers ?? []).map(({ code, text }) => ({
      id: answerId(key, code),
      code,
      value: text,
    })),
    constraint: question.constraint ?? null,
    default: question.default ?? null,
  }
}

/** Returns the id of a question, from 1 to 2^31 - 1. */
export function questionId(key: string): number {
  return toId(`question ${key}`)
}

/** Returns the id of an answer, from 1 to 2^31 - 1. */
export function answerId(key: string, code: string): number {
  return toId(`answer ${key} ${code}`)
}

function toId(text: string): number {
  const number = createHash('sha256').update(text).digest().readUInt32BE()
  return number >>> 1 || 1
}
