import { parseDate } from '@salus/kernel/time/instants'

/** `YYYYMMDD`, `HH:MM`: a year, month, day, hour or minute each, with or without separators. */
const DATE_TIME_FORM = /^(?:YYYY|MM|DD|HH)(?:[-/:.]?(?:YYYY|MM|DD|HH))+(?=$|[\s,;])/
const NUMBER_RANGE = /^(-?\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(-?\d+(?:\.\d+)?)(?=$|[\s,;])/i

/**
 * Returns whether an answer satisfies a question's constraint, which is a hint in prose. Hints that
 * begin with a form of dates and times (`YYYYMMDD`, `HHMM, 24 hour clock`) or, for numbers, with a
 * range (`20-600`) are checked; other hints are not.
 */
export function satisfiesConstraint(constraint: string | null, answer: string): boolean {
  const hint = constraint?.trim() ?? ''
  const [form] = DATE_TIME_FORM.exec(hint) ?? []
  if (form !== undefined) return hasForm(form, answer.trim())
  const [, least, most] = NUMBER_RANGE.exec(hint) ?? []
  if (least === undefined || most === undefined) return true
  const value = Number(answer)
  return Number.isNaN(value) || (value >= Number(least) && value <= Number(most))
}

function hasForm(form: string, answer: string): boolean {
  if (answer.length !== form.length) return false
  const parts = new Map<string, string>()
  for (const { 0: token, index } of form.matchAll(/YYYY|MM|DD|HH/g)) {
    // Minutes have the same letters as months, and follow the hours.
    const name = token === 'MM' && parts.has('HH') ? 'minute' : token
    const digits = answer.slice(index, index + token.length)
    if (parts.has(name) || !/^\d+$/.test(digits)) return false
    parts.set(name, digits)
  }
  const signs = (text: string) => text.replaceAll(/\w/g, '')
  return signs(form) === signs(answer) && isDateOrTime(parts)
}

function isDateOrTime(parts: ReadonlyMap<string, string>): boolean {
  // A leap year, so that February 29 is valid without a year.
  const { YYYY = '2024', MM = '01', DD = '01' } = Object.fromEntries(parts)
  const isTime = Number(parts.get('HH') ?? 0) < 24 && Number(parts.get('minute') ?? 0) < 60
  return isTime && parseDate(`${YYYY}-${MM}-${DD}`) !== undefined
}
