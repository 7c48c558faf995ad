/** An object of JSON whose members are unknown. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const objectsOf = (value: unknown): Json[] =>
  [value ?? []].flat().filter((each): each is Json => typeof each === 'object' && each !== null)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const DECIMAL = /"decimal:(-?\d+(?:\.\d+)?)"/g

/** A number of FHIR with its digits: 4.50 is another value than 4.5. */
export const decimal = (digits: string): string => `decimal:${digits}`

/** Writes JSON, with the digits of its decimals. */
export const toText = (value: unknown): string => JSON.stringify(value).replace(DECIMAL, '$1')
