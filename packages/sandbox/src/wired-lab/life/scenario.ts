import type { Interpretation } from '@salus/contracts/lab-gateway'

/** What a laboratory sends about an order, in the words in which a scenario names it. */
export const STEPS = {
  preliminary: 'half of the results that are not there yet, as preliminary ones',
  final: 'all results',
  corrected: 'the results again, one of them corrected',
  reflex: 'all results, and a test that the first of them leads to',
  microbiology: 'all results, and a culture with the susceptibilities of two isolates',
  document: 'all results, and the report as a PDF inside of the message',
  qns: 'a third of the results is missing: quantity not sufficient',
  cancelled: 'the laboratory cancels the order',
  'wrong-patient': 'all results, under the name of another person',
  duplicate: 'the last message once more, byte for byte',
} as const
export type Step = keyof typeof STEPS

/** How an order is answered, in the words in which a scenario names it. */
export const ANSWERS = {
  accept: 'the order is accepted',
  refuse: 'the order is refused',
  lose: 'the connection breaks before the first answer; the repeated order is answered',
} as const
type Answer = keyof typeof ANSWERS

const INTERPRETATIONS = ['normal', 'abnormal', 'critical'] as const

/** What becomes of an order. */
export interface Scenario {
  answer: Answer
  /** Seconds before the answer. */
  delaySeconds: number
  /** Interpretation of the first result that has one. */
  interpretation: Interpretation
  /** What is sent after the order was accepted, in this order. */
  steps: readonly Step[]
}

/** A word that is none of a scenario; its message lists those that there are. */
export class UnknownWordError extends Error {
  constructor(word: string) {
    const known = [
      ...Object.keys(STEPS),
      ...Object.keys(ANSWERS),
      ...INTERPRETATIONS,
      'slow <time>',
    ]
    super(`"${word}" is no step. There are: ${known.join(', ')}.`)
    this.name = 'UnknownWordError'
  }
}

const isOf = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word)

const SECONDS = { s: 1, m: 60, h: 3600 }

function readDelay(word: string): number | undefined {
  const [, count, unit] = /^slow (\d{1,4})([smh])$/.exec(word) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit as keyof typeof SECONDS]
}

/**
 * Reads a scenario such as `slow 5s, preliminary, final`. Words are of `STEPS`, `ANSWERS` and the
 * interpretations; without a step nothing follows the answer.
 * @throws UnknownWordError
 */
export function readScenario(text: string): Scenario {
  const steps: Step[] = []
  let read: Partial<Scenario> = {}
  const words = text.toLowerCase().split(',')
  for (const word of words.map((each) => each.trim().replace(/\s+/g, ' '))) {
    const delaySeconds = readDelay(word)
    if (word === '') continue
    if (isOf(Object.keys(STEPS) as Step[], word)) steps.push(word)
    else if (isOf(Object.keys(ANSWERS) as Answer[], word)) read = { ...read, answer: word }
    else if (isOf(INTERPRETATIONS, word)) read = { ...read, interpretation: word }
    else if (delaySeconds !== undefined) read = { ...read, delaySeconds }
    else throw new UnknownWordError(word)
  }
  // What leads to another test is out of range.
  const usual = steps.includes('reflex') ? 'abnormal' : 'normal'
  return { answer: 'accept', delaySeconds: 0, interpretation: usual, ...read, steps }
}

/**
 * Returns the scenario in the notes of an order, `[sandbox: final, corrected]`; undefined without
 * one.
 * @throws UnknownWordError
 */
export function findScenario(notes: string): Scenario | undefined {
  const text = /\[sandbox:([^\]]*)\]/i.exec(notes)?.[1]
  return text === undefined ? undefined : readScenario(text)
}
