import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { take } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type Order = components['schemas']['Order']
export type Appointment = components['schemas']['Appointment']

const pathOf = (orderId: string) => ({ path: { order_id: orderId } })

/** How often an order that goes on is asked for again. */
const WATCH_MS = 5_000

export const orderQuery = ({ key, team }: Environment, orderId: string) =>
  queryOptions({
    queryKey: [...key, 'order', orderId],
    queryFn: ({ signal }) =>
      take(team.GET('/v3/order/{order_id}', { params: pathOf(orderId), signal })),
    refetchInterval: WATCH_MS,
  })

/** Tells states of an order apart, also those of the same second. */
export const stateOf = ({ updated_at, events }: Order) => [updated_at, events.length] as const

/** What may come of an order; asked for anew with every change of it. */
export const transitionsQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'transitions', ...stateOf(order)],
    queryFn: ({ signal }) =>
      take(team.GET('/v3/order/{order_id}/transition', { params: pathOf(order.id), signal })),
  })

/** The appointment of an order, at home or at a site; null without one. */
export const appointmentQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'appointment', ...stateOf(order)],
    queryFn: async ({ signal }): Promise<Appointment | null> => {
      const ofPerson = { path: { user_id: order.user_id }, query: { limit: 100 } }
      const { appointments } = await take(
        team.GET('/v3/user/{user_id}/appointment', { params: ofPerson, signal }),
      )
      if (!appointments.some(({ order_id: id }) => id === order.id)) return null
      const params = pathOf(order.id)
      return take(
        order.details.type === 'at_home_phlebotomy'
          ? team.GET('/v3/order/{order_id}/phlebotomy/appointment', { params, signal })
          : team.GET('/v3/order/{order_id}/psc/appointment', { params, signal }),
      )
    },
  })

/** To be called when something changed an order. */
export function useOrderChanged(): (orderId: string) => Promise<void> {
  const client = useQueryClient()
  const { key } = useEnvironment()
  return async (orderId) => {
    await Promise.all([
      client.invalidateQueries({ queryKey: [...key, 'order', orderId] }),
      client.invalidateQueries({ queryKey: [...key, 'orders'] }),
    ])
  }
}
