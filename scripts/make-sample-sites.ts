import { readFileSync, writeFileSync } from 'node:fs'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { parse } from 'csv-parse/sync'

/**
 * Generates packages/lab/data/service-centers/sample-sites.csv from Synthea's list of urgent care
 * facilities (columns id, address, city, state, zip, lat, lon): `node scripts/make-sample-sites.ts
 * FACILITIES.csv`. Everything but the address follows from the id, so that the same list gives the
 * same sites.
 */

const TARGET = new URL('../packages/lab/data/service-centers/sample-sites.csv', import.meta.url)

const COLUMNS = [
  'lab',
  'site_code',
  'name',
  'first_line',
  'city',
  'state',
  'zip_code',
  'latitude',
  'longitude',
  'time_zone',
  'hours',
  'capabilities',
  'bill_types',
  'is_active',
] as const

/** Laboratories by the last digit of the id; Arizona also has sites of a laboratory of its own. */
const LABS = [
  'quest',
  'quest',
  'quest',
  'quest',
  'labcorp',
  'labcorp',
  'labcorp',
  'bioreference',
  'bioreference',
  'nexus',
]
const LABS_OF_ARIZONA = [
  'quest',
  'quest',
  'quest',
  'sonora_quest',
  'sonora_quest',
  'sonora_quest',
  'labcorp',
  'labcorp',
  'bioreference',
  'nexus',
]

const HOURS = [
  'Mo-Fr 07:00-15:30',
  'Mo-Fr 06:30-12:00,13:00-16:00; Sa 07:00-11:00',
  'Mo-Fr 08:00-17:00; Sa 08:00-12:00',
  'Mo-Sa 06:00-14:00',
]
/** Hours of sites that can be booked: the times at which sandboxes have slots. */
const BOOKABLE_HOURS = 'Mo-Su 07:00-17:00'

function capabilitiesOf(id: number, lab: string): string[] {
  const capabilities = id % 3 === 0 ? ['stat'] : []
  if (lab === 'quest' || lab === 'sonora_quest') {
    // Some take only walk-ins.
    if (id % 8 !== 0) capabilities.push('appointment_scheduling_via_service')
  } else if (id % 2 === 0) capabilities.push('appointment_scheduling_with_lab')
  return capabilities
}

const toTitle = (text: string): string =>
  text.toLowerCase().replaceAll(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase())

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Name the file of the facilities.')
const facilities: Record<string, string>[] = parse(readFileSync(source, 'utf8'), {
  columns: true,
  trim: true,
})
const lines: string[] = []
for (const facility of facilities) {
  const id = Number(facility.id)
  const { address = '', city = '', state = '', zip = '', lat, lon } = facility
  const labs = state === 'AZ' ? LABS_OF_ARIZONA : LABS
  const lab = labs[id % 10] ?? ''
  const zipCode = await findZipCode(zip)
  const capabilities = capabilitiesOf(id, lab)
  const isBookable = capabilities.includes('appointment_scheduling_via_service')
  const row: Record<(typeof COLUMNS)[number], string> = {
    lab,
    site_code: `SAMPLE-${id}`,
    name: `Sample site ${id}, ${toTitle(city)}`,
    first_line: toTitle(address),
    city: toTitle(city),
    state,
    zip_code: zip,
    latitude: Number(lat).toFixed(5),
    longitude: Number(lon).toFixed(5),
    time_zone: zipCode?.timeZone ?? '',
    hours: isBookable ? BOOKABLE_HOURS : (HOURS[Math.floor(id / 10) % HOURS.length] ?? ''),
    capabilities: capabilities.join(' '),
    bill_types: id % 11 === 0 ? 'client_bill patient_bill' : '',
    is_active: id % 97 === 0 ? 'false' : '',
  }
  if (zipCode === undefined || zipCode.state !== state)
    console.warn(row.site_code, zip, state, zipCode?.state)
  lines.push(COLUMNS.map((name) => quote(row[name])).join())
}
writeFileSync(TARGET, `${[COLUMNS.join(), ...lines].join('\n')}\n`)

function quote(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
