import { PROVIDER_SLUGS } from '@salus/contracts/providers'
import { TextEnum } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import Type from 'typebox'
import type { PullingContext } from '../pulling-context.ts'
import { receivePush, type VendorCall } from './receive-push.service.ts'

/** Limit of a client address: a vendor sends the messages of all users from few. */
const MESSAGES_A_MINUTE = 6_000
const PATHS = ['/v2/provider/:provider/push', '/v2/provider/:provider/push/:addressKey']
const params = Type.Object({
  provider: TextEnum(PROVIDER_SLUGS),
  addressKey: Type.Optional(Type.String({ maxLength: 100 })),
})
const ANSWER = Type.String()

/**
 * Registers the public routes of messages, which are verified by their signature over the raw
 * bytes, or by an address that only the vendor knows.
 */
export async function registerPushRoutes(app: App, context: PullingContext): Promise<void> {
  await app.register(async (raw: App) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const url of PATHS) {
      raw.route({
        method: ['GET', 'POST'],
        url,
        onRequest: limitByAddress({ clock: context.clock, perMinute: MESSAGES_A_MINUTE }),
        config: { isUnlimited: true },
        schema: {
          // For providers, which do not use the document.
          hide: true,
          params,
          querystring: Type.Record(Type.String(), Type.String()),
          response: { 200: ANSWER, 204: ANSWER },
        },
        async handler(request, reply) {
          const { headers, body, query, signIns } = request
          const { provider, addressKey } = request.params
          const call: VendorCall = {
            method: request.method as VendorCall['method'],
            addressKey,
            query,
            headers: textsOf(headers),
            body: Buffer.isBuffer(body) ? body : EMPTY,
          }
          const answer = await signIns.watch(
            'push',
            ['invalid_signature'],
            () => receivePush(context, provider, call),
            true,
          )
          // Errors have their own shape, but a handshake may be refused in that of the vendor.
          reply.status(answer.status as 200)
          reply.type(answer.body.startsWith('{') ? 'application/json' : 'text/plain')
          return reply.serializer((text: unknown) => String(text)).send(answer.body)
        },
      })
    }
  })
}

const EMPTY = Buffer.alloc(0)

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : undefined,
    ]),
  )
}
