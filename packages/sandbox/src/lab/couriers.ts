import type { Courier } from '@salus/contracts/lab-gateway'
import { digitsFrom } from './seeded-random.ts'

/** A parcel as couriers and shops describe it. */
export interface Parcel {
  courier: Courier
  trackingNumber: string
  trackingUrl: string | null
}

/** Couriers whose numbers can be generated. */
export type NumberedCourier = 'usps' | 'ups' | 'fedex'

const digitsOf = (text: string): number[] => [...text].map(Number)

/** USPS: every other digit has the weight three, from the right. */
function uspsCheckDigit(digits: string): number {
  const sum = digitsOf(digits)
    .reverse()
    .reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** UPS: letters count as digits (A is 2, B is 3 …), every second place has the weight two. */
function upsCheckDigit(characters: string): number {
  const sum = [...characters].reduce((total, character, index) => {
    const digit = /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10
    return total + digit * (index % 2 === 0 ? 1 : 2)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** FedEx Express, 12 digits: weights 3, 1, 7, rest by 11, of which 10 is written as 0. */
function fedexCheckDigit(digits: string): number {
  const weights = [3, 1, 7]
  const sum = digitsOf(digits).reduce(
    (total, digit, index) => total + digit * (weights[index % 3] ?? 0),
    0,
  )
  return (sum % 11) % 10
}

interface CourierFormat {
  /** Prefix of the number. */
  prefix: string
  /** Number of digits between the prefix and the check digit. */
  serialDigits: number
  checkDigit: (number: string) => number
  url: (number: string) => string
}

const FORMATS: Record<NumberedCourier, CourierFormat> = {
  usps: {
    // Intelligent Mail package barcode, USPS Tracking.
    prefix: '94001',
    serialDigits: 16,
    checkDigit: uspsCheckDigit,
    url: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
  },
  ups: {
    // Shipper and the ground service.
    prefix: '1Z5A1T0503',
    serialDigits: 7,
    checkDigit: (number) => upsCheckDigit(number.slice(2)),
    url: (number) => `https://www.ups.com/track?tracknum=${number}`,
  },
  fedex: {
    prefix: '7',
    serialDigits: 10,
    checkDigit: fedexCheckDigit,
    url: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  },
}

const isNumbered = (courier: Courier): courier is NumberedCourier => courier in FORMATS

/** Returns a tracking number in the courier's format, with a correct check digit. */
export function makeTrackingNumber(courier: NumberedCourier, seed: string): string {
  const { prefix, serialDigits, checkDigit } = FORMATS[courier]
  const number = `${prefix}${digitsFrom(`${seed}|${courier}`, serialDigits)}`
  return `${number}${checkDigit(number)}`
}

/** True for numbers whose check digit is correct. */
export function isTrackingNumber(courier: NumberedCourier, number: string): boolean {
  const pattern = { usps: /^\d{22}$/, ups: /^1Z[A-Z0-9]{15}\d$/, fedex: /^\d{12}$/ }[courier]
  return (
    pattern.test(number) && number.endsWith(`${FORMATS[courier].checkDigit(number.slice(0, -1))}`)
  )
}

/** Returns the URL at which a courier shows a parcel; null for couriers without a known page. */
export function trackingUrlOf(courier: Courier, trackingNumber: string): string | null {
  return isNumbered(courier) ? FORMATS[courier].url(trackingNumber) : null
}

function makeParcel(courier: NumberedCourier, seed: string): Parcel {
  const trackingNumber = makeTrackingNumber(courier, seed)
  return { courier, trackingNumber, trackingUrl: trackingUrlOf(courier, trackingNumber) }
}

/** Returns the parcel that brings a kit to the patient. */
export function outboundParcel(seed: string): Parcel {
  return makeParcel('usps', `${seed}|outbound`)
}

/** Returns the parcel that brings the sample to the laboratory. */
export function inboundParcel(seed: string): Parcel {
  const courier = Number(digitsFrom(`${seed}|courier`, 1)) % 2 === 0 ? 'ups' : 'fedex'
  return makeParcel(courier, `${seed}|inbound`)
}
