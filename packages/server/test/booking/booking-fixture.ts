import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { Config } from '../../src/config.ts'
import type { Answer } from '../harness.ts'
import { orderBody, PATIENT_ADDRESS } from '../orders/order-bodies.ts'
import { type Body, createOrdersFixture, type OrdersFixture } from '../orders/orders-fixture.ts'

/** An address in the ZIP code of the patient of `orderBody`. */
export const ADDRESS = {
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip_code: '85004',
}

/** Orders that wait for an appointment, and requests about appointments. */
export interface BookingFixture extends OrdersFixture {
  /** An order of a new user with its requisition; `orderChanges` as in POST /v3/order. */
  placeVisit(orderChanges?: object, ...statuses: LowLevelStatus[]): Promise<string>
  placeSite(
    lab?: 'quest' | 'sonora_quest' | 'labcorp',
    ...statuses: LowLevelStatus[]
  ): Promise<string>
  /** `POST /v3/order/{order_id}/phlebotomy/appointment/{what}` and its like. */
  visit(orderId: string, what: Command, body?: object): Promise<Answer>
  site(orderId: string, what: Command, body?: object, headers?: object): Promise<Answer>
  /** Slots that can be booked, of a ZIP code or a site, in order. */
  visitSlots(zip?: string, query?: string): Promise<Body[]>
  siteSlots(query?: string): Promise<Body[]>
  /** Codes of sites of a laboratory that can be booked. */
  siteCodes(lab?: string): Promise<string[]>
  attempts(): Promise<number>
}

type Command = 'book' | 'request' | 'reschedule' | 'cancel' | 'read'

const METHODS: Record<Command, string> = {
  book: 'POST',
  request: 'POST',
  reschedule: 'PATCH',
  cancel: 'PATCH',
  read: 'GET',
}

export async function createBookingFixture(
  settings: Partial<Config> = {},
): Promise<BookingFixture> {
  const orders = await createOrdersFixture(settings)
  const { harness } = orders
  const { pool } = harness.database
  const siteTests = new Map<string, string>([['quest', orders.tests.walk_in_test]])

  const succeed = async (method: string, url: string, body?: object): Promise<Body> => {
    const answer = await harness.call(method, url, body)
    if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
    return answer.body
  }

  const findTest = async (lab: string): Promise<string> => {
    const known = siteTests.get(lab)
    if (known !== undefined) return known
    const { rows } = await pool.query(
      `select marker.id from markers marker join labs on labs.id = marker.lab_id
      where labs.slug = $1 and marker.a_la_carte_enabled order by marker.id limit 1`,
      [lab],
    )
    const made = await succeed('POST', '/v3/lab_tests', {
      name: `At ${lab}`,
      description: 'A test',
      method: 'walk_in_test',
      marker_ids: [rows[0].id],
    })
    siteTests.set(lab, made.id)
    return made.id
  }

  const place = async (testId: string, changes: object, statuses: LowLevelStatus[]) => {
    const userId = await harness.makeUser()
    harness.clock.advance(1)
    const { order } = await succeed('POST', '/v3/order', orderBody(userId, testId, changes))
    await orders.walk(order.id, ...statuses)
    return order.id as string
  }

  const command =
    (kind: string) =>
    (orderId: string, what: Command, body?: object, headers?: object): Promise<Answer> => {
      const url = `/v3/order/${orderId}/${kind}/appointment`
      return harness.call(METHODS[what], what === 'read' ? url : `${url}/${what}`, body, headers)
    }

  const keyed = ({ slots }: Body): Body[] =>
    slots.flatMap((day: Body) =>
      day.slots
        .filter((slot: Body) => slot.booking_key !== null)
        .map((slot: Body) => ({ ...slot, date: day.date, location: day.location })),
    )

  const fixture: BookingFixture = {
    ...orders,
    placeVisit: (changes = {}, ...statuses) =>
      place(orders.tests.at_home_phlebotomy, changes, ['requisition_created', ...statuses]),
    async placeSite(lab = 'quest', ...statuses) {
      return place(await findTest(lab), {}, ['requisition_created', ...statuses])
    },
    visit: command('phlebotomy'),
    site: command('psc'),
    async visitSlots(zip = PATIENT_ADDRESS.zip, query = '') {
      const url = `/v3/order/phlebotomy/appointment/availability${query}`
      return keyed(await succeed('POST', url, { ...ADDRESS, zip_code: zip }))
    },
    async siteSlots(query = 'lab=quest&zip_code=85004&radius=100') {
      return keyed(await succeed('POST', `/v3/order/psc/appointment/availability?${query}`))
    },
    async siteCodes(lab = 'quest') {
      const { rows } = await pool.query(
        `select site_code from service_centers center join labs on labs.id = center.lab_id
        where labs.slug = $1 and is_active
          and 'appointment_scheduling_via_service' = any(capabilities) order by site_code`,
        [lab],
      )
      return rows.map(({ site_code: code }) => code)
    },
    async attempts() {
      const { rows } = await pool.query('select count(*)::int as count from booking_attempts')
      return rows[0].count
    },
  }
  return fixture
}

/** Changes settings of the first team's sandbox. */
export async function changeSettings(
  { harness }: Pick<OrdersFixture, 'harness'>,
  sandbox: object,
): Promise<void> {
  const { status, text } = await harness.manage('PATCH', `/team/${harness.teamId}`, { sandbox })
  if (status !== 200) throw new Error(text)
}
