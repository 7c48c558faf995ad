import { strict as assert } from 'node:assert'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type CentersFixture,
  createCentersFixture,
} from '../../../../server/test/centers-fixture.ts'
import type { Harness } from '../../../../server/test/harness.ts'
import { loadSampleServiceCenters } from './center-loading.service.ts'

let harness: Harness
let fixture: CentersFixture
before(async () => {
  fixture = await createCentersFixture()
  harness = fixture.harness
})
after(() => harness?.close())
beforeEach(() => harness.database.pool.query('delete from service_centers where not is_sample'))

const HEADER = 'lab,site_code,name,first_line,city,state,zip_code'
const row = (code: string, more = '', lab = 'labcorp'): string =>
  `${lab},${code},North clinic,1 Main St,Anchorage,AK,99501${more}`
const csvOf = (header: string, ...rows: string[]): string => [header, ...rows].join('\n')

const put = (csv: unknown, { query = '', key = harness.managementKey } = {}) =>
  harness.call('PUT', `/v1/service_centers${query}`, { csv }, { 'x-management-key': key })

async function load(...lines: [string, ...string[]]) {
  const { status, body, text } = await put(csvOf(...lines))
  assert.equal(status, 200, text)
  return body
}

/** Returns `path: message` of each problem. */
async function problemsOf(csv: string): Promise<string[]> {
  const { status, body } = await put(csv)
  assert.deepEqual([status, body.detail.error_type], [400, 'service_centers_invalid'])
  assert.equal(body.detail.problem_count, body.detail.problems.length)
  const problems: { path: string; message: string }[] = body.detail.problems
  return problems.map(({ path, message }) => `${path}: ${message}`)
}

const stored = async (code: string) => {
  const { rows } = await harness.database.pool.query(
    'select * from service_centers where site_code = $1',
    [code],
  )
  return rows[0]
}

