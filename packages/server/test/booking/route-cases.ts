import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'

/** Requests about slots and appointments. */

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

const ADDRESS = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85003' }
const REASON = '9b1f6a40-3c57-4e0a-8d21-000000000'
const visit = '/v3/order/{order_id}/phlebotomy/appointment'
const psc = '/v3/order/{order_id}/psc/appointment'
const ofVisit = { params: ({ visitOrderId }: Subject) => ({ order_id: visitOrderId }) }
const ofPsc = { params: ({ pscOrderId }: Subject) => ({ order_id: pscOrderId }) }
const ofFreeVisit = { params: ({ freeVisitOrderId }: Subject) => ({ order_id: freeVisitOrderId }) }
const ofFreePsc = { params: ({ freePscOrderId }: Subject) => ({ order_id: freePscOrderId }) }
const atHome = ({ visitKey }: Subject) => ({ booking_key: visitKey })
const atSite = ({ siteKey }: Subject) => ({ booking_key: siteKey })

export const APPOINTMENT_CASES: readonly RouteCase[] = [
  {
    method: 'POST',
    path: '/v3/order/phlebotomy/appointment/availability',
    body: () => ADDRESS,
    ...own,
  },
  { method: 'GET', path: '/v3/order/phlebotomy/appointment/cancellation-reasons', ...own },
  { method: 'POST', path: `${visit}/book`, body: atHome, ...ofFreeVisit, ...theirs, ...fresh },
  {
    method: 'POST',
    path: `${visit}/request`,
    body: () => ({ address: ADDRESS, provider: 'phlebfinders' }),
    ...ofFreeVisit,
    ...theirs,
    ...fresh,
  },
  { method: 'PATCH', path: `${visit}/reschedule`, body: atHome, ...ofVisit, ...theirs, ...fresh },
  {
    method: 'PATCH',
    path: `${visit}/cancel`,
    body: () => ({ cancellation_reason_id: `${REASON}111` }),
    ...ofVisit,
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: visit, ...ofVisit, ...theirs },
  {
    method: 'POST',
    path: '/v3/order/psc/appointment/availability',
    query: () => ({ lab: 'quest', zip_code: '85003', radius: '100' }),
    ...own,
    // Nothing can be booked in production.
    isOfSandbox: true,
  },
  { method: 'GET', path: '/v3/order/psc/appointment/cancellation-reasons', ...own },
  { method: 'POST', path: `${psc}/book`, body: atSite, ...ofFreePsc, ...theirs, ...fresh },
  { method: 'PATCH', path: `${psc}/reschedule`, body: atSite, ...ofPsc, ...theirs, ...fresh },
  {
    method: 'PATCH',
    path: `${psc}/cancel`,
    body: () => ({ cancellationReasonId: `${REASON}201` }),
    ...ofPsc,
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: psc, ...ofPsc, ...theirs },
  { method: 'GET', path: '/v3/user/{user_id}/appointment', ...theirs },
]
