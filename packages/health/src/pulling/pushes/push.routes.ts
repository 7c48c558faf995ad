import { PROVIDER_SLUGS } from '@salus/contracts/providers'
import { Success, TextEnum } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import Type from 'typebox'
import type { PullingContext } from '../pulling-context.ts'
import { answerHandshake, receivePush } from './receive-push.service.ts'

/** Limit of a client address: a vendor sends the messages of all users from few. */
const MESSAGES_A_MINUTE = 6_000
const PATH = '/v2/provider/:provider/push'
const params = Type.Object({ provider: TextEnum(PROVIDER_SLUGS) })

/**
 * Registers the public routes of messages, which are verified by their signature over the raw
 * bytes.
 */
export async function registerPushRoutes(app: App, context: PullingContext): Promise<void> {
  await app.register(async (raw: App) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    raw.post(
      PATH,
      {
        onRequest: limitByAddress({ clock: context.clock, perMinute: MESSAGES_A_MINUTE }),
        config: { isUnlimited: true },
        schema: {
          // For providers, which do not use the document.
          hide: true,
          params,
          response: { 200: Success },
        },
      },
      async ({ params: { provider }, headers, body, signIns }) => {
        const message = { headers: textsOf(headers), body: Buffer.isBuffer(body) ? body : EMPTY }
        await signIns.watch(
          'push',
          ['invalid_signature'],
          () => receivePush(context, provider, message),
          true,
        )
        return { success: true }
      },
    )

    raw.get(
      PATH,
      {
        schema: {
          hide: true,
          params,
          querystring: Type.Record(Type.String(), Type.String()),
          response: { 200: Type.String(), 204: Type.String(), 401: Type.String() },
        },
      },
      async ({ params: { provider }, query, headers }, reply) => {
        const handshake = { method: 'GET', query, headers: textsOf(headers), body: EMPTY } as const
        const { status, body } = await answerHandshake(context, provider, handshake)
        reply.status(status).type(body.startsWith('{') ? 'application/json' : 'text/plain')
        return reply.serializer((text: unknown) => String(text)).send(body)
      },
    )
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
