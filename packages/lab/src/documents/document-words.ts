import type { FailureType, ReportedTime } from '@salus/contracts/lab-gateway'
import type { DocumentAddress, DocumentCollectionMethod } from './document-inputs.ts'

/** Words that documents print for codes. */

export const METHOD_WORDS: Readonly<Record<DocumentCollectionMethod, string>> = {
  testkit: 'Test kit',
  walk_in_test: 'Walk-in',
  at_home_phlebotomy: 'At-home phlebotomy',
  on_site_collection: 'On-site collection',
}

const BILLING_WORDS: Readonly<Record<string, string>> = {
  client_bill: 'Client (account)',
  patient_bill: 'Patient',
  patient_bill_passthrough: 'Patient, through the account',
  commercial_insurance: 'Commercial insurance',
}

const SAMPLE_WORDS: Readonly<Record<string, string>> = {
  dried_blood_spot: 'Dried blood spot',
  arm_collector: 'Blood, arm collector',
  serum: 'Serum',
  saliva: 'Saliva',
  urine: 'Urine',
  stool: 'Stool',
}

const CONSENT_WORDS: Readonly<Record<string, string>> = {
  'terms-of-use': 'Terms of use',
  'telehealth-informed-consent': 'Informed consent to telehealth',
  'mobile-terms-and-conditions': 'Mobile terms and conditions',
  'notice-of-privacy-practices': 'Notice of privacy practices',
  'privacy-policy': 'Privacy policy',
  'hipaa-authorization': 'HIPAA authorization',
}

export const FAILURE_WORDS: Readonly<Record<FailureType, string>> = {
  quantity_not_sufficient_failure: 'Quantity not sufficient',
  collection_process_failure: 'Specimen not handled as needed after collection',
  drop_off_failure: 'Specimen arrived late or in poor condition',
  internal_lab_failure: 'Laboratory error',
  order_entry_failure: 'Not ordered properly at the laboratory',
  non_failure: 'Not performed, no failure',
  unknown_failure: 'Not reported',
  patient_condition_failure: 'Not possible in the patient’s condition',
  missing_result_calc_failure: 'Not calculated: a needed result is missing',
  missing_demo_aoe_calc_failure: 'Not calculated: information about the patient is missing',
  insufficient_volume: 'Quantity not sufficient',
}

export const billingWords = (type: string): string => BILLING_WORDS[type] ?? sentence(type)
export const sampleWords = (type: string): string => SAMPLE_WORDS[type] ?? sentence(type)
export const consentWords = (type: string): string => CONSENT_WORDS[type] ?? sentence(type)
/** Female, Male, Other, Unknown */
export const sexWords = (gender: string): string => sentence(gender)

/** Returns a code as a phrase: underscores become blanks, and the first letter a capital. */
function sentence(code: string): string {
  const words = code.replace(/_/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Named {
  first_name: string | null
  last_name: string | null
}

/** Returns "Last, First", as laboratories file patients. */
export function filedName({ first_name, last_name }: Named): string {
  return [last_name, first_name].filter((name) => name !== null && name !== '').join(', ')
}

/** Returns first and last name with a space between them; empty without a name. */
export function fullName({ first_name, last_name }: Named): string {
  return [first_name, last_name].filter((name) => name !== null && name !== '').join(' ')
}

/** Returns a number of the North American plan as `(602) 555-0123`, and other numbers unchanged. */
export function phoneWords(phone: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone)
  return match === null ? phone : `(${match[1]}) ${match[2]}-${match[3]}`
}

/** Returns the lines of an address as on an envelope, with the country only outside of the US. */
export function addressLines(address: DocumentAddress): string[] {
  const country = address.country ?? ''
  return [
    address.first_line,
    address.second_line ?? '',
    `${address.city}, ${address.state} ${address.zip}`,
    /^(us|usa|united states)?$/i.test(country.trim()) ? '' : country,
  ].filter((line) => line.trim() !== '')
}

/** Returns a date YYYY-MM-DD as MM/DD/YYYY, and other text unchanged. */
export function dateWords(date: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(date)
  return match === null ? date : `${match[2]}/${match[3]}/${match[1]}`
}

/**
 * Returns MM/DD/YYYY HH:MM at the offset of the time, and text that is not an instant unchanged.
 */
export function localTimeWords({ timestamp, timezone_offset }: ReportedTime): string {
  const milliseconds = Date.parse(timestamp)
  if (Number.isNaN(milliseconds)) return timestamp
  const local = new Date(milliseconds + timezone_offset * 1000).toISOString()
  return `${dateWords(local)} ${local.slice(11, 16)}`
}

/** Returns a local time with its offset: `03/04/2026 08:15 UTC−05:00`. */
export function timeWords(time: ReportedTime): string {
  return `${localTimeWords(time)} ${offsetWords(time.timezone_offset)}`
}

function offsetWords(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'UTC'
  const minutes = Math.round(Math.abs(offsetSeconds) / 60)
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  const sign = offsetSeconds < 0 ? '−' : '+'
  return `UTC${sign}${hours}:${String(minutes % 60).padStart(2, '0')}`
}

/** `$1,234.50` */
export function dollarWords(cents: number): string {
  const [whole = '0', part = '00'] = (Math.abs(cents) / 100).toFixed(2).split('.')
  return `${cents < 0 ? '−' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}
