import type { FastifyInstance } from 'fastify'
import { keyOf, type State } from './state/state.ts'
import type { VendorContext } from './vendor.ts'

/** The address of an app's messages, as an operator enters it in a vendor's console. */
export interface PushAddress {
  clientId: string
  clientSecret: string
  callbackUrl: string
}

const PREFIX = 'push-address'

/**
 * Registers the console of a vendor that has no interface for subscriptions: `PUT
 * /console/push_address` takes the address of an app's messages.
 */
export function registerPushAddresses(app: FastifyInstance, { slug, state }: VendorContext): void {
  app.put<{ Body: Partial<Record<'client_id' | 'client_secret' | 'callback_url', string>> }>(
    '/console/push_address',
    async (request, reply) => {
      const { client_id, client_secret, callback_url } = request.body ?? {}
      if (!client_id || !client_secret || !callback_url) {
        return reply.status(400).send({ error: 'client_id, client_secret and callback_url' })
      }
      const entry: PushAddress = {
        clientId: client_id,
        clientSecret: client_secret,
        callbackUrl: callback_url,
      }
      await state.update<PushAddress>(keyOf(PREFIX, slug, client_id), () => entry)
      return reply.status(204).send()
    },
  )
}

/** Returns the addresses that were entered for a vendor, one for each app. */
export async function listPushAddresses({
  slug,
  state,
}: {
  slug: string
  state: State
}): Promise<PushAddress[]> {
  const found: PushAddress[] = []
  for await (const { value } of state.list(`${keyOf(PREFIX, slug)}/`)) {
    found.push(value as PushAddress)
  }
  return found
}
