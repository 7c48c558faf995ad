import { Uuid } from '@salus/contracts/schema-types'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import { notFoundCode, unauthorized } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import type { ConnectionRegistry, PostReceiver } from './connection-registry.ts'

/** Limit of an address: a laboratory sends its results from few. */
const MESSAGES_A_MINUTE = 6000
/** Reports with documents are large. */
const MESSAGE_BYTES = 50 * 1024 ** 2
const MESSAGE_TYPE = 'x-application/hl7-v2+er7'

/**
 * Registers the public route to which laboratories post messages. The connection has the sign-in;
 * the answer is the acknowledgement.
 */
export async function registerConnectionPosts(
  app: App,
  { registry, clock }: { registry: ConnectionRegistry; clock: Clock },
): Promise<void> {
  await app.register(async (raw: App) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    raw.post(
      '/v2/lab_connection/:connection_id/message',
      {
        bodyLimit: MESSAGE_BYTES,
        onRequest: limitByAddress({ clock, perMinute: MESSAGES_A_MINUTE }),
        config: { isUnlimited: true },
        schema: {
          // For laboratories, which do not use the document.
          hide: true,
          params: Type.Object({ connection_id: Uuid }),
          response: { 200: Type.String() },
        },
      },
      async ({ params, headers, body, signIns }, reply) => {
        const posts = await registry.postsOf(params.connection_id)
        if (posts === undefined) throw notFoundCode('lab_connection_not_found')
        await signIns.watch('push', ['invalid_signature'], () => requireSignIn(posts, headers))
        const answers = await posts.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0))
        reply.type(MESSAGE_TYPE)
        return reply
          .serializer((content: unknown) => content as string)
          .send(Buffer.concat(answers) as unknown as string)
      },
    )
  })
}

/** @throws AppError 401 when the request has not the sign-in of the connection */
async function requireSignIn(
  { auth, readSecret }: PostReceiver,
  headers: Readonly<Record<string, unknown>>,
): Promise<void> {
  const given = (name: string): string => {
    const value = headers[name.toLowerCase()]
    return typeof value === 'string' ? value : ''
  }
  const expected = await expectedHeader(auth, readSecret)
  if (expected !== undefined && isEqualSecret(given(expected.name), expected.value)) return
  throw unauthorized('invalid_signature', 'The request has not the sign-in of the connection.')
}

/** Returns the header that proves the sender; undefined for a way that proves nothing here. */
async function expectedHeader(
  auth: PostReceiver['auth'],
  readSecret: PostReceiver['readSecret'],
): Promise<{ name: string; value: string } | undefined> {
  if (auth.kind === 'basic') {
    const credentials = `${auth.user}:${await readSecret(auth.password)}`
    const value = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { name: 'authorization', value }
  }
  if (auth.kind === 'bearer') {
    return { name: 'authorization', value: `Bearer ${await readSecret(auth.token)}` }
  }
  if (auth.kind === 'api_key') return { name: auth.header, value: await readSecret(auth.key) }
  return undefined
}
