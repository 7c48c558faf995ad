import { badRequest } from '@salus/kernel/errors'
import type { AoeAnswer, Question } from '../lab-catalog.schema.ts'
import type { OrderedMarker } from '../markers/markers.global.repository.ts'
import { satisfiesConstraint } from './answer-constraint.ts'
import { answerFastingQuestion, isFastingQuestion } from './fasting-question.ts'

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/

/**
 * Checks the answers to order-entry questions, and adds missing ones: the state of fasting of the
 * lab tests, then each question's default. A fasting question never requires an answer.
 * @returns answers by marker, then by the sequence of the questions
 * @throws AppError 400 `aoe_invalid`, and `aoe_required` with the texts of the open questions in
 *   `questions`
 */
export function checkAoeAnswers(
  markers: readonly Pick<OrderedMarker, 'id' | 'questions'>[],
  answers: readonly AoeAnswer[],
  fasting: boolean,
): AoeAnswer[] {
  const given = Map.groupBy(answers, (answer) => keyOf(answer.marker_id, answer.question_id))
  const asked = markers.flatMap(({ id, questions }) =>
    inSequence(questions ?? []).map((question) => ({ markerId: id, question })),
  )
  const known = new Set(asked.map(({ markerId, question }) => keyOf(markerId, question.id)))
  if ([...given.keys()].some((key) => !known.has(key))) throw invalidAnswer()

  const open = new Set<string>()
  const complete = asked.flatMap(({ markerId, question }) => {
    const own = given.get(keyOf(markerId, question.id))?.map(({ answer }) => answer) ?? []
    const texts = completeAnswer(question, readAnswers(markerId, question, own), fasting)
    if (texts.length === 0 && question.required && !isFastingQuestion(question)) {
      open.add(question.value)
    }
    return texts.map((answer) => ({ marker_id: markerId, question_id: question.id, answer }))
  })
  if (open.size > 0) {
    throw badRequest('aoe_required', 'Questions of the laboratory are not answered.', {
      questions: [...open],
    })
  }
  return complete
}

const keyOf = (markerId: number, questionId: number): string => `${markerId}:${questionId}`

const inSequence = (questions: readonly Question[]): Question[] =>
  questions.toSorted((a, b) => a.sequence - b.sequence || a.id - b.id)

/** Checks the given answers; blank text is not an answer. */
function readAnswers(markerId: number, question: Question, texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)]
  const given = question.type === 'text' ? distinct.filter((text) => text.trim() !== '') : distinct
  const isOne = question.type === 'multi_choice' || distinct.length <= 1
  if (!isOne || !given.every((text) => isAnswerTo(question, text))) {
    throw invalidAnswer({ marker_id: markerId, question_id: question.id })
  }
  return given
}

function isAnswerTo({ type, answers, constraint }: Question, text: string): boolean {
  if (type !== 'numeric' && type !== 'text') return answers.some(({ code }) => code === text)
  const isOfType = type === 'text' || NUMBER.test(text.trim())
  return isOfType && satisfiesConstraint(constraint, text)
}

function completeAnswer(question: Question, given: string[], fasting: boolean): string[] {
  if (given.length > 0) return given
  const answer = presumeAnswer(question, fasting)
  return answer === null ? [] : [answer]
}

/** Returns the answer that counts when none is given; null when there is none. */
function presumeAnswer(question: Question, fasting: boolean): string | null {
  const fastingAnswer = isFastingQuestion(question)
    ? answerFastingQuestion(question, fasting)
    : null
  return fastingAnswer ?? question.default
}

/** A question of an order to be answered. */
export interface OrderEntryQuestion {
  marker_id: number
  question: Question
  /** Whether an order without an answer is refused. */
  must_answer: boolean
  presumed_answer: string | null
}

/** Returns the questions of markers, by marker and then by sequence. */
export function listQuestions(
  markers: readonly Pick<OrderedMarker, 'id' | 'questions'>[],
  fasting: boolean,
): OrderEntryQuestion[] {
  return markers.flatMap(({ id, questions }) =>
    inSequence(questions ?? []).map((question) => {
      const presumed = presumeAnswer(question, fasting)
      const isOpen = question.required && presumed === null && !isFastingQuestion(question)
      return { marker_id: id, question, must_answer: isOpen, presumed_answer: presumed }
    }),
  )
}

/** @param which the question, when the order has it */
const invalidAnswer = (which?: { marker_id: number; question_id: number }) =>
  badRequest(
    'aoe_invalid',
    'An answer does not belong to a question of the ordered markers, or is not allowed.',
    which,
  )
