import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

/** An OpenID Connect provider of our own, whose users have any claims. */
export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user of the next sign-in, and their claims. */
  person: { subject: string; claims: Record<string, unknown> }
  /** Follows the way from an address of the provider to where it sends the browser back. */
  signIn(authorizationUrl: string): Promise<string>
  close(): Promise<void>
}

/** The package prints a warning for each of its defaults that is used. */
const ALL_SECONDS = 600
const LIFETIMES = {
  AccessToken: ALL_SECONDS,
  Grant: ALL_SECONDS,
  IdToken: ALL_SECONDS,
  Interaction: ALL_SECONDS,
  Session: ALL_SECONDS,
}

const CLIENT = { clientId: 'salus', clientSecret: 'a secret of the provider and of Salus' }

export async function startTestProvider(redirectUri: string): Promise<TestProvider> {
  const server: Server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: TestProvider = {
    issuer,
    ...CLIENT,
    person: { subject: 'ada', claims: {} },
    signIn: (url) => followToCallback(url, redirectUri),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    pkce: { required: () => true },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...started.person.claims }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a key of this test'] },
    adapter: createMemoryAdapter(),
    jwks: { keys: [makeSigningKey()] },
    ttl: LIFETIMES,
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    // Every visitor is the user, and grants the request.
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      const login = { accountId: started.person.subject }
      return provider.interactionFinished(request, response, { login })
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params.client_id),
    })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(
      request,
      response,
      { consent },
      { mergeWithLastSubmission: true },
    )
  })
  return started
}

function makeSigningKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ format: 'jwk' })
}

/** A browser with nothing kept. */
async function followToCallback(from: string, redirectUri: string): Promise<string> {
  const kept = new Map<string, string>()
  let url = from
  for (let hops = 0; hops < 12; hops += 1) {
    if (url.startsWith(redirectUri)) return url
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      kept.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
    url = new URL(location, url).href
  }
  throw new Error('The provider sends the browser in circles.')
}
