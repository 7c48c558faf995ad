import type { ReportedTime } from '@salus/contracts/lab-gateway'
import { interpretText, type ReadValue } from '../../hl7/results/observation-value.ts'
import { readReportedTime } from '../../hl7/results/times.ts'
import { type Json, objectOf, textOf, wordsOf } from '../json.ts'

/** Reads a date, dateTime or instant; null for one that is less precise than a day. */
export function readFhirTime(value: unknown, zone: string): ReportedTime | null {
  const text = textOf(value)
  const found =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text ?? '',
    )
  if (found === null) return null
  const [, year, month, day, hour = '', minute = '', second = '', offset = ''] = found
  const shift = offset === 'Z' ? '+0000' : offset.replace(':', '')
  return readReportedTime(`${year}${month}${day}${hour}${minute}${second}${shift}`, zone)
}

const withoutExponent = (number: string): string =>
  /^-?\d[\d.]*e[+-]?\d{1,3}$/i.test(number) ? String(Number(number)) : number

/** The text of a Quantity without its unit; null without a value. */
export function amountOf(quantity: unknown): string | null {
  const { value, comparator } = objectOf(quantity)
  const number = textOf(value)
  if (number === null) return null
  const sign = textOf(comparator) ?? ''
  return `${/^[<>]=?$/.test(sign) ? sign : ''}${withoutExponent(number)}`
}

/** The value of an Observation or a component, of whichever type, with its Quantity. */
export function readFhirValue(observation: Json): { value: ReadValue; quantity: Json } {
  const key = Object.keys(observation).find((name) => /^value[A-Z]/.test(name))
  if (key === undefined) return { value: { kind: 'none' }, quantity: {} }
  const given = observation[key]
  const object = objectOf(given)
  const from = (text: string | null, quantity: Json = {}) => ({
    value: text === null ? { kind: 'none' as const } : interpretText(text),
    quantity,
  })
  switch (key) {
    case 'valueQuantity':
      return from(amountOf(object), object)
    case 'valueRange': {
      const [low, high] = [amountOf(object.low), amountOf(object.high)]
      const text = low !== null && high !== null ? `${low}-${high}` : boundOf(low, high)
      return from(text, objectOf(object.low ?? object.high))
    }
    case 'valueRatio': {
      const [above, below] = [amountOf(object.numerator), amountOf(object.denominator)]
      return from(above !== null && below !== null ? `${above}:${below}` : above)
    }
    case 'valueCodeableConcept':
      return from(wordsOf(object))
    case 'valueBoolean':
      return from(typeof given === 'boolean' ? String(given) : textOf(given))
    case 'valuePeriod':
      return from([textOf(object.start), textOf(object.end)].filter(Boolean).join(' to ') || null)
    case 'valueSampledData':
      return from(textOf(object.data))
    case 'valueDateTime':
      return from(textOf(given)?.replace('T', ' ') ?? null)
    default:
      return from(textOf(given))
  }
}

function boundOf(low: string | null, high: string | null): string | null {
  if (low !== null) return `>=${low}`
  return high === null ? null : `<=${high}`
}
