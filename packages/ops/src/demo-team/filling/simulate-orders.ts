import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_SECONDS, HOUR_SECONDS } from '@salus/contracts/time-units'
import { type DemoClient, DemoFailure } from './demo-client.ts'
import { type DemoOrder, ORDERS, type OrderStep } from './orders.registry.ts'
import { type DemoPerson, emailOf, PEOPLE, PHONE_NUMBER, type UserIds } from './people.registry.ts'

/** Number of seconds before the present at which the clock of the sandbox starts. */
export const SANDBOX_BEGINS_SECONDS = 180 * DAY_SECONDS

/** An action that happens this many seconds before the present. */
interface Moment {
  secondsAgo: number
  order: DemoOrder
  step: OrderStep | 'place'
}

/** Orders that exist, by their name in the table. */
export type NamedOrders = Map<DemoOrder['name'], string>

/**
 * Places the orders of the last half year and simulates them, in the order in which all of it
 * happened: the clock of the sandbox advances from moment to moment until it shows the present.
 */
export async function simulateOrders(
  client: DemoClient,
  users: UserIds,
  now: number,
): Promise<NamedOrders> {
  const tests = await listTests(client)
  const ids = new Map<DemoOrder, string>()
  let secondsAgo = SANDBOX_BEGINS_SECONDS
  const goTo = async (wanted: number): Promise<void> => {
    const seconds = secondsAgo - wanted
    if (seconds <= 0) return
    await client.callTeamApi('POST', '/v3/sandbox/advance', { seconds })
    secondsAgo = wanted
  }
  for (const moment of listMoments()) {
    await goTo(moment.secondsAgo)
    const { order, step } = moment
    if (step === 'place') {
      ids.set(order, await place(client, order, { tests, userId: users[order.person], now }))
    } else await runStep(client, ids.get(order) ?? '', order, step)
  }
  await goTo(0)
  return new Map([...ids].flatMap(([{ name }, id]) => (name === undefined ? [] : [[name, id]])))
}

/** Lists all moments, the earlier before the later. */
function listMoments(): Moment[] {
  const moments = ORDERS.flatMap((order, index): Moment[] => {
    // Not all at the same time of the day.
    const placedAgo = order.placed * DAY_SECONDS + (index % 7) * 4_750
    let secondsAgo = placedAgo
    const steps = order.steps.map((step): Moment => {
      secondsAgo = Math.max(0, secondsAgo - step.after * HOUR_SECONDS)
      return { secondsAgo, order, step }
    })
    return [{ secondsAgo: placedAgo, order, step: 'place' }, ...steps]
  })
  return moments.sort((one, other) => other.secondsAgo - one.secondsAgo)
}

/** Returns the ids of the ready lab tests, by name and method. */
async function listTests(client: DemoClient): Promise<Map<string, string>> {
  interface Tests {
    data: { id: string; name: string; method: string }[]
  }
  const { data } = await client.callTeamApi<Tests>('GET', '/v3/lab_test?size=100')
  return new Map(data.map(({ id, name, method }) => [`${name} ${method}`, id]))
}

const addressOf = ({ info }: DemoPerson) => ({
  ...info.address,
  receiver_name: `${info.first_name} ${info.last_name}`,
  country: 'US',
  phone_number: PHONE_NUMBER,
})

function detailsOf(person: DemoPerson) {
  const { first_name, last_name, dob, gender } = person.info
  const reachable = { phone_number: PHONE_NUMBER, email: emailOf(person) }
  return { first_name, last_name, dob, gender, ...reachable }
}

async function place(
  client: DemoClient,
  order: DemoOrder,
  { tests, userId, now }: { tests: ReadonlyMap<string, string>; userId: string; now: number },
): Promise<string> {
  const person = PEOPLE[order.person]
  const body = {
    user_id: userId,
    order_set: { lab_test_ids: [tests.get(`${order.test} ${order.method}`)] },
    patient_details: detailsOf(person),
    patient_address: addressOf(person),
    ...(order.activateIn !== undefined && { activate_by: dayAfter(now, order.activateIn) }),
    ...(order.isInsured && {
      billing_type: 'commercial_insurance',
      icd_codes: ['E78.5', 'R53.83'],
    }),
  }
  const answer = await whenCodesAreLoaded(() =>
    client.callTeamApi<{ order: { id: string } }>('POST', '/v3/order', body),
  )
  return answer.order.id
}

const dayAfter = (now: number, days: number): string =>
  new Date(now + days * DAY_SECONDS * 1000).toISOString().slice(0, 10)

/** In the first seconds of an installation diagnosis codes are still being loaded. */
async function whenCodesAreLoaded<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      const isLoading =
        error instanceof DemoFailure && error.errorType === 'diagnosis_codes_loading'
      if (!isLoading || tries === 120) throw error
      await sleep(500)
    }
  }
}

async function runStep(
  client: DemoClient,
  orderId: string,
  order: DemoOrder,
  step: OrderStep,
): Promise<void> {
  if ('to' in step) {
    const url = `/v3/order/${orderId}/test?final_status=${step.to}`
    await client.callTeamApi('POST', url, {
      interpretation: step.interpretation ?? 'normal',
      status_detail: step.detail ?? null,
    })
  } else if (step.act === 'cancel') await client.callTeamApi('POST', `/v3/order/${orderId}/cancel`)
  else if (step.act === 'book site') await bookSite(client, orderId, order)
  else await bookVisit(client, orderId, order)
}

interface Availability {
  slots: { slots: { booking_key: string | null }[] }[]
}

async function bookSite(client: DemoClient, orderId: string, { person }: DemoOrder): Promise<void> {
  const { zip } = PEOPLE[person].info.address
  const query = `lab=quest&zip_code=${zip}&radius=50`
  const offered = await client.callTeamApi<Availability>(
    'POST',
    `/v3/order/psc/appointment/availability?${query}`,
  )
  await book(client, `/v3/order/${orderId}/psc/appointment/book`, offered)
}

async function bookVisit(client: DemoClient, orderId: string, { person }: DemoOrder) {
  const { first_line, city, state, zip } = PEOPLE[person].info.address
  const address = { first_line, city, state, zip_code: zip }
  const url = '/v3/order/phlebotomy/appointment/availability'
  const offered = await client.callTeamApi<Availability>('POST', url, address)
  await book(client, `/v3/order/${orderId}/phlebotomy/appointment/book`, offered)
}

/** Books a slot of the second day that has slots. */
async function book(client: DemoClient, url: string, { slots }: Availability): Promise<void> {
  const days = slots.map((day) => day.slots.flatMap(({ booking_key: key }) => key ?? []))
  const open = days.filter((keys) => keys.length > 0)
  const keys = open[1] ?? open[0] ?? []
  await client.callTeamApi('POST', url, { booking_key: keys[Math.floor(keys.length / 3)] })
}
