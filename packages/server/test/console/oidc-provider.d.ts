/** As much of the package as the test provider uses; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Interaction {
    uid: string
    prompt: { name: string }
    params: Record<string, unknown>
    session?: { accountId: string }
  }

  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    claims: Record<string, string[]>
    pkce: { required: () => boolean }
    findAccount: (
      context: unknown,
      subject: string,
    ) => { accountId: string; claims: () => Record<string, unknown> }
    features: Record<string, { enabled: boolean }>
    interactions: { url: (context: unknown, interaction: Interaction) => string }
    cookies: { keys: string[] }
    adapter: (model: string) => object
    jwks: { keys: object[] }
    ttl: Record<string, number>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    Grant: new (options: {
      accountId: string
      clientId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(): (model: string) => object
}
