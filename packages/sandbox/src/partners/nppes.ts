import type { FastifyInstance } from 'fastify'
import { createRandom } from '../lab/seeded-random.ts'

const FIRST_NAMES = ['AVERY', 'JORDAN', 'MORGAN', 'RILEY', 'ROWAN', 'SASHA', 'TAYLOR', 'WREN']
const LAST_NAMES = ['ASHDOWN', 'BRAMWELL', 'CALLOWAY', 'DUNMORE', 'ELLERY', 'FAIRBANK', 'GARRICK']
const STATES = ['AZ', 'CA', 'FL', 'NY', 'TX', 'WA', 'WI']
const SPECIALTIES = [
  ['207Q00000X', 'Family Medicine'],
  ['207R00000X', 'Internal Medicine'],
  ['208000000X', 'Pediatrics'],
] as const

/** Digits 8 and 9 of an NPI that determine what the emulated registry knows of it. */
const NOT_ISSUED = '00'
const DEACTIVATED = '01'
const ORGANIZATION = '02'

/**
 * The registry of NPIs in the shape of its API, version 2.1. It invents a provider for every
 * number, always the same one.
 */
export function registerNppes(app: FastifyInstance): void {
  app.get('/', (request, reply) => {
    const { number = '', version } = request.query as Record<string, string | undefined>
    if (version !== '2.1') return reply.send(errorsOf('version', 'Unsupported Version'))
    if (!/^\d{10}$/.test(number)) {
      return reply.send(errorsOf('number', 'NPI must be 10 digits'))
    }
    const results = number.slice(7, 9) === NOT_ISSUED ? [] : [makeResult(number)]
    return reply.send({ result_count: results.length, results })
  })
}

const errorsOf = (field: string, description: string) => ({
  Errors: [{ description, field, number: '06' }],
})

function makeResult(number: string): object {
  const random = createRandom(`npi ${number}`)
  const kind = number.slice(7, 9)
  const state = random.pick(STATES)
  const [code, desc] = random.pick(SPECIALTIES)
  const lastName = random.pick(LAST_NAMES)
  const status = kind === DEACTIVATED ? 'D' : 'A'
  const isOrganization = kind === ORGANIZATION
  return {
    created_epoch: '1183680000000',
    enumeration_type: isOrganization ? 'NPI-2' : 'NPI-1',
    last_updated_epoch: '1269302400000',
    number,
    addresses: [
      {
        country_code: 'US',
        country_name: 'United States',
        address_purpose: 'LOCATION',
        address_type: 'DOM',
        address_1: '1 SAMPLE ST',
        city: 'SAMPLETON',
        state,
        postal_code: '850040000',
        telephone_number: '555-010-0100',
      },
    ],
    practiceLocations: [],
    basic: isOrganization
      ? { organization_name: `${lastName} CLINIC`, status, enumeration_date: '2007-07-06' }
      : {
          first_name: random.pick(FIRST_NAMES),
          last_name: lastName,
          credential: 'M.D.',
          sole_proprietor: 'NO',
          enumeration_date: '2007-07-06',
          last_updated: '2010-03-23',
          status,
        },
    taxonomies: [
      { code, taxonomy_group: '', desc, state, license: `S${number.slice(3, 8)}`, primary: true },
    ],
    identifiers: [],
    endpoints: [],
    other_names: [],
  }
}
