import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** What a person did at the vendor: granted, or the error that Salus makes of it. */
export type VendorOutcome = 'granted' | 'provider_credential_error' | 'required_scopes_not_granted'

export interface FakeVendor {
  url: string
  requests: { url: string; referrer: string | undefined }[]
  close(): Promise<void>
}

/**
 * A vendor at another host than Salus, with a page where a person allows or denies.
 * @param finish Returns where the person goes on.
 * @param separates Whether its page leaves the group of windows in which it was opened.
 */
export async function registerFakeVendor(
  finish: (provider: string, state: string, outcome: VendorOutcome) => string,
  separates: () => boolean,
): Promise<FakeVendor> {
  const app = Fastify()
  const requests: FakeVendor['requests'] = []
  app.addHook('onRequest', async ({ url, headers }) => {
    requests.push({ url, referrer: headers.referer })
  })
  app.get('/authorize', async (request, reply) => {
    const { provider, state } = request.query as { provider: string; state: string }
    const button = (outcome: VendorOutcome, label: string): string =>
      `<button name="outcome" value="${outcome}">${label}</button>`
    reply.type('text/html; charset=utf-8')
    if (separates()) reply.header('cross-origin-opener-policy', 'same-origin')
    return `<!doctype html><html lang="en"><title>Vendor</title><h1>Allow access</h1>
      <form action="/decide"><input type="hidden" name="provider" value="${provider}">
      <input type="hidden" name="state" value="${state}">
      ${button('granted', 'Allow')}${button('provider_credential_error', 'Deny')}
      ${button('required_scopes_not_granted', 'Allow some')}</form></html>`
  })
  app.get('/decide', async (request, reply) => {
    const { provider = '', state = '', outcome } = request.query as Record<string, string>
    return reply.redirect(finish(provider, state, outcome as VendorOutcome), 307)
  })
  await app.listen({ port: 0, host: '127.0.0.2' })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.2:${port}`, requests, close: () => app.close() }
}
