import { useState } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import type { Action, Step } from './flow.machine.ts'
import { type LinkClient, type LinkConfig, LinkRefusal, type Provider } from './link-client.ts'
import { updateLinkSession } from './link-session.ts'
import { isWebAddress } from './redirect.ts'
import { report } from './report.ts'

/** A longer wait is explained to the person. */
const LONG_WAIT_MS = 4000

export const errorTypeOf = (error: unknown): string =>
  error instanceof LinkRefusal ? error.errorType : 'unavailable'

/**
 * Requests the address of a provider's own page and opens it.
 * @returns A function to call when the person leaves the step.
 */
export function handOver(
  client: LinkClient,
  { provider, region }: Extract<Step, { name: 'handover' }>,
  config: LinkConfig,
  dispatch: (action: Action) => void,
): () => void {
  const { team, opener } = config
  let isLeft = false
  const refuse = (errorType: string): void => {
    if (isLeft) return
    report(opener, { event: 'error', error_type: errorType, provider: provider.slug })
    dispatch({ type: 'refused', errorType, provider })
  }
  client.startOAuth(provider.slug, region).then(
    ({ oauth_url: url }) => {
      if (isLeft) return
      updateLinkSession({ team: team.name, provider: provider.name })
      if (url === null || !isWebAddress(url)) return refuse('provider_api_error')
      report(opener, { event: 'leaving', provider: provider.slug })
      location.assign(url)
    },
    (error) => refuse(errorTypeOf(error)),
  )
  // A person who comes back by the browser finds the page in its waiting state.
  const resume = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) dispatch({ type: 'started_again' })
  }
  addEventListener('pageshow', resume)
  return () => {
    isLeft = true
    removeEventListener('pageshow', resume)
  }
}

/** Sends requests that a vendor answers, one at a time, with a text for the wait. */
export function useVendorCalls() {
  const { t } = useLanguage()
  const [waitingFor, setWaitingFor] = useState<string>()
  const ask = async <T>(provider: Provider, call: () => Promise<T>): Promise<T> => {
    const names = { provider: provider.name }
    setWaitingFor(t('waiting', names))
    const timer = setTimeout(() => setWaitingFor(t('waiting_long', names)), LONG_WAIT_MS)
    try {
      return await call()
    } finally {
      clearTimeout(timer)
      setWaitingFor(undefined)
    }
  }
  return { waitingFor, ask }
}