describe('PUT /v1/service_centers', () => {
  it('is for the operator', async () => {
    const { body } = await harness.manage('POST', '/management_key', {
      label: 'Team',
      role: 'team_admin',
      team_role_bindings: [{ team_id: harness.teamId }],
    })
    const refused = await put(csvOf(HEADER, row('A')), { key: body.value ?? body.key })
    assert.equal(refused.status, 403, refused.text)
    assert.equal((await put(csvOf(HEADER, row('A')), { key: 'mk_nothing' })).status, 401)
    assert.equal((await put(7)).status, 422)
  })

  it('derives position and time zone from the ZIP code; empty cells are unknown', async () => {
    assert.deepEqual(await load(HEADER, row('A1')), {
      dry_run: false,
      labs: 1,
      service_centers: { inserted: 1, updated: 0, unchanged: 0 },
      deactivated: 0,
    })
    const { lab_id: _lab, latitude, longitude, ...site } = await stored('A1')
    assert.deepEqual([Math.round(latitude), Math.round(longitude)], [61, -150])
    assert.deepEqual(site, {
      site_code: 'A1',
      name: 'North clinic',
      first_line: '1 Main St',
      second_line: null,
      city: 'Anchorage',
      state: 'AK',
      zip_code: '99501',
      time_zone: 'America/Anchorage',
      phone_number: null,
      fax_number: null,
      website: null,
      hours: null,
      capabilities: [],
      bill_types: null,
      business_unit: null,
      is_active: true,
      is_sample: false,
    })
  })

  it('reads all columns, in any order, as spreadsheets write them', async () => {
    const header =
      '\uFEFFSite_Code,lab,name,first_line,second_line,city,state,zip_code,latitude,longitude,time_zone,phone_number,fax_number,website,hours,capabilities,bill_types,business_unit,is_active'
    const line =
      'X-1.b,quest,"Clinic ""North"", left", 2 Main St ,Suite 5,Adak,ak,99546-1234,51.9,-176.6,America/Adak,+1 907 555 0100,+1 907 555 0101,https://example.com/x,"Mo-Fr 07:00-12:00,13:00-16:00; Sa 08:00-12:00",stat|appointment_scheduling_via_junction,"client_bill, patient_bill",WEST,yes'
    await load(`${header}\r`, `${line}\r`, '')
    const { body } = await fixture.list('99546', 'quest')
    assert.deepEqual(body.patient_service_centers, [
      {
        metadata: {
          name: 'Clinic "North", left',
          first_line: '2 Main St',
          second_line: 'Suite 5',
          city: 'Adak',
          state: 'AK',
          zip_code: '99546-1234',
          phone_number: '+1 907 555 0100',
          fax_number: '+1 907 555 0101',
          hours: {
            ...Object.fromEntries(
              ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [
                day,
                [
                  { open: '07:00', close: '12:00' },
                  { open: '13:00', close: '16:00' },
                ],
              ]),
            ),
            saturday: [{ open: '08:00', close: '12:00' }],
            sunday: [],
          },
          website: 'https://example.com/x',
        },
        distance: body.patient_service_centers[0].distance,
        site_code: 'X-1.b',
        supported_bill_types: ['client_bill', 'patient_bill'],
        location: { lng: -176.6, lat: 51.9 },
        capabilities: ['stat', 'appointment_scheduling_via_service'],
      },
    ])
    assert.equal((await stored('X-1.b')).business_unit, 'WEST')
  })

  it('is visible in production', async () => {
    await load(HEADER, row('A1', '', 'nexus'))
    await harness.database.pool.query("update labs set is_sample = false where slug = 'nexus'")
    const { productionKey } = await harness.makeTeam()
    const { body } = await fixture.list('99501', 'nexus', '', {
      'x-service-api-key': productionKey,
    })
    assert.deepEqual(
      body.patient_service_centers.map(({ site_code: code }: { site_code: string }) => code),
      ['A1'],
    )
  })

  it('changes nothing the second time', async () => {
    const list: [string, ...string[]] = [HEADER, row('A1'), row('A2'), row('A1', '', 'quest')]
    await load(...list)
    assert.deepEqual(await load(...list), {
      dry_run: false,
      labs: 2,
      service_centers: { inserted: 0, updated: 0, unchanged: 3 },
      deactivated: 0,
    })
  })

  it('closes sites that the list no longer has, and opens them again', async () => {
    await load(HEADER, row('A1'), row('A2'), row('A1', '', 'quest'))
    const fewer = await load(HEADER, row('A1'))
    assert.deepEqual([fewer.service_centers.unchanged, fewer.deactivated], [1, 1])
    assert.equal((await stored('A2')).is_active, false)
    const codes = async (lab: string): Promise<string[]> => {
      const { body } = await fixture.list('99501', lab)
      return body.patient_service_centers
        .map(({ site_code: code }: { site_code: string }) => code)
        .filter((code: string) => !code.startsWith('SAMPLE'))
    }
    assert.deepEqual(await codes('labcorp'), ['A1'])
    assert.deepEqual(await codes('quest'), ['A1'], 'another laboratory is left alone')
    assert.equal((await load(HEADER, row('A1'))).deactivated, 0)
    const again = await load(HEADER, row('A1'), row('A2'))
    assert.deepEqual(again.service_centers, { inserted: 0, updated: 1, unchanged: 1 })
    assert.deepEqual(await codes('labcorp'), ['A1', 'A2'])
  })

  it('keeps the samples of sandboxes, which never replace a real site', async () => {
    const { pool } = harness.database
    const countSamples = async () =>
      (
        await pool.query(
          'select count(*)::int as n from service_centers where is_sample and is_active',
        )
      ).rows[0].n
    const before = await countSamples()
    await load(HEADER, row('A1'), row('SAMPLE-4004'))
    assert.equal(await countSamples(), before - 1)
    await pool.query('delete from service_center_loads')
    assert.equal(await loadSampleServiceCenters(harness.database.db, new Date()), true)
    assert.equal((await stored('SAMPLE-4004')).name, 'North clinic')
    assert.equal(await loadSampleServiceCenters(harness.database.db, new Date()), false)
  })

  it('writes nothing in a dry run', async () => {
    await load(HEADER, row('A1'), row('A2'))
    const { body } = await put(csvOf(HEADER, row('A1').replace('North', 'South'), row('A3')), {
      query: '?dry_run=true',
    })
    assert.deepEqual(body, {
      dry_run: true,
      labs: 1,
      service_centers: { inserted: 1, updated: 1, unchanged: 0 },
      deactivated: 1,
    })
    assert.equal((await stored('A1')).name, 'North clinic')
    assert.deepEqual([(await stored('A2')).is_active, await stored('A3')], [true, undefined])
  })

  it('loads more sites than fit into one statement', async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => row(`C${index}`))
    assert.equal((await load(HEADER, ...lines)).service_centers.inserted, 2_500)
    assert.equal((await load(HEADER, ...lines.slice(1_200))).deactivated, 1_200)
  })
})

