import type { Requisition, RequisitionGuarantor } from '@salus/contracts/lab-gateway'
import { type FieldValue, writeTime } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'

/** Values of orders in the forms of one connection. */
export class Formats {
  readonly #connection: ResolvedConnection

  constructor(connection: ResolvedConnection) {
    this.#connection = connection
  }

  /** A name of a person, `LAST^FIRST`; in 2.5.1 with its type. */
  name({ first_name, last_name }: { first_name: string; last_name: string }): FieldValue {
    const parts = [this.text(last_name), this.text(first_name)]
    return this.#connection.traits.hasAssigners ? [...parts, '', '', '', '', 'L'] : parts
  }

  /** A text of a name or address: trimmed, cut, and in capitals where the connection says so. */
  text(text: string): string {
    const { name_max_length, upper_case } = this.#connection.order
    const plain = text.trim().replace(/\s+/g, ' ')
    return [...(upper_case ? plain.toUpperCase() : plain)].slice(0, name_max_length).join('')
  }

  /** A postal address, `line^line^city^state^zip^country`. Countries are left out before 2.5. */
  address(address: PostalAddress): FieldValue {
    const { first_line, second_line, city, state, zip, country } = address
    const parts = [first_line, second_line ?? '', city, state].map((part) => this.text(part))
    const last = this.#connection.traits.hasAssigners ? [country === 'US' ? 'USA' : country] : []
    return [...parts, this.#zip(zip), ...last]
  }

  #zip(zip: string): string {
    const digits = zip.replace(/\D/g, '')
    const { zip: form } = this.#connection.order
    if (form === '99999') return digits.slice(0, 5)
    const isLong = digits.length === 9 && form === '99999-9999'
    return isLong ? `${digits.slice(0, 5)}-${digits.slice(5)}` : digits
  }

  /** A telephone number; one that is not of ten digits is written by its digits. */
  phone(phone: string | null): FieldValue {
    const all = phone?.replace(/\D/g, '') ?? ''
    const digits = all.length === 11 && all.startsWith('1') ? all.slice(1) : all
    if (digits.length !== 10) return digits
    const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)]
    switch (this.#connection.order.phone) {
      case '(999)999-9999':
        return `(${area})${exchange}-${line}`
      case 'xtn':
        return ['', 'PRN', 'PH', '', '1', area, exchange + line]
      default:
        return digits
    }
  }

  /** A birth date, from YYYY-MM-DD. */
  date(date: string): string {
    return date.replaceAll('-', '')
  }

  /** An instant as local time of the connection. */
  time(at: Date | null): string {
    if (at === null) return ''
    const { time_zone: zone, order } = this.#connection
    const written = writeTime(at.getTime(), { zone })
    if (order.date_time === 'with_offset') return written
    return written.slice(0, order.date_time === 'minutes' ? 12 : 14)
  }

  /** The ordering physician by National Provider Identifier. */
  provider(physician: Requisition['physician']): FieldValue {
    if (physician === null) return undefined
    const { npi, last_name, first_name } = physician
    const parts = [npi, this.text(last_name), this.text(first_name)]
    if (this.#connection.order.provider === '2.3') return [...parts, '', '', '', '', 'N']
    const authority = ['NPI', '2.16.840.1.113883.4.6', 'ISO']
    return [...parts, '', '', '', '', '', authority, 'L', '', '', 'NPI']
  }

  /** A number that we gave; since 2.5 with our name as its assigner. */
  number(number: string): FieldValue {
    const { traits, envelope } = this.#connection
    const [assigner = ''] = envelope.sending_app.split('^')
    return traits.hasAssigners ? [number, assigner] : number
  }
}

type PostalAddress = RequisitionGuarantor['address']

/** Returns the laboratory's code for one of ours; `other` where the map has none. */
export function codeFor(
  map: Readonly<Record<string, string>>,
  value: string | null | undefined,
  other = '',
): string {
  const key = value?.trim().toLowerCase() ?? ''
  const found = Object.entries(map).find(([known]) => known.toLowerCase() === key)
  return found?.[1] ?? other
}
