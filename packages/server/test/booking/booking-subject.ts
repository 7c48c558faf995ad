import type { Harness } from '../harness.ts'
import { orderBody, startingLabTests } from '../orders/order-bodies.ts'

/** Orders with and without an appointment, that a route can name, and keys of slots. */
export interface BookingSubject {
  /** With an appointment of either type. */
  visitOrderId: string
  pscOrderId: string
  appointmentId: string
  /**
   * Without one; the first is of another user, because a provider visits a person once at a time.
   */
  freeVisitOrderId: string
  freePscOrderId: string
}

/** Keys of slots that are not booked yet. */
export interface SlotKeys {
  visitKey: string
  siteKey: string
}

export function bookingPartOf(subject: BookingSubject & SlotKeys): BookingSubject & SlotKeys {
  const { visitOrderId, pscOrderId, appointmentId, freeVisitOrderId, freePscOrderId } = subject
  const { visitKey, siteKey } = subject
  const orders = { visitOrderId, pscOrderId, freeVisitOrderId, freePscOrderId }
  return { ...orders, appointmentId, visitKey, siteKey }
}

export async function makeBookingSubject(
  harness: Harness,
  userId: string,
): Promise<BookingSubject & SlotKeys> {
  const tests = await startingLabTests(harness)
  const succeed = async (method: string, url: string, body?: object) => {
    const answer = await harness.call(method, url, body)
    if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
    return answer.body
  }
  // A ZIP code to which both providers of visits come.
  const { patient_address: home } = orderBody('', '') as { patient_address: object }
  const patient_address = { ...home, zip: '85003' }
  const place = async (method: 'walk_in_test' | 'at_home_phlebotomy', ofUser: string) => {
    const body = orderBody(ofUser, tests[method], { patient_address })
    const { order } = await succeed('POST', '/v3/order', body)
    const accepted = `?final_status=received.${method}.requisition_created`
    await succeed('POST', `/v3/order/${order.id}/test${accepted}`)
    return order.id as string
  }
  const listKeys = async (url: string, body?: object): Promise<string[]> => {
    const { slots } = await succeed('POST', url, body)
    return slots
      .flatMap((day: { slots: { booking_key: string | null }[] }) => day.slots)
      .flatMap(({ booking_key: key }: { booking_key: string | null }) => key ?? [])
  }
  const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85003' }
  const visits = await listKeys('/v3/order/phlebotomy/appointment/availability', address)
  const ofSites = 'lab=quest&zip_code=85003&radius=100'
  const sites = await listKeys(`/v3/order/psc/appointment/availability?${ofSites}`)
  const book = async (orderId: string, kind: string, keys: string[]) =>
    succeed('POST', `/v3/order/${orderId}/${kind}/appointment/book`, { booking_key: keys[0] })
  const visitOrderId = await place('at_home_phlebotomy', userId)
  const pscOrderId = await place('walk_in_test', userId)
  const { id: appointmentId } = await book(visitOrderId, 'phlebotomy', visits)
  await book(pscOrderId, 'psc', sites)
  return {
    visitOrderId,
    pscOrderId,
    appointmentId,
    freeVisitOrderId: await place('at_home_phlebotomy', await harness.makeUser()),
    freePscOrderId: await place('walk_in_test', userId),
    visitKey: visits.at(-1) as string,
    siteKey: sites.at(-1) as string,
  }
}