describe('a list with problems', () => {
  it('is refused with all of them and their lines, and not loaded', async () => {
    const header = `${HEADER},latitude,longitude,hours,capabilities,bill_types,is_active,website`
    const problems = await problemsOf(
      csvOf(
        header,
        row('GOOD'),
        row('A 1'),
        row('A2', '', 'unknown'),
        row('A3', ',91,-150'),
        row('A4', ',,,always'),
        row('A5', ',,,,parking,cash,maybe,example.com'),
        '"labcorp",A6,,"2 Main',
        ' St",Anchorage,Alaska,9950',
        row('GOOD'),
      ),
    )
    assert.deepEqual(problems, [
      'line 3, site_code: Must be at most 40 letters, digits, dots, hyphens and underscores.',
      'line 4, lab: No laboratory has this slug.',
      'line 5, latitude: Must be degrees from -90 to 90.',
      'line 6, hours: Must be openings such as Mo-Fr 07:00-16:00; Sa 08:00-12:00.',
      'line 7, website: Must be an address that begins with http:// or https://.',
      'line 7, capabilities: Must be any of stat, appointment_scheduling_via_service, appointment_scheduling_with_lab.',
      'line 7, bill_types: Must be any of client_bill, commercial_insurance, patient_bill_passthrough, patient_bill.',
      'line 7, is_active: Must be true or false.',
      'line 9, name: Is empty.',
      'line 9, first_line: Must be a line of at most 200 characters.',
      'line 9, state: Must be two letters of a state or a territory.',
      'line 9, zip_code: Must be five digits, or nine with a hyphen.',
      'line 10, site_code: Same site as in line 2.',
    ])
    assert.equal(await stored('GOOD'), undefined)
  })

  it('is refused with sites that cannot be located', async () => {
    const at = (code: string, state: string, zip: string, more = '') =>
      `labcorp,${code},Clinic,1 Main St,Town,${state},${zip}${more}`
    const header = `${HEADER},latitude,longitude,time_zone`
    assert.deepEqual(
      await problemsOf(
        csvOf(
          header,
          at('A1', 'AZ', '00000'),
          at('A2', 'AK', '09012'),
          at('A3', 'AZ', '10001'),
          at('A4', 'AZ', '85004', ',33.4'),
          at('A5', 'AZ', '85004', ',33.4,112.1'),
          at('A6', 'AZ', '85004', ',33.4,-112.1,Mars/Base'),
          at('A7', 'AZ', '00000', ',33.4,-112.1'),
        ),
      ),
      [
        'line 2, zip_code: There is no such ZIP code: give latitude, longitude and time_zone.',
        'line 3, zip_code: Military mail has no location: give latitude, longitude and time_zone.',
        'line 4, zip_code: The ZIP code is in NY: give latitude and longitude.',
        'line 5, longitude: Latitude and longitude go together.',
        'line 6, latitude: More than 150 miles from the ZIP code: correct it, or give time_zone too.',
        'line 7, time_zone: Must be an IANA time zone.',
        'line 8, zip_code: There is no such ZIP code: give latitude, longitude and time_zone.',
      ],
    )
    await load(header, at('A1', 'AZ', '00000', ',33.4000004,-112.1,America/Phoenix'))
    const { time_zone: zone, latitude } = await stored('A1')
    assert.deepEqual([zone, latitude], ['America/Phoenix', 33.4])
  })

  for (const [what, csv, problem] of [
    ['nothing in it', '', 'line 1: The column lab is missing.'],
    ['no sites', HEADER, 'line 2: The list is empty.'],
    [
      'a missing column',
      'lab,site_code,name,first_line,city,state\nx',
      'line 1: The column zip_code is missing.',
    ],
    ['an unknown column', `${HEADER},fax\n${row('A')}`, 'line 1: The column fax is unknown.'],
    ['the same column twice', `${HEADER},city\n${row('A')}`, 'line 1: Two columns are named city.'],
    [
      'more cells than columns',
      `${HEADER}\n${row('A')},1`,
      'line 2: The line is not valid CSV (CSV_RECORD_INCONSISTENT_COLUMNS).',
    ],
    [
      'a quote that never ends',
      `${HEADER}\n"${row('A')}`,
      'line 2: The line is not valid CSV (CSV_QUOTE_NOT_CLOSED).',
    ],
  ] as const) {
    it(`is refused for ${what}`, async () => {
      const problems = await problemsOf(csv)
      assert.ok(problems.includes(problem), problems.join('\n'))
    })
  }
})
