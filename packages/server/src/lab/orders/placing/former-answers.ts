import { type AoeAnswer, checkAoeAnswers, type OrderSet } from '../../catalog/index.ts'

type Asking = Pick<OrderSet['markers'][number], 'id' | 'questions'>
type Question = NonNullable<Asking['questions']>[number]

/**
 * Of the answers of an order that is replaced, those to questions that its replacement asks too.
 * Fasting is left out: the lab tests say it, and other ones may say otherwise.
 */
export function answersStillAsked(
  { markers }: { markers: readonly Asking[] },
  answers: readonly AoeAnswer[],
): AoeAnswer[] {
  return answers.filter(({ marker_id, question_id }) => {
    const marker = markers.find(({ id }) => id === marker_id)
    const question = marker?.questions?.find(({ id }) => id === question_id)
    return question !== undefined && !isAnsweredByFasting(question)
  })
}

function isAnsweredByFasting(question: Question): boolean {
  const answer = (fasting: boolean) => {
    const questions = [{ ...question, required: false }]
    return checkAoeAnswers([{ id: 0, questions }], [], fasting)[0]?.answer
  }
  return answer(true) !== answer(false)
}
