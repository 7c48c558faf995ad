import type { ReadLife } from '@salus/health/link'
import type { DemoStep } from '../demo-team.schema.ts'
import {
  connectVendors,
  endAccess,
  failToConnect,
  makePerson,
  waitForHistory,
} from './connect-people.ts'
import type { DemoClient } from './demo-client.ts'
import { uploadBloodPressure, uploadUnreadable } from './home-devices.ts'
import { uploadReports, waitForReports } from './lab-reports.ts'
import {
  type DemoPerson,
  emailOf,
  PEOPLE,
  type PersonName,
  PHONE_NUMBER,
} from './people.registry.ts'
import { PHONE_DAYS, uploadPhone } from './phone-data.ts'
import { simulateOrders } from './simulate-orders.ts'
import { holdResults } from './unmatched-results.ts'

export interface Filling {
  client: DemoClient
  teamId: string
  region: string
  readLife: ReadLife
  /** Epoch milliseconds. */
  now: number
  signal: AbortSignal
  /** Called before each step begins. */
  begin(step: DemoStep): Promise<void>
  /** Called with the user to look at first, when there are data to see. */
  show(userId: string): Promise<void>
}

const [FIRST, ...OTHERS] = Object.entries(PEOPLE) as [
  [PersonName, DemoPerson],
  ...[PersonName, DemoPerson][],
]

/** Fills a new team through the public API; docs/demo-team.md describes its content. */
export async function fillDemoTeam(filling: Filling): Promise<void> {
  const { client, begin, signal } = filling
  await begin('settings')
  await prepareTeam(filling)
  await begin('first_person')
  const users = { [FIRST[0]]: await fillFirstPerson(filling) } as Record<PersonName, string>
  await begin('people')
  for (const [name, person] of OTHERS) {
    users[name] = await makePerson(client, person)
    await fillPerson(filling, users[name], person)
  }
  await begin('orders')
  await insure(client, users.lena, PEOPLE.lena)
  const orders = await simulateOrders(client, users, filling.now)
  // Not before the clock of the sandbox shows the present.
  const reports = await uploadReports(client, users)
  await begin('unmatched_results')
  await holdResults(client, orders, signal)
  await begin('history')
  const connected = [FIRST, ...OTHERS].filter(([, { vendors }]) => vendors !== undefined)
  await waitForHistory(
    client,
    connected.map(([name]) => users[name]),
    signal,
  )
  await endAccess(client, users.sam, PEOPLE.sam)
  await begin('lab_reports')
  await waitForReports(client, reports, signal)
}

/** Receivers that the sandbox emulates (docs/sandbox.md#a-receiver-of-webhooks). */
const RECEIVER = 'https://receiver.salus.invalid'
const WEBHOOKS = [
  { url: `${RECEIVER}/ok`, description: 'Takes everything' },
  {
    url: `${RECEIVER}/moody`,
    description: 'Orders and results; refuses now and then',
    filter_types: ['labtest.order.created', 'labtest.order.updated'],
  },
  {
    url: `${RECEIVER}/failing`,
    description: 'A receiver that is broken',
    filter_types: ['provider.connection.error'],
  },
]

/** Creates settings that the console shows, and a key for the team API. */
async function prepareTeam({ client, teamId, region }: Filling): Promise<void> {
  const reviews = { match_review_enabled: true, lab_report_review_enabled: true }
  await client.callManagementApi('PATCH', `/team/${teamId}`, { sandbox: reviews })
  const wanted = { default: { historical_days_to_pull: PHONE_DAYS } }
  await client.callManagementApi('POST', `/team_data_pull_preferences/sandbox/${region}`, {
    team_ids: [teamId],
    providers: { oura: wanted, abbott_libreview: wanted },
  })
  for (const webhook of WEBHOOKS) {
    await client.callManagementApi('POST', `/team/${teamId}/sandbox/webhook`, webhook)
  }
}

async function fillFirstPerson({ client, readLife, now, show }: Filling): Promise<string> {
  const [, person] = FIRST
  const userId = await makePerson(client, person)
  const { phoneOf: account = '', time_zone: timeZone } = person
  const owner = { userId, account, timeZone, now }
  await uploadPhone(client, readLife, owner, () => show(userId))
  await uploadBloodPressure(client, userId, person, now)
  await connectVendors(client, userId, person)
  return userId
}

async function fillPerson({ client, now }: Filling, userId: string, person: DemoPerson) {
  await connectVendors(client, userId, person)
  await uploadBloodPressure(client, userId, person, now)
  if (person.trouble === 'wrong password') await failToConnect(client, userId)
  if (person.trouble === 'unreadable items') await uploadUnreadable(client, userId, person, now)
}

async function insure(client: DemoClient, userId: string, person: DemoPerson): Promise<void> {
  const { first_name, last_name, gender, dob, address } = person.info
  const { zip: zip_code, ...home } = address
  const url = '/v3/insurance/search/payor?insurance_name=humana'
  const [payor] = await client.callTeamApi<{ payor_code: string }[]>('GET', url)
  await client.callTeamApi('POST', `/v2/user/${userId}/insurance`, {
    payor_code: payor?.payor_code,
    member_id: 'H12345678',
    group_id: 'G-204',
    relationship: 'Self',
    insured: {
      ...{ first_name, last_name, gender, dob },
      email: emailOf(person),
      phone_number: PHONE_NUMBER,
      address: { ...home, zip_code },
    },
  })
}
