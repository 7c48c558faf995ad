import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type Order = components['schemas']['Order']
export type Appointment = components['schemas']['Appointment']

const pathOf = (orderId: string) => ({ path: { order_id: orderId } })

/** How often an order that has not ended is loaded again. */
const WATCH_MS = 5_000

export const orderQuery = ({ key, team }: Environment, orderId: string) =>
  queryOptions({
    queryKey: [...key, 'order', orderId],
    queryFn: ({ signal }) =>
      unwrapResponse(team.GET('/v3/order/{order_id}', { params: pathOf(orderId), signal })),
    refetchInterval: WATCH_MS,
  })

/** Distinguishes states of an order, also those of the same second. */
export const stateOf = ({ updated_at, events }: Order) => [updated_at, events.length] as const

/** Loads the possible next statuses of an order; they change with every event of it. */
export const transitionsQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'transitions', ...stateOf(order)],
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.GET('/v3/order/{order_id}/transition', { params: pathOf(order.id), signal }),
      ),
  })

/** Loads the appointment of an order, at home or at a site; null without one. */
export const appointmentQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'appointment', ...stateOf(order)],
    queryFn: async ({ signal }): Promise<Appointment | null> => {
      const ofPerson = { path: { user_id: order.user_id }, query: { limit: 100 } }
      const { appointments } = await unwrapResponse(
        team.GET('/v3/user/{user_id}/appointment', { params: ofPerson, signal }),
      )
      if (!appointments.some(({ order_id: id }) => id === order.id)) return null
      const params = pathOf(order.id)
      return unwrapResponse(
        order.details.type === 'at_home_phlebotomy'
          ? team.GET('/v3/order/{order_id}/phlebotomy/appointment', { params, signal })
          : team.GET('/v3/order/{order_id}/psc/appointment', { params, signal }),
      )
    },
  })

/** Returns a function that reloads everything about an order after a change. */
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
