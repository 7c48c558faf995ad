import type { Death, Moment } from './death.ts'

/** Statements of a Salus process, by the step of the exchange that they are. */
export const STATEMENTS: Readonly<Record<string, RegExp>> = {
  'job is taken': /_private_jobs[^;]*skip locked/,
  'order is stored': /^insert into "lab_outgoing_messages".*\border\b/s,
  'cancellation is stored': /^insert into "lab_outgoing_messages".*\bcancellation\b/s,
  'turn to send is taken': /pg_try_advisory_lock.*lab sending/s,
  'answer is stored': /^update "lab_outgoing_messages" set "state"/,
  'resend is stored': /^update "lab_outgoing_messages" set "resent_at"/,
  'order moves': /^update "orders"/,
  'result is received': /store_lab_messages/,
  'job is added': /\badd_job\(/,
  'result is stored': /^insert into "results"/,
  'result is processed': /^update "lab_messages"/,
  'transaction ends': /^commit/,
  'job ends': /^delete from "graphile_worker"\._private_jobs/,
  'any statement': /./s,
}

/** Frames that a Salus process writes, by what is in them. */
export const FRAMES: Readonly<Record<string, RegExp>> = {
  'cancellation is sent': /^ORC\|CA\|/m,
  'order is sent': /^ORC\|NW\|/m,
  'result is answered': /^MSA\|/m,
}

/** Moments at which a Salus process is killed. */
export const SALUS_POINTS: readonly Omit<Death, 'nth'>[] = [
  ...pointsOf(Object.keys(STATEMENTS), ['before', 'sent', 'after']),
  ...pointsOf(Object.keys(FRAMES), ['before', 'half', 'after']),
]

/** Moments at which the laboratory is killed. */
export const LABORATORY_POINTS: readonly Omit<Death, 'nth'>[] = [
  ...pointsOf(
    ['order is kept', 'cancellation is kept', 'result is sent', 'acceptance is kept'],
    ['before', 'half', 'after'],
  ),
  ...pointsOf(
    ['order is answered', 'cancellation is answered', 'repetition is answered'],
    ['before', 'half', 'after'],
  ),
]

function pointsOf(steps: readonly string[], moments: readonly Moment[]): Omit<Death, 'nth'>[] {
  return steps.flatMap((step) => moments.map((moment) => ({ step, moment })))
}

/** Which of several steps some text is: those whose pattern it has. */
export function stepsOf(text: string, patterns: Readonly<Record<string, RegExp>>): string[] {
  return Object.keys(patterns).filter((step) => patterns[step]?.test(text))
}
